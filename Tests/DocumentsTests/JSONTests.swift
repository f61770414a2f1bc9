import Diagnostics
import Documents
import Testing

struct JSONTests {
  @Test(arguments: [
    ("{}", "{}"), ("[]", "[]"), (" [ ] ", "[]"), ("\t{\r\n}\n", "{}"), ("\"\"", "\"\""),
    ("\"a\"", "\"a\""), ("true", "!true"), ("false", "!false"), ("null", "~"),
    ("[true,false,null]", "[!true, !false, ~]"), ("0", "#0"), ("-0", "#-0"), ("-1", "#-1"),
    ("123", "#123"), ("1.5", "#1.5"), ("0.10", "#0.10"), ("1e5", "#1e5"), ("1E+5", "#1E+5"),
    ("1.5e-05", "#1.5e-05"), ("1e400", "#1e400"), ("9223372036854775808", "#9223372036854775808"),
    ("[1 , 2\n,3]", "[#1, #2, #3]"), (#"{"a":1,"b":[{"c":"d"}]}"#, #"{a: #1, b: [{c: "d"}]}"#),
    (#"{"":0}"#, "{: #0}"), (#"{"__proto__":{}}"#, "{__proto__: {}}"),
    (#"["\" \\ \/"]"#, #"["" \ /"]"#), (#"["\b\f\n\r\t"]"#, "[\"\u{8}\u{C}\n\r\t\"]"),
    (#"["\u0041\u00e9\u20AC"]"#, "[\"A\u{E9}\u{20AC}\"]"),
    (#"["\ud83d\ude00 \uD834\uDD1E"]"#, "[\"\u{1F600} \u{1D11E}\"]"),
    (#"["\u0000"]"#, "[\"\u{0}\"]"), (#"["\uFFFF"]"#, "[\"\u{FFFF}\"]"),
    ("[\"\u{7F}\u{2028}\u{FEFF}\"]", "[\"\u{7F}\u{2028}\u{FEFF}\"]"),
    ("[\"e\u{301} \u{1F468}\u{200D}\u{1F469}\"]", "[\"e\u{301} \u{1F468}\u{200D}\u{1F469}\"]"),
  ])
  func `valid JSON is read, and numbers are kept as written`(text: String, tree: String) {
    let reading = Reading(text, .json)
    #expect(reading.tree == tree)
    #expect(reading.faults == [])
  }

  /// M7: trailing commas, comments, NaN and other invalid JSON are refused at their position.
  ///
  /// The valid numbers 1e400, -0 and 2^63 stay as written (see the table of valid JSON).
  @Test(arguments: [
    ("[1,]", "json-trailing-comma 1:3"),
    ("[1,\n]", "json-trailing-comma 1:3"),
    ("{\"a\":1,}", "json-trailing-comma 1:7"),
    ("[,1]", "json-syntax 1:2"),
    ("[1,,2]", "json-syntax 1:4"),
    ("{,}", "json-syntax 1:2"),
    ("[1 2]", "json-syntax 1:4"),
    ("[\"a\" \"b\"]", "json-syntax 1:6"),
    ("[1:2]", "json-syntax 1:3"),
    ("[1}", "json-syntax 1:3"),
    ("{\"a\"]", "json-syntax 1:5"),
    ("{\"a\",1}", "json-syntax 1:5"),
    ("{\"a\":}", "json-syntax 1:6"),
    ("{1:1}", "json-syntax 1:2"),
    ("{\"a\":1 \"b\":2}", "json-syntax 1:8"),
    ("]", "json-syntax 1:1"),
    ("// c\n1", "json-comment 1:1"),
    ("[1 /* c */]", "json-comment 1:4"),
    ("[1] # c", "json-trailing-text 1:5"),
    ("{'a':1}", "json-string 1:2"),
    ("{a:1}", "json-word 1:2"),
    ("[NaN]", "json-word 1:2"),
    ("[-NaN]", "json-number 1:2"),
    ("[Infinity]", "json-word 1:2"),
    ("[-Infinity]", "json-number 1:2"),
    ("[True]", "json-word 1:2"),
    ("[tru]", "json-word 1:2"),
    ("[truee]", "json-word 1:2"),
    ("[nul", "json-word 1:2"),
    ("undefined", "json-word 1:1"),
    ("[\u{E9}]", "json-word 1:2"),
    ("[01]", "json-number 1:2"),
    ("[-01]", "json-number 1:2"),
    ("[00]", "json-number 1:2"),
    ("[-]", "json-number 1:2"),
    ("[--1]", "json-number 1:2"),
    ("[+1]", "json-number 1:2"),
    ("[.5]", "json-number 1:2"),
    ("[1.]", "json-number 1:2"),
    ("[1.e5]", "json-number 1:2"),
    ("[1e]", "json-number 1:2"),
    ("[1e+]", "json-number 1:2"),
    ("[1.2.3]", "json-number 1:2"),
    ("[0x10]", "json-number 1:2"),
    ("[1_000]", "json-number 1:2"),
    ("[1a]", "json-number 1:2"),
    ("\"a\tb\"", "json-string 1:3"),
    ("[\"a\nb\"]", "json-string 1:4"),
    (#""\x""#, "json-escape 1:2"),
    (#""\'""#, "json-escape 1:2"),
    (#""\U0041""#, "json-escape 1:2"),
    (#""\u12g4""#, "json-escape 1:2"),
    (#""\u12""#, "json-escape 1:2"),
    (#""\ud800""#, "json-surrogate 1:2"),
    (#""ab\udc00""#, "json-surrogate 1:4"),
    (#""\ud800\u0041""#, "json-surrogate 1:2"),
    (#""\ud800\ud800""#, "json-surrogate 1:2"),
    (#""\ud800x""#, "json-surrogate 1:2"),
    (#""\ude00\ud83d""#, "json-surrogate 1:2"),
    ("1 2", "json-trailing-text 1:3"),
    ("[1]]", "json-trailing-text 1:4"),
    ("{} \n x", "json-trailing-text 2:2"),
    ("{", "json-unfinished 1:2"),
    ("[1", "json-unfinished 1:3"),
    ("[1,", "json-unfinished 1:4"),
    ("{\"a\"", "json-unfinished 1:5"),
    ("{\"a\":", "json-unfinished 1:6"),
    ("-", "json-number 1:1"),
    ("[\n  \"abc", "json-unfinished 2:3"),
    (#"[ "abc\"#, "json-unfinished 1:3"),
    (#"[ "abc\u00"#, "json-unfinished 1:3"),
    (" \n ", "document-empty 1:1"),
  ])
  func `invalid JSON is rejected with the position of the error`(text: String, fault: String) {
    let reading = Reading(text, .json)
    #expect(reading.faults == [fault])
    #expect(reading.tree == "-")
  }

  /// M7: all duplicate keys are reported with both positions, and the first one wins.
  @Test func `a duplicate JSON key is reported with the first key's position`() throws {
    let text = #"{"a": 1, "b": {"c": 1, "c": 2}, "# + "\n" + #" "a": 2, "\u0061": 3}"#
    let document = try Document(reading: Array(text.utf8), syntax: .json, file: "file")
    #expect(document.root.tree == "{a: #1, b: {c: #1}}")
    #expect(
      document.problems.map(\.fault) == [
        "duplicate-key 1:24", "duplicate-key 2:2", "duplicate-key 2:10",
      ])
    #expect(
      document.problems.map(\.note) == [
        "the first one is at 1:16", "the first one is at 1:2", "the first one is at 1:2",
      ])
  }

  @Test func `duplicate keys are found among a thousand keys`() {
    let keys = (0..<1000).map { "\"k\($0)\": 0" } + ["\"k7\": 1", "\"k999\": 1"]
    let reading = Reading("{" + keys.joined(separator: ",\n") + "}", .json)
    #expect(reading.faults == ["duplicate-key 1001:1", "duplicate-key 1002:1"])
  }

  @Test func `JSON positions count characters, not bytes`() throws {
    let text =
      "\u{FEFF}{\"\u{E9}\u{1F600}\": [1,\t\"\u{E9}\",\r\n {\"b\" :null}],\r\"c\":\n\n true}"
    let document = try Document(reading: Array(text.utf8), syntax: .json, file: "file")
    #expect(
      document.root.positions == [
        "{} 1:1", "\u{E9}\u{1F600}: 1:2", "[] 1:8", "1 1:9", "\u{E9} 1:12", "{} 2:2", "b: 2:3",
        "null 2:8", "c: 3:1", "true 5:2",
      ])
  }

  @Test func `an error message names the expected and the actual token`() {
    let error = #expect(throws: Diagnostic.self) {
      try Document(reading: Array("{\n  \"a\": yes\n}".utf8), syntax: .json, file: "m.json")
    }
    #expect(
      error
        == Diagnostic(
          .error, .jsonWord, "expected a value, but found the word `yes`",
          at: FileLocation(file: "m.json", position: Position(line: 2, column: 8)),
          help: "put text in double quotes; the only words allowed are `true`, `false` and `null`"))
  }
}
