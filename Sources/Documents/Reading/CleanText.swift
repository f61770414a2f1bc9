import Bytes
import Diagnostics

/// Validated UTF-8 text without a byte order mark.
///
/// Control characters are rejected, and so is invalid UTF-8 except in CSV and TSV files.
struct CleanText {
  let file: String
  let bytes: [UInt8]
  /// The index of a table's first invalid UTF-8 byte, and the code page that decodes such bytes.
  private(set) var windows: (start: Int, name: String)?

  init(_ raw: [UInt8], file: String, syntax: Syntax, limit: Int) throws(Diagnostic) {
    self.file = file
    guard raw.count <= limit else {
      throw Diagnostic(
        .documentTooLarge, "the file is larger than \(limit) bytes", file: file, at: nil,
        help: "split it; put long lists of users in a separate file")
    }
    var text = try Self.decoded(raw, file: file)
    if let index = Self.invalidByte(in: text) {
      guard syntax == .csv || syntax == .tsv else {
        throw Diagnostic(
          .textInvalidUTF8, "the byte 0x\(Hex.text(of: [text[index]], .upper)) is not valid UTF-8",
          file: file, at: Self.position(of: index, in: text), help: "save the file as UTF-8")
      }
      let page = WindowsText(of: text)
      windows = (index, page.rawValue)
      text = page.utf8(text)
    }
    for index in text.indices {
      // Some programs export a line break in a cell as a vertical tab.
      if text[index] == 0x0B, syntax == .csv || syntax == .tsv { text[index] = UInt8(ascii: " ") }
      guard let control = Self.control(text, at: index, syntax) else { continue }
      let name = control == 0 ? "NUL" : Hex.codePoint(control)
      throw Diagnostic(
        .textControlCharacter, "the control character \(name) is not allowed in text",
        file: file, at: Self.position(of: index, in: text),
        help: control == 0
          ? "remove it; if the file is full of NUL bytes, save it as UTF-8" : "remove it")
    }
    bytes = text
  }

  /// Converts text to UTF-8 without a byte order mark, but does not validate it.
  static func decoded(_ raw: [UInt8], file: String) throws(Diagnostic) -> [UInt8] {
    if raw.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(raw[3...]) }
    if raw.starts(with: [0xFF, 0xFE, 0, 0]) || raw.starts(with: [0, 0, 0xFE, 0xFF]) {
      throw Diagnostic(
        .textEncoding, "the file is in UTF-32, which is not supported", file: file,
        at: Position(line: 1, column: 1), help: "save it as UTF-8")
    }
    if raw.starts(with: [0xFF, 0xFE]) || raw.starts(with: [0xFE, 0xFF]) {
      // Spreadsheets may save UTF-16. Invalid and incomplete code units become U+FFFD.
      let (high, low) = raw[0] == 0xFF ? (1, 0) : (0, 1)
      var units = stride(from: 2, to: raw.count - 1, by: 2).map {
        UInt16(raw[$0 + high]) << 8 | UInt16(raw[$0 + low])
      }
      if !raw.count.isMultiple(of: 2) { units.append(0xFFFD) }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    }
    return raw
  }

  private static func invalidByte(in text: [UInt8]) -> Int? {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: text.span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }

  /// Returns the character at an index if it is a control character that the format forbids.
  private static func control(_ bytes: [UInt8], at index: Int, _ syntax: Syntax) -> UInt32? {
    switch bytes[index] {
    case Byte.carriageReturn where syntax == .toml && bytes.lineEnd(at: index) < index + 2: 0x0D
    case Byte.tab, Byte.newline, Byte.carriageReturn: nil
    case 0..<0x20: UInt32(bytes[index])
    case 0x7F where syntax == .yaml || syntax == .toml: 0x7F
    case 0xC2 where syntax == .yaml && bytes[index + 1] < 0xA0 && bytes[index + 1] != 0x85:
      UInt32(bytes[index + 1])
    case 0xEF where syntax == .yaml:
      switch (bytes[index + 1], bytes[index + 2]) {
      case (0xBB, 0xBF): 0xFEFF
      case (0xBF, 0xBE): 0xFFFE
      case (0xBF, 0xBF): 0xFFFF
      default: nil
      }
    default: nil
    }
  }

  private static func position(of index: Int, in text: [UInt8]) -> Position {
    var lines = TextLines(text)
    var line = 0..<0
    while lines.offset <= index, let next = lines.next() { line = next }
    let column = 1 + text[line.lowerBound..<index].count { !$0.isContinuation }
    return Position(line: lines.number, column: column)
  }
}

struct TextLines {
  private let bytes: [UInt8]
  private(set) var offset = 0
  private(set) var number = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Range<Int>? {
    guard offset < bytes.count else { return nil }
    let rest = bytes[offset...]
    let end = rest.firstIndex { $0 == Byte.newline || $0 == Byte.carriageReturn } ?? bytes.count
    offset = bytes.lineEnd(at: end)
    number += 1
    return rest.startIndex..<end
  }
}

extension [UInt8] {
  func lineEnd(at index: Int) -> Int {
    let isPair =
      index + 1 < count && self[index] == Byte.carriageReturn && self[index + 1] == Byte.newline
    return Swift.min(index + (isPair ? 2 : 1), count)
  }
}
