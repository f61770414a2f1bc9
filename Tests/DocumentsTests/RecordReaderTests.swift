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
  func `broken JSON and YAML are refused where they break`(
    syntax: Syntax, text: String, fault: String
  ) {
    let found = records(text, syntax)
    #expect(found.count == 1)
    #expect(found.last?.hasPrefix("throws \(fault) ") == true)
  }

  @Test func `after an error there is nothing more`() throws {
    var limits = DocumentLimits()
    limits.records = 1
    var reader = RecordReader(
      Array("[{}, {}, {}]".utf8), syntax: .json, file: "file", limits: limits)
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

  @Test(arguments: [Syntax.csv, .jsonLines, .json, .yaml])
  func `long lists are read`(syntax: Syntax) {
    let rows = 5000
    let text: String =
      switch syntax {
      case .json: "[" + (0..<rows).map { "{\"id\": \($0)}" }.joined(separator: ",\n") + "]"
      case .yaml: (0..<rows).map { "- id: \($0)\n" }.joined()
      case .csv, .tsv, .toml, .markdown, .vCard, .xlsx:
        "id\n" + (0..<rows).map { "\($0)\n" }.joined()
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
      case .csv, .tsv, .toml, .markdown, .vCard, .xlsx: "a\n1\n2\n3\n"
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

    // A table and JSON Lines are read one record at a time.
    limits.nodes = syntax == .json || syntax == .yaml ? 6 : 0
    let value = records(text, syntax, limits: limits).last
    #expect(value?.contains("document-too-many-values") == true)
  }
}
