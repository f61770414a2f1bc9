import Bytes
import Diagnostics

struct SourceText: Sendable {
  let file: String
  let bytes: [UInt8]

  init(_ bytes: [UInt8], file: String) throws(Diagnostic) {
    self.file = file
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    guard self.bytes.count <= Limits.bytes else {
      throw Diagnostic(
        .error, .templateTooLarge,
        "the template is \(self.bytes.count) bytes long; the limit is \(Limits.bytes)",
        at: FileLocation(file: file), help: "move the data into the manifest")
    }
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: self.bytes.span)
    } catch {
      throw self.error(
        .templateNotUTF8, "these bytes are not valid UTF-8", at: error.byteOffsets.lowerBound,
        help: "save the file as UTF-8")
    }
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  func location(of offset: Int) -> FileLocation {
    var line = 1
    var start = 0
    for index in 0..<offset where bytes[index] == Byte.newline {
      line += 1
      start = index + 1
    }
    let column = text(start..<offset).unicodeScalars.count + 1
    return FileLocation(file: file, position: Position(line: line, column: column))
  }

  func error(
    _ id: DiagnosticID, _ message: String, at offset: Int, note: String? = nil,
    help: String? = nil
  ) -> Diagnostic {
    Diagnostic(.error, id, message, at: location(of: offset), note: note, help: help)
  }
}

enum Byte {
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")

  static func isSpace(_ byte: UInt8) -> Bool {
    byte.isASCIISpace || byte == 0x0B || byte == 0x0C
  }
}

enum Limits {
  static let bytes = 4 << 20
  static let delimiter = 16
  static let nesting = 128
  /// The maximum depth of nested sections, partials, parents and blocks during rendering.
  static let levels = 256
}
