import Diagnostics
import Documents
import TestSupport

struct HostileTests {
  /// About 2 KB of YAML with every feature of a manifest.
  private static let yaml =
    "\u{FEFF}%YAML 1.1\n---\n# \u{E9}\u{1F600}\nversion: 1\nsite: {title: \"The \\u00e9 \\\"team\\\"\", language: 'it''s'}\n"
    + "base: &base\n  size: 64\n  scales: [1, 2, 3]\n  focus: [50%, 40%]\r\n"
    + "text: |+\n  one\n   two\n\n  three \u{4E2D}\u{6587}\nfold: >-\n  a\n  b\n\n"
    + "avatars:\n- *base\n- &second {name: round, size: [64, 48], border: {width: 2, color: \"#fff\"}}\n"
    + "- ? name\n  : *base\n- [*second, {a: [b, [c, {d: e}]]}]\nusers:\n"
    + (0..<12).map {
      "  - id: user\($0)\n    name: Zo\u{EB} \u{1F468}\u{200D}\u{1F469} \($0)\n    avatar: [a/\($0).jpg, 'gravatar:x@y.z']\n    tags:\n    - \"t\\n\"\n"
    }.joined()
    + "...\n# end\n"

  private static let json =
    "{\"version\": 1, \"site\": {\"title\": \"The \\u00e9 \\\"team\\\" \\ud83d\\ude00\"},\r\n"
    + "\"avatars\": [{\"size\": 64.5e-1, \"opaque\": false, \"radius\": null, \"a\": true}],\n\"users\": [\n"
    + (0..<24).map {
      "  {\"id\": \"user\($0)\", \"name\": \"Zo\u{EB} \u{1F468}\u{200D}\u{1F469}\", \"tags\": [[], {}, -0, \($0)]}"
    }.joined(separator: ",\n") + "\n]}"

  private static let csv =
    "\u{FEFF}id,name,\"ti\"\"tle\"\r\n"
    + (0..<48).map { "user\($0),\"Zo\u{EB} \u{1F468}\u{200D}\u{1F469}, \"\"x\"\"\n\($0)\",\r\n\n" }
    .joined()

  private static let jsonLines =
    (0..<48).map {
      "{\"id\": \"user\($0)\", \"name\": \"Zo\u{EB} \\ud83d\\ude00\", \"a\": [1.5]}\r\n"
    }
    .joined()

  private static let toml =
    "\u{FEFF}# \u{E9}\u{1F600}\r\ntitle = \"The \\u00e9 \\\"team\\\" \\U0001F600\"\nsite.\"a b\".c = { x = 1, y.z = [1, 2] }\n"
    + "text = \"\"\"\n  one \\\n  two\"\"\"\nraw = '''it's'''\nn = [0xF_F, -1_0.5e-1, inf, 07:32:00]\n"
    + (0..<24).map {
      "[[users]]\r\nid = 'user\($0)' # x\nname = \"Zo\u{EB} \u{1F468}\u{200D}\u{1F469}\"\nsince = 1979-05-27 07:32:00Z\n[users.links]\n"
    }.joined()

  private static let cards =
    "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Zo\u{EB}\r\nPHOTO;ENCODING=b;TYPE=\"JPEG\":AAAA\r\n BB=\\,\r\n"
    + "item1.URL;X=\"a:b\":https\\://x\r\nN;ENCODING=QUOTED-PRINTABLE:=C3=A9=\r\n;x\r\nEND:VCARD\r\n"
    + "BEGIN:VCARD\nFN:B\nCATEGORIES:a,b\nEND:VCARD\n"

  private static let page = "\u{FEFF}---\r\nname: \"Zo\u{EB}\"\r\ntags:\r\n  - a\r\n---\r\ntext\r\n"

  /// M5: a text cut at any byte is read, or refused at a position inside the text.
  @Test(arguments: [
    (Syntax.yaml, yaml), (.json, json), (.toml, toml), (.csv, csv), (.jsonLines, jsonLines),
  ])
  func `truncation at any byte does not crash the reader`(syntax: Syntax, text: String) throws {
    let bytes = Array(text.utf8)
    #expect(bytes.count > 1500)
    #expect(Reading(bytes: bytes, syntax).faults == [])
    let lines = 1 + text.unicodeScalars.count { $0 == "\n" }
    for count in 0..<bytes.count {
      let cut = Array(bytes[..<count])
      do throws(Diagnostic) {
        let document = try readAll(cut, syntax)
        // A JSON object is complete only with its last brace.
        #expect(syntax != .json)
        for problem in document.problems { #expect(isInside(problem.position, lines: lines)) }
      } catch {
        #expect(isInside(error.position, lines: lines))
      }
    }
  }

  /// M5: a text with any damaged byte is read or refused, without a crash.
  @Test(
    arguments: [
      (Syntax.yaml, yaml), (.json, json), (.toml, toml), (.csv, csv), (.jsonLines, jsonLines),
      (.vCard, cards), (.markdown, page),
    ],
    [0x0A, 0x22, 0x3A, 0x3D, 0x5B, 0x5C, 0x7D, 0xF0] as [UInt8])
  func `the reader survives damaged bytes`(sample: (syntax: Syntax, text: String), byte: UInt8) {
    let bytes = Array(sample.text.utf8)
    let lines = 2 + sample.text.unicodeScalars.count { $0 == "\n" }
    // In CI, each byte value starts at a different offset.
    let step = Extent.isAll ? 1 : 18
    for offset in stride(from: Int(byte) % step, to: bytes.count, by: step) {
      var damaged = bytes
      damaged[offset] = byte
      do throws(Diagnostic) {
        _ = try readAll(damaged, sample.syntax)
      } catch {
        #expect(isInside(error.position, lines: lines))
      }
    }
  }

  private func isInside(_ position: Position?, lines: Int) -> Bool {
    guard let position else { return false }
    return 1...lines ~= position.line && position.column >= 1
  }

  /// M4: nesting is refused at the level that exceeds the limit, however deep it goes.
  @Test(arguments: [33, 100, 511, 513, 100_000])
  func `nesting beyond the limit is rejected with its position`(depth: Int) {
    let open = String(repeating: "[", count: depth)
    let close = String(repeating: "]", count: depth)
    #expect(Reading(open + close, .json).faults == ["document-too-deep 1:33"])
    #expect(Reading(open, .json).faults == ["document-too-deep 1:33"])
    #expect(Reading(open + close, .yaml).faults == ["document-too-deep 1:33"])
    #expect(Reading(open, .yaml).faults == ["document-too-deep 1:33"])
    let objects = String(repeating: "{\"a\":", count: depth)
    #expect(Reading(objects, .json).faults == ["document-too-deep 1:161"])
    #expect(Reading(String(repeating: "{a: ", count: depth), .yaml).faults.count == 1)
    #expect(
      Reading(String(repeating: "- ", count: depth), .yaml).faults == ["document-too-deep 1:65"])
    #expect(Reading("a = " + open, .toml).faults == ["document-too-deep 1:36"])
    #expect(Reading(open, .jsonLines).faults == ["document-too-deep 1:33"])
  }

