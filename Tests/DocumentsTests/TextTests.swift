import Diagnostics
import Documents
import Testing

struct TextTests {
  /// M6: a UTF-8 byte order mark is skipped and does not count as a character.
  @Test(arguments: [
    (Syntax.yaml, "a: 1", "{a: 1}"),
    (.json, "{\"a\": 1}", "{a: #1}"),
    (.toml, "a = 1", "{a: #1}"),
    (.csv, "a\n1", "[{a: 1}]"),
    (.tsv, "a\n1", "[{a: 1}]"),
    (.jsonLines, "{\"a\": 1}", "[{a: #1}]"),
  ])
  func `a UTF-8 byte order mark is skipped`(syntax: Syntax, text: String, tree: String) throws {
    let bytes = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
    let document = try readAll(bytes, syntax)
    #expect(document.root.tree == tree)
    #expect(document.root.position == Position(line: 1, column: 1))
  }

  /// M6: a UTF-32 byte order mark is refused, and the message names the encoding.
  @Test(
    arguments: Syntax.allCases.filter { $0 != .xlsx },
    [[0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61]] as [[UInt8]])
  func `a UTF-32 byte order mark is rejected`(syntax: Syntax, head: [UInt8]) {
    let error = #expect(throws: Diagnostic.self) {
      try readAll(head, syntax)
    }
    #expect(error?.fault == "text-encoding 1:1")
    #expect(error?.message == "the file is in UTF-32, which is not supported")
  }

  /// M5: invalid, overlong, surrogate and out-of-range sequences are refused with line and column.
  @Test(
    arguments: Syntax.allCases.filter { ![.csv, .tsv, .xlsx].contains($0) },
    [
      [0x80], [0xBF, 0x61], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE], [0xC3], [0xC3, 0x28],
      [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x28],
    ] as [[UInt8]])
  func `invalid UTF-8 is rejected with its position`(syntax: Syntax, sequence: [UInt8]) {
    let head =
      switch syntax {
      case .yaml: "a: 1\r\n\u{E9}: x"
      case .json: "[1,\r\n\"\u{E9}x "
      case .jsonLines: "{}\r\n{\"\u{E9}\""
      case .vCard: "BEGIN:VCARD\r\n\u{E9}"
      default: "---\r\n\u{E9}: x"
      }
    let column = 1 + head.unicodeScalars.reversed().prefix { $0 != "\n" }.count
    // Front matter is read up to its closing line.
    let end = syntax == .markdown ? "\n---\n" : ""
    let reading = Reading(bytes: Array(head.utf8) + sequence + Array(end.utf8), syntax)
    #expect(reading.faults == ["text-invalid-utf8 2:\(column)"])
  }

  /// Spreadsheets write Windows-1252 by default; a file may even mix it with UTF-8.
  @Test(arguments: [
    ([0x4A, 0xF6, 0x72, 0x67], "Jörg"), ([0x80, 0x9F, 0x81], "€Ÿ\u{FFFD}"), ([0xE9], "é"),
    ([0xC3, 0xA9, 0xE9], "éé"), ([0xE2, 0x82], "â‚"), ([0xF0, 0x9F, 0x98, 0x28], "ðŸ˜("),
    ([0xED, 0xA0, 0x80], "í\u{A0}€"), ([0x93, 0x61, 0x94, 0xFF], "“a”ÿ"),
  ])
  func `non-UTF-8 tables are read as Windows-1252`(cell: [UInt8], text: String) throws {
    for ending in [[], Array("\nx;b\n".utf8)] {
      let bytes = Array("a;b\nx;\u{E9}\nx;".utf8) + cell + ending
      var reader = try RecordReader(bytes, syntax: .csv, file: "file")
      var rows: [String] = []
      var reported: [String] = []
      while let record = try reader.next() {
        rows.append(record.node.tree)
        reported += record.problems.map { "\($0.severity.rawValue) \($0.fault)" }
      }
      #expect(rows.prefix(2) == ["{a: x, b: é}", "{a: x, b: \(text)}"])
      #expect(reported == ["warning text-encoding 3:1"])
    }
  }

  @Test(arguments: [
    ([0x4D, 0x61, 0xB3, 0x61, 0xB9, 0x61], "Małaąa", "Windows-1250"),
    ([0x6C, 0xB9, 0x74], "l¹t", "Windows-1252"),
    ([0xF8, 0x9E, 0xEC, 0x88], "řžě\u{FFFD}", "Windows-1250"),
    ([0xF8, 0xEC], "øì", "Windows-1252"),
    ([0x61, 0xBF, 0x61, 0xBF, 0x61, 0xE5], "a¿a¿aå", "Windows-1252"),
    ([0x45, 0xB3, 0x4C, 0xB3, 0x4C], "E³L³L", "Windows-1252"),
    ([0x35, 0xB3, 0x20, 0xBF, 0x51], "5³ ¿Q", "Windows-1252"),
  ])
  func `Central European tables are read as Windows-1250`(
    cell: [UInt8], text: String, page: String
  ) throws {
    var reader = try RecordReader(Array("a;b\nx;".utf8) + cell, syntax: .csv, file: "file")
    let record = try #require(try reader.next())
    #expect(record.node.tree == "{a: x, b: \(text)}")
    #expect(record.problems.map(\.message) == ["the table is not UTF-8, so it was read as \(page)"])
  }

  /// M5: NUL and other unescaped control characters are refused with line and column.
  @Test(
    arguments: Syntax.allCases.filter { $0 != .markdown && $0 != .xlsx },
    [0x00, 0x01, 0x08, 0x0B, 0x0C, 0x0E, 0x1B, 0x1F] as [UInt8])
  func `raw control characters are rejected with their position`(syntax: Syntax, control: UInt8) {
    let reading = Reading(bytes: Array("\n\u{E9}".utf8) + [control] + Array("\n".utf8), syntax)
    // In a table, a vertical tab is a line break within a cell.
    let isBreak = control == 0x0B && [.csv, .tsv].contains(syntax)
    #expect(reading.faults == (isBreak ? [] : ["text-control-character 2:2"]))
  }

  @Test(arguments: ["\u{7F}", "\u{80}", "\u{9F}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}"])
  func `characters forbidden in YAML are rejected with their position`(character: String) {
    #expect(Reading("a:\n  - '\(character)'", .yaml).faults == ["text-control-character 2:6"])
    #expect(Reading("[\n  \"\(character)\"]", .json).faults == [])
  }

  /// Part of M1; other tests cover missing files.
  @Test(arguments: Syntax.allCases)
  func `an empty or one-byte file is either read or rejected`(syntax: Syntax) {
    let faults = Reading("", syntax).faults
    // An empty JSON Lines file is an empty list. The other formats need some text.
    let fault = syntax == .markdown ? "front-matter 1:1" : "document-empty 1:1"
    #expect(faults == (syntax == .jsonLines ? [] : [fault]))
    for byte in UInt8.min...UInt8.max {
      let reading = Reading(bytes: [byte], syntax)
      #expect(reading.tree != "-" || reading.faults.count == 1)
    }
  }

  /// Part of M2; the file reader enforces the same limit.
  @Test(arguments: [
    (Syntax.yaml, "a: 12345"), (.json, "[1, 2, 3, 4]"), (.toml, "a = 12345"),
    (.csv, "a\n1\n2\n3\n4\n"),
    (.jsonLines, "{}\n{}\n{}\n"),
  ])
  func `the byte limit is enforced`(syntax: Syntax, text: String) {
    var limits = DocumentLimits()
    limits.bytes = text.utf8.count
    #expect(Reading(text, syntax, limits: limits).faults == [])
    limits.bytes -= 1
    #expect(Reading(text, syntax, limits: limits).faults == ["document-too-large"])
  }
}
