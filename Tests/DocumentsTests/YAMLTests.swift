import Diagnostics
import Documents
import Testing

struct YAMLTests {
  @Test(arguments: [
    ("a: 1", "{a: 1}"), ("id: 007\nlanguage: no\nx: ~", "{id: 007, language: no, x: ~}"),
    (
      "a: \"1\"\nb: '2'\nc: |\n  x\n  y\nd: >-\n  x\n  y",
      "{a: \"1\", b: \"2\", c: \"x\ny\n\", d: \"x y\"}"
    ),
    ("a:\nb: 1", "{a: , b: 1}"),
    ("color: #fff", "{color: }"),
    ("- a\n- [b, {c: d}]\n- {}", "[a, [b, {c: d}], {}]"),
    ("a:\n- b\n- c", "{a: [b, c]}"),
    ("? a\n: b", "{a: b}"),
    ("\"<<\": 1", "{<<: 1}"),
    ("a: <<", "{a: <<}"),
    ("__proto__: x", "{__proto__: x}"),
    ("---\na: 1\n...\n# end\n...\n", "{a: 1}"),
    ("# head\n%YAML 1.2\n# more\n---\na: 1", "{a: 1}"),
    ("text", "text"),
    ("a: \"\\u00e9 \\U0001F600\"", "{a: \"\u{E9} \u{1F600}\"}"),
  ])
  func `plain scalars keep their spelling, and quoted ones are marked`(text: String, tree: String) {
    let reading = Reading(text, .yaml)
    #expect(reading.tree == tree)
    #expect(reading.faults == [])
  }

  @Test(arguments: [
    ("a: &x 1\nb: *x", "{a: 1, b: 1}"),
    ("a: &x {b: [1]}\nc: *x\nd: [*x, *x]", "{a: {b: [1]}, c: {b: [1]}, d: [{b: [1]}, {b: [1]}]}"),
    ("a: &x 1\nb: &x 2\nc: *x", "{a: 1, b: 2, c: 2}"),
    ("- &a [&a 1, *a]\n- *a", "[[1, 1], 1]"),
    ("&k a: 1\nb: *k", "{a: 1, b: a}"),
    ("a: &x\nb: *x", "{a: , b: }"),
  ])
  func `an alias refers to the latest anchor with its name`(text: String, tree: String) {
    let reading = Reading(text, .yaml)
    #expect(reading.tree == tree)
    #expect(reading.faults == [])
  }

  @Test(arguments: [
    ("a: *b", "yaml-alias-undefined 1:4"), ("a: &b 1\nc:\n  - *d", "yaml-alias-undefined 3:5"),
    ("a: &b [*b]", "yaml-alias-cycle 1:8"), ("&a b:\n  c: {d: *e}\n", "yaml-alias-undefined 2:10"),
    ("a: &b\n  c: {d: *b}\n", "yaml-alias-cycle 2:10"), ("&r\na: *r", "yaml-alias-cycle 2:4"),
    ("a: !!str 1", "yaml-tag 1:4"), ("a: !foo 1", "yaml-tag 1:4"), ("a: ! 1", "yaml-tag 1:4"),
    ("a: !<tag:x> 1", "yaml-tag 1:4"), ("a: !!map {b: 1}", "yaml-tag 1:4"),
    ("a: !!seq\n- 1", "yaml-tag 1:4"), ("!!str a: 1", "yaml-tag 1:1"),
    ("a: !x!y 1", "yaml-tag 1:4"), ("a: !<", "yaml-tag 1:6"),
    ("b: &a {c: 1}\na:\n  <<: *a", "yaml-merge-key 3:3"), ("[a]: 1", "yaml-key 1:1"),
    ("{a: 1}: 1", "yaml-key 1:1"), ("? - a\n: 1", "yaml-key 1:3"),
    ("a: &a b\n*a : 1", "yaml-key 2:1"), ("a: 1\n---\nb: 2", "yaml-many-documents 2:1"),
    ("a: 1\n...\n---\nb: 2", "yaml-many-documents 3:1"),
    ("a: 1\n...\n%YAML 1.2\n---\nb: 2", "yaml-many-documents 3:1"),
    ("%TAG ! tag:x,2000:\n---\na: 1", "yaml-directive 1:1"),
    ("# c\n%YAML 1.1\n%FOO\n---\na: 1", "yaml-directive 3:1"),
    ("%YAML 2.0\n---\na: 1", "yaml-syntax 1:1"), ("%YAML 1.1\na: 1", "yaml-syntax 2:1"),
    ("{a: 1} b", "yaml-syntax 1:8"), ("a: 1\n...\nb", "yaml-syntax 3:1"),
    ("a: b: c", "yaml-syntax 1:5"), ("a: 1\n b: 2", "yaml-syntax 2:3"),
    ("a: 'x\nb: 1\n", "yaml-syntax 1:4"), ("a: \"\u{1F600}\" \"", "yaml-syntax 1:8"),
    ("\ta: 1", "yaml-syntax 1:1"), ("a: @x", "yaml-syntax 1:4"), ("a: [1, 2\n", "yaml-syntax 2:1"),
    ("- a\nb: 1", "yaml-syntax 2:1"), ("a: 1\n- b", "yaml-syntax 2:1"),
    ("a: \"\\q\"", "yaml-syntax 1:5"), ("a: ]", "yaml-syntax 1:4"), ("", "document-empty 1:1"),
    (" \n", "document-empty 1:1"), ("# only\n", "document-empty 1:1"),
    ("---\n", "document-empty 1:1"), ("---\n...\n", "document-empty 1:1"),
    ("%YAML 1.2\n---\n", "document-empty 1:1"),
  ])
  func `invalid or unsupported YAML is rejected with its position`(text: String, fault: String) {
    let reading = Reading(text, .yaml)
    #expect(reading.faults == [fault])
    #expect(reading.tree == "-")
  }