  /// M4: 32 levels of nesting are accepted.
  @Test(arguments: [Syntax.json, .yaml])
  func `nesting up to the limit is accepted`(syntax: Syntax) {
    let text = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    #expect(Reading(text, syntax).tree == text)
  }

  @Test func `a billion laughs attack hits the copy limit`() {
    var text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1...20 {
      let alias = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(alias)]\n"
    }
    // Levels 1 to 5 copy 672,588 values; the first alias at level 6 would copy 597,871 more.
    #expect(Reading(text, .yaml).faults == ["yaml-alias-too-many-copies 7:10"])
    var limits = DocumentLimits()
    limits.copiedNodes = 90
    #expect(Reading(text, .yaml, limits: limits).faults == ["yaml-alias-too-many-copies 3:10"])
  }

  @Test func `alias copies count towards the value limit`() {
    var limits = DocumentLimits()
    limits.nodes = 12
    let text = "- &a [1, 2]\n- *a\n- *a\n"
    #expect(Reading(text, .yaml, limits: limits).faults == [])
    limits.nodes = 9
    #expect(Reading(text, .yaml, limits: limits).faults == ["document-too-many-values 3:3"])
  }

  @Test func `thousands of directives are rejected before libyaml reads them`() {
    let text = (0..<200_000).map { "%TAG !a\($0)! tag:x\n" }.joined()
    #expect(Reading(text + "---\na: 1", .yaml).faults == ["yaml-directive 1:1"])
    #expect(Reading("a: 1\n...\n" + text, .yaml).faults == ["yaml-directive 3:1"])
  }

  @Test(arguments: [Syntax.json, .yaml])
  func `the value limit is enforced`(syntax: Syntax) {
    var limits = DocumentLimits()
    limits.nodes = 4
    #expect(Reading("[1, 2, {}]", syntax, limits: limits).faults == [])
    #expect(
      Reading("[1, 2, {}, 3]", syntax, limits: limits).faults == ["document-too-many-values 1:12"])
  }

  @Test(arguments: [Syntax.json, .yaml, .csv, .jsonLines])
  func `the text length limit is higher for data URLs`(syntax: Syntax) {
    var limits = DocumentLimits()
    limits.scalarBytes = 8
    limits.dataScalarBytes = 12
    func faults(_ value: String) -> [String] {
      let text =
        switch syntax {
        case .csv, .tsv: "abcd\n\(value)\n"
        default: "{\"a\": \"\(value)\"}"
        }
      return Reading(text, syntax, limits: limits).faults
    }
    let position = syntax == .csv ? "2:1" : "1:7"
    #expect(faults("12345678") == [])
    #expect(faults("123456789") == ["scalar-too-long \(position)"])
    #expect(faults("1234567\u{E9}") == ["scalar-too-long \(position)"])
    #expect(faults("data:6789012") == [])
    #expect(faults("data:67890123") == ["scalar-too-long \(position)"])
  }

  @Test func `the text length limit applies to keys, numbers and escapes`() {
    var limits = DocumentLimits()
    limits.scalarBytes = 4
    #expect(Reading("{\"abcde\": 1}", .json, limits: limits).faults == ["scalar-too-long 1:2"])
    #expect(Reading("{abcde: 1}", .yaml, limits: limits).faults == ["scalar-too-long 1:2"])
    #expect(Reading("[12345]", .json, limits: limits).faults == ["scalar-too-long 1:2"])
    #expect(Reading(#"["\u0041\u0041\u0041\u0041"]"#, .json, limits: limits).faults == [])
    #expect(Reading(#"["\nabcd"]"#, .json, limits: limits).faults == ["scalar-too-long 1:2"])
  }

  @Test func `problems beyond the limit are dropped`() {
    var limits = DocumentLimits()
    limits.problems = 2
    let text = "{\"a\": 0" + String(repeating: ", \"a\": 0", count: 5) + "}"
    #expect(
      Reading(text, .json, limits: limits).faults == ["duplicate-key 1:10", "duplicate-key 1:18"])
  }
}
