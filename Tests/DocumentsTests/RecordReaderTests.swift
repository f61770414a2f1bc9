import Diagnostics
import Documents
import Testing

struct RecordReaderTests {
  @Test(arguments: [
    (
      Syntax.csv, "id,a\nx\ny,1\n\"z\"x\n",
      ["0 {id: x} csv-cell-count 2:1", "1 {id: y, a: 1}", "2 broken csv-quote 4:4"]
    ),
    (
      .jsonLines, "{\"a\":}\n{\"a\": 1}\n \n[1]\n{\"a\"\n: 2}\n{}\n",
      [
        "0 broken json-syntax 1:6", "1 {a: #1}", "2 broken record-not-mapping 4:1",
        "3 broken json-unfinished 5:5", "4 broken json-syntax 6:1", "5 {}",
      ]
    ),
    (
      .jsonLines, "{\"a\": 1, \"a\": 2}\n{\"a\": 1}\n",
      ["0 {a: #1} duplicate-key 1:10", "1 {a: #1}"]
    ),
  ])
  func `each record includes its problems`(syntax: Syntax, text: String, reported: [String]) {
    #expect(records(text, syntax) == reported)
  }

  @Test(arguments: [Syntax.csv, .jsonLines])
  func `the limits on records, bytes and values are enforced`(syntax: Syntax) {
    let text = syntax == .csv ? "a\n1\n2\n3\n" : "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n"
    var limits = DocumentLimits()
    limits.nodes = 2
    let reported = records(text, syntax, limits: limits)
    #expect(reported.count == 3)
    let place = syntax == .csv ? 4 : 3
    #expect(reported.last?.hasPrefix("throws document-too-many-values \(place):") == true)

    limits = DocumentLimits()
    limits.listBytes = text.utf8.count - 1
    #expect(
      records(text, syntax, limits: limits).last?.hasPrefix("throws document-too-large") == true)
    limits.listBytes = text.utf8.count
    #expect(records(text, syntax, limits: limits).count == 3)

    // The limit applies to each record.
    limits.nodes = 0
    #expect(records(text, syntax, limits: limits)[0].contains("document-too-many-values"))
  }
}