  @Test(arguments: ["a: !!str 1", "<<: 1", "a: *b", "a: b: c", "a: 'x", "\t- a", "[a]: 1"])
  func `every YAML error includes help`(text: String) {
    let error = #expect(throws: Diagnostic.self) {
      try Document(reading: Array(text.utf8), syntax: .yaml, file: "file")
    }
    #expect(error?.help?.isEmpty == false)
  }

  /// M7: all duplicate keys are reported with both positions, and the first one wins.
  @Test func `a duplicate YAML key is reported with the first key's position`() throws {
    let text = "a: 1\nb: {c: 1, 'c': 2}\na: 2\n\"a\": 3\n"
    let document = try Document(reading: Array(text.utf8), syntax: .yaml, file: "file")
    #expect(document.root.tree == "{a: 1, b: {c: 1}}")
    #expect(
      document.problems.map(\.fault) == [
        "duplicate-key 2:11", "duplicate-key 3:1", "duplicate-key 4:1",
      ])
    #expect(
      document.problems.map(\.note) == [
        "the first one is at 2:5", "the first one is at 1:1", "the first one is at 1:1",
      ])
  }

  @Test func `YAML positions count characters, not bytes`() throws {
    let text =
      "\u{FEFF}# \u{E9}\r\n\u{E9}\u{1F600}: \"\u{E9}\" # x\r\nb:\r  - [\u{4E2D}, d]\n\n"
      + "  - |\r\n    x\r\n    y\r\n  - e: &f\t1\nc: \"g\"\nd: h\n"
    let document = try Document(reading: Array(text.utf8), syntax: .yaml, file: "file")
    #expect(
      document.root.positions == [
        "{} 2:1", "\u{E9}\u{1F600}: 2:1", "\u{E9} 2:5", "b: 3:1", "[] 4:3", "[] 4:5",
        "\u{4E2D} 4:6", "d 4:9", "x\ny\n 6:5", "{} 9:5", "e: 9:5", "1 9:8", "c: 10:1", "g 10:4",
        "d: 11:1", "h 11:4",
      ])
  }

  @Test func `a copied node is at the alias's position, but its children keep their own`() throws {
    let text = "a: &x\n  b: 1\nc: *x\n"
    let document = try Document(reading: Array(text.utf8), syntax: .yaml, file: "file")
    #expect(
      document.root.positions == [
        "{} 1:1", "a: 1:1", "{} 1:4", "b: 2:3", "1 2:6", "c: 3:1", "{} 3:4", "b: 2:3", "1 2:6",
      ])
  }
}
