import Diagnostics
import Documents
import Testing

struct TOMLTests {
  @Test(arguments: [
    ("a = 1 # one\r\n\n\"b c\" = 'x'\n", "{a: #1, b c: \"x\"}"),
    ("a.b.c = true\na.d = false\n", "{a: {b: {c: !true}, d: !false}}"),
    ("a = [ 1, # one\n  [2, 'x'],\n]", "{a: [#1, [#2, \"x\"]]}"),
    ("a = { b = 1, c.d = \"x\" }", "{a: {b: #1, c: {d: \"x\"}}}"),
    ("a = [{}, {b = []}]", "{a: [{}, {b: []}]}"),
    (
      "[a]\nx = 1\n[a.b]\ny = 2\n[c.d]\nz = 3\n[c]\nw = 4",
      "{a: {x: #1, b: {y: #2}}, c: {d: {z: #3}, w: #4}}"
    ),
    (
      "[[p]]\nn = 1\n[p.q]\nm = 1\n[[p]]\nn = 2\n[[p.r]]\n",
      "{p: [{n: #1, q: {m: #1}}, {n: #2, r: [{}]}]}"
    ),
    ("a = \"\\u00E9\\U0001F600\\t\\\"\\\\\"", "{a: \"\u{E9}\u{1F600}\t\"\\\"}"),
    ("a = \"\"\"\nx\r\n  y \\\n   \n  z\"\"\"\"\"", "{a: \"x\n  y z\"\"\"}"),
    ("a = '''\n'x'\\'''", "{a: \"'x'\\\"}"),
    (
      "a = [+1_000, -0, 0xFF, 0o17, 0b101, 1.5e+3, 6e-1_0]",
      "{a: [#1000, #-0, #255, #15, #5, #1.5e+3, #6e-10]}"
    ),
    ("a = [inf, -nan]", "{a: [#inf, #-nan]}"),
    (
      "a = [1979-05-27, 07:32:00.5, 1979-05-27 07:32:00Z, 2024-02-29t23:59:60-07:00]",
      "{a: [\"1979-05-27\", \"07:32:00.5\", \"1979-05-27 07:32:00Z\", \"2024-02-29t23:59:60-07:00\"]}"
    ),
  ])
  func `TOML dates stay text, and numbers are converted to decimal`(text: String, tree: String) {
    let reading = Reading(text, .toml)
    #expect(reading.tree == tree)
    #expect(reading.faults == [])
  }

  @Test(arguments: [
    ("", "document-empty 1:1"), ("# x\n", "document-empty 1:1"), ("a", "toml-syntax 1:2"),
    ("a = ", "toml-syntax 1:5"), ("a = x", "toml-syntax 1:5"), ("= 1", "toml-syntax 1:1"),
    ("\u{E9} = 1", "toml-syntax 1:1"), ("a = 1 b = 2", "toml-syntax 1:7"),
    ("a = \"\u{E9}\" \"", "toml-syntax 1:9"), ("a = \"x\ny\"", "toml-syntax 1:5"),
    ("a = '''x''", "toml-syntax 1:5"), ("a = \"x\\q\"", "toml-syntax 1:7"),
    ("a = \"\\uD800\"", "toml-syntax 1:6"), ("a = \"\\u12\"", "toml-syntax 1:6"),
    ("a = 01", "toml-syntax 1:5"), ("a = 1__0", "toml-syntax 1:5"), ("a = .5", "toml-syntax 1:5"),
    ("a = 0x", "toml-syntax 1:5"), ("a = [1 2]", "toml-syntax 1:8"),
    ("a = {b = 1,}", "toml-syntax 1:12"), ("a = {b = 1\n}", "toml-syntax 1:11"),
    ("[a", "toml-syntax 1:3"), ("[[a]\n", "toml-syntax 1:5"), ("[]", "toml-syntax 1:2"),
    ("a = 1\na = 2", "duplicate-key 2:1"), ("[a]\n[a]", "duplicate-key 2:2"),
    ("a = 1\n[a.b]", "duplicate-key 2:2"), ("a.b = 1\n[a]", "duplicate-key 2:2"),
    ("[a.b]\n[a]\nb.c = 1", "duplicate-key 3:1"), ("a = {}\na.b = 1", "duplicate-key 2:1"),
    ("a = []\n[[a]]", "duplicate-key 2:3"), ("[[a]]\n[a]", "duplicate-key 2:2"),
    ("a = 1\rb = 2", "text-control-character 1:6"), ("a = '\u{7F}'", "text-control-character 1:6"),
  ])
  func `invalid TOML is rejected with the position of the error`(text: String, fault: String) {
    let reading = Reading(text, .toml)
    #expect(reading.faults == [fault])
    #expect(reading.tree == "-")
  }

  @Test func `TOML positions count characters, not bytes`() throws {
    let text =
      "\u{FEFF}# \u{E9}\r\n\"\u{E9}\u{1F600}\".b = [1,\n '\u{E9}', 2]\n\n[[p]]\r\n  n = \"\"\"\nx\"\"\"\n[[p]]\nn = { m = 1 }\n"
    let document = try Document(reading: Array(text.utf8), syntax: .toml, file: "file")
    #expect(
      document.root.positions == [
        "{} 1:1", "\u{E9}\u{1F600}: 2:1", "{} 2:1", "b: 2:6", "[] 2:10", "1 2:11", "\u{E9} 3:2",
        "2 3:7", "p: 5:3", "[] 5:1", "{} 5:1", "n: 6:3", "x 6:7", "{} 8:1", "n: 9:1", "{} 9:5",
        "m: 9:7", "1 9:11",
      ])
  }

  @Test func `the document limits apply to TOML`() {
    var limits = DocumentLimits()
    (limits.nodes, limits.depth, limits.scalarBytes) = (4, 2, 4)
    #expect(Reading("a = [1, 2]\n", .toml, limits: limits).faults == [])
    #expect(
      Reading("a = [1, 2, 3]\nb = 4", .toml, limits: limits).faults == [
        "document-too-many-values 2:5"
      ])
    #expect(Reading("a = [[]]", .toml, limits: limits).faults == ["document-too-deep 1:6"])
    #expect(Reading("a.b.c = 1", .toml, limits: limits).faults == ["document-too-deep 1:3"])
    #expect(Reading("[a.b]", .toml, limits: limits).faults == ["document-too-deep 1:1"])
    for text in ["a = 'abcde'", "abcde = 1", "a = 12345", "a = \"\"\"abcde\"\"\""] {
      let position = text.hasPrefix("abcde") ? "1:1" : "1:5"
      #expect(Reading(text, .toml, limits: limits).faults == ["scalar-too-long \(position)"])
    }
  }
}
