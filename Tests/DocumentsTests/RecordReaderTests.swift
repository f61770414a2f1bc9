import Diagnostics
import Documents
import Testing

struct RecordReaderTests {
  @Test(arguments: [
    (Syntax.csv, "id,a\nx,1\n\ny,\n"),
    (.tsv, "id\ta\nx\t1\n\ny\t\n"),
    (.jsonLines, "{\"id\": \"x\", \"a\": \"1\"}\n \n{\"id\": \"y\"}"),
    (.json, "[{\"id\": \"x\", \"a\": \"1\"},\n{\"id\": \"y\"}]\n"),
    (.yaml, "- id: 'x'\n  a: '1'\n- {id: 'y'}\n"),
  ])
  func `a list is read record by record`(syntax: Syntax, text: String) {
    let isPlain = syntax == .csv || syntax == .tsv
    #expect(
      records(text, syntax)
        == (isPlain
          ? ["0 {id: x, a: 1}", "1 {id: y}"] : ["0 {id: \"x\", a: \"1\"}", "1 {id: \"y\"}"]))
  }

  @Test(arguments: [
    (
      Syntax.csv, "id,a\nx\ny,1\nz\"\n",
      ["0 {id: x} csv-cell-count 2:1", "1 {id: y, a: 1}", "2 broken csv-quote 4:2"]
    ),
    (
      .jsonLines, "{\"a\":}\n{\"a\": 1}\n[1]\n{\"a\"\n: 2}\n{}\n",
      [
        "0 broken json-syntax 1:6", "1 {a: #1}", "2 broken record-not-mapping 3:1",
        "3 broken json-unfinished 4:5", "4 broken json-syntax 5:1", "5 {}",
      ]
    ),
    (
      .json, "[1, {\"a\": 1}, [], null]",
      [
        "0 broken record-not-mapping 1:2", "1 {a: #1}", "2 broken record-not-mapping 1:15",
        "3 broken record-not-mapping 1:19",
      ]
    ),
    (
      .yaml, "- a\n- b: 1\n- []\n",
      ["0 broken record-not-mapping 1:3", "1 {b: 1}", "2 broken record-not-mapping 3:3"]
    ),
    (
      .jsonLines, "{\"a\": 1, \"a\": 2}\n{\"a\": 1}\n",
      ["0 {a: #1} duplicate-key 1:10", "1 {a: #1}"]
    ),
    (.json, "[{\"a\": 1, \"a\": 2}, {\"a\": 1}]", ["0 {a: #1} duplicate-key 1:11", "1 {a: #1}"]),
    (.yaml, "- a: 1\n  a: 2\n- a: 1\n", ["0 {a: 1} duplicate-key 2:3", "1 {a: 1}"]),
  ])
  func `what is wrong with a record stays with it`(syntax: Syntax, text: String, told: [String]) {
    #expect(records(text, syntax) == told)
  }

  @Test(arguments: [
    (Syntax.json, "", "document-empty 1:1 the document is empty"),
    (.yaml, "# x\n", "document-empty 1:1 the document is empty"),
    (.csv, "\n", "document-empty 1:1 the document is empty"),
    (
      .json, "{\"a\": []}",
      "list-expected 1:1 a list of records was expected, but this is a mapping"
    ),
    (.json, " nope", "list-expected 1:2 a list of records was expected, but this is `nope`"),
    (.yaml, "a: []", "list-expected 1:1 a list of records was expected, but this is a mapping"),
    (.yaml, "a", "list-expected 1:1 a list of records was expected, but this is a single value"),
    (.yaml, "!!seq [a]", "yaml-tag 1:1 the tag `!!seq` is not supported"),
  ])
  func `what is no list at all is refused`(syntax: Syntax, text: String, told: String) {
    #expect(records(text, syntax) == ["throws \(told)"])
  }

  @Test(arguments: [
    (Syntax.json, "[{}", "json-unfinished 1:4"), (.json, "[{},]", "json-trailing-comma 1:4"),
    (.json, "[{} {}]", "json-syntax 1:5"), (.json, "[{}] x", "json-trailing-text 1:6"),
    (.json, "[{}, {\"a\": 1]", "json-syntax 1:13"), (.json, "[{}, ", "json-unfinished 1:6"),
    (.json, "[{}, {\"a\"", "json-unfinished 1:10"), (.json, "[{}, \"a", "json-unfinished 1:6"),
    (.json, "[{}, nul]", "json-word 1:6"), (.json, "[{}}", "json-syntax 1:4"),
    (.json, "[{}, {\"\u{E9}\": 01}]", "json-number 1:12"),
    (.yaml, "- {}\n- [\n", "yaml-syntax 3:1"), (.yaml, "- {}\na: 1", "yaml-syntax 2:1"),
    (.yaml, "- {}\n---\n- {}", "yaml-many-documents 2:1"),
    (.yaml, "&a [{}, *a]", "yaml-alias-cycle 1:9"),
    (.yaml, "- {}\n- *a", "yaml-alias-undefined 2:3"),
  ])
  func `broken JSON and YAML end the reading where they break`(
    syntax: Syntax, text: String, fault: String
  ) {
    let told = records(text, syntax)
    #expect(told.first == "0 {}")
    #expect(told.count == 2)
    #expect(told.last?.hasPrefix("throws \(fault) ") == true)
  }

  @Test func `after an error there is nothing more`() throws {
    var reader = RecordReader(Array("[{}, x, {}]".utf8), syntax: .json, file: "file")
    #expect(try reader.next()?.index == 0)
    #expect(throws: Diagnostic.self) { try reader.next() }
    #expect(try reader.next() == nil)
  }

  @Test func `anchors hold for the rest of a list`() {
    #expect(
      records("- &a {s: &s [1, 2]}\n- {t: *s}\n- *a\n", .yaml) == [
        "0 {s: [1, 2]}", "1 {t: [1, 2]}", "2 {s: [1, 2]}",
      ])
  }

  /// Each syntax with good, broken, quoted, blank and non-ASCII parts, and one bad byte at its end.
  private static let samples: [(Syntax, String)] = [
    (
      .csv,
      "\u{FEFF}id,name\r\n1,\"\u{1F600}, \"\"x\"\"\r\ny\"\r\n\r\n2\r3,\u{E9}\n4,a\"b\n5,\"z\" \n6,\"open\n7,x\n"
    ),
    (.tsv, "id\tname\n1\t\"\u{1F600}\ty\"\n2\n"),
    // First bytes after which not every second one may come: E0, ED, F0, F4.
    (.csv, "id,name\n1,\u{915}\u{D7A3}\u{10000}\u{10FFFF}\n2,\u{0905}\n"),
    (
      .jsonLines,
      "\u{FEFF}{\"a\": \"\u{1F600}\\n\"}\r\n\r\n{\"a\": [1, {}]} x\r{\"a\": nope}\n[]\n{\"a\": \"b"
    ),
    (
      .json,
      "\u{FEFF} [ {\"a\": \"\u{1F600}\\\"]\"}\r\n,{\"a\": [1, {\"b\": null}]}\r\n, 12 , {\"c\": 0, \"c\": 1} ]\r\n "
    ),
    (.json, "[{\"a\": 1}, {\"b\": 2}\r\n\r\n nonsense ]"),
    (.json, "[{\"a\": 1}, {\"b\": \(String(repeating: "x", count: 40))}]"),
    (.json, "[{\"a\": 1},\r\n ]"),
    (
      .yaml,
      "\u{FEFF}# \u{E9}\r\n- a: \"\u{1F600}\"\r\n  b: |\r\n    x\r\n    y\r\n- &a {c: [1, 2]}\n- *a\n- x\n- c: 1\n  c: 2\n...\n# end\n"
    ),
    (.yaml, "- a: 1\r\n- b: 'open\r\n- c: 2\r\n"),
    (.yaml, "- a: 1\n...\n# \u{E9}\n---\n- b\n"),
  ]

  @Test(arguments: samples)
  func `what stands before a bad end is read`(sample: (syntax: Syntax, text: String)) {
    let good = records(sample.text, sample.syntax)
    #expect(good.count > 1)
    let told = records(Array(sample.text.utf8) + [0x0A, 0xE2, 0x28], sample.syntax)
    #expect(told.first == good.first)
  }

  @Test(arguments: [Syntax.csv, .jsonLines, .json, .yaml])
  func `long lists are read`(syntax: Syntax) {
    let rows = 5000
    let text: String =
      switch syntax {
      case .json: "[" + (0..<rows).map { "{\"id\": \($0)}" }.joined(separator: ",\n") + "]"
      case .yaml: (0..<rows).map { "- id: \($0)\n" }.joined()
      case .csv, .tsv, .markdown, .vCard: "id\n" + (0..<rows).map { "\($0)\n" }.joined()
      case .jsonLines: (0..<rows).map { "{\"id\": \($0)}\n" }.joined()
      }
    var reader = RecordReader(Array(text.utf8), syntax: syntax, file: "file")
    var count = 0
    #expect(throws: Never.self) {
      while let record = try reader.next() {
        let number = syntax == .json || syntax == .jsonLines ? "#\(count)" : "\(count)"
        #expect(record.index == count)
        #expect(record.node.tree == "{id: \(number)}")
        #expect(record.node.position.line == count + (syntax == .csv ? 2 : 1))
        count += 1
      }
    }
    #expect(count == rows)
  }

  @Test(arguments: [Syntax.csv, .jsonLines, .json, .yaml])
  func `the caps on records, bytes and values hold`(syntax: Syntax) {
    let text: String =
      switch syntax {
      case .csv, .tsv, .markdown, .vCard: "a\n1\n2\n3\n"
      case .jsonLines: "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n"
      case .json: "[{\"a\":1},\n{\"a\":2},\n{\"a\":3}]"
      case .yaml: "- a: 1\n- a: 2\n- a: 3\n"
      }
    var limits = DocumentLimits()
    limits.records = 2
    let told = records(text, syntax, limits: limits)
    #expect(told.count == 3)
    #expect(told.last?.hasPrefix("throws list-too-long \(syntax == .csv ? 4 : 3):") == true)

    limits = DocumentLimits()
    limits.listBytes = text.utf8.count - 1
    #expect(
      records(text, syntax, limits: limits).last?.hasPrefix("throws document-too-large") == true)
    limits.listBytes = text.utf8.count
    #expect(records(text, syntax, limits: limits).count == 3)
  }

  @Test(arguments: [
    (Syntax.csv, "a\nx\n\(String(repeating: "y", count: 5000))\n", 3),
    (.csv, "a\nx\n\"\(String(repeating: "y\n", count: 5000))", 3),
    (.jsonLines, "{}\n{\"a\": \(String(repeating: " ", count: 5000))1}\n", 2),
    (.json, "[{},\n{\"a\": \(String(repeating: " ", count: 5000))1}]", 2),
    (.json, "[{},\n\"\(String(repeating: "x", count: 5000))", 2),
    (.yaml, "- {}\n- {a: \"\(String(repeating: "x", count: 50_000))\"}\n", 1),
  ])
  func `the cap on one record holds`(syntax: Syntax, text: String, line: Int) {
    var limits = DocumentLimits()
    limits.recordBytes = 1000
    let told = records(text, syntax, limits: limits)
    let isOpenQuote = syntax == .csv && text.contains("\"")
    let last = isOpenQuote ? told.dropFirst().first : told.last
    let expected = isOpenQuote ? "1 broken csv-quote-open 3:1" : "throws record-too-long \(line):"
    #expect(last?.hasPrefix(expected) == true)
  }

  @Test(arguments: ["{\"a\": 12}\r{}\n", "{\"a\": 12}\r\n{}\n", "{}\n{\"a\": 123}"])
  func `a record with its line end may be as long as the cap`(text: String) {
    var limits = DocumentLimits()
    limits.recordBytes = 10
    let told = records(text, .jsonLines, limits: limits)
    #expect(told.count == 2)
    #expect(told.allSatisfy { !$0.contains("-") })
  }

  @Test func `the budget for values counts for each record anew`() {
    var limits = DocumentLimits()
    limits.recordNodes = 4
    let good = "{\"a\": 1, \"b\": 2, \"c\": 3}"
    let bad = "{\"a\": 1, \"b\": [2, 3]}"
    #expect(
      records("\(good)\n\(bad)\n\(good)", .jsonLines, limits: limits) == [
        "0 {a: #1, b: #2, c: #3}", "1 broken document-too-many-values 2:19",
        "2 {a: #1, b: #2, c: #3}",
      ])
    for (text, syntax) in [
      ("[\(good), \(good), \(bad)]", Syntax.json), ("- \(good)\n- \(good)\n- \(bad)", .yaml),
    ] {
      let told = records(text, syntax, limits: limits)
      #expect(told.count == 3)
      #expect(told.last?.hasPrefix("throws document-too-many-values") == true)
    }
  }
}
