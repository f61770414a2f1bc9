import Bytes
import Diagnostics

/// A text in memory, and how far it is read: clean UTF-8 without its byte order mark.
///
/// An error in the text, or too much text, is thrown only after the bytes before it are used.
struct TextWindow {
  let file: String
  private(set) var bytes: [UInt8] = []
  /// The first byte that is still needed.
  private(set) var start = 0
  /// The position of `bytes[start]` in the text.
  private(set) var cursor = TextCursor()
  /// The first byte that was read as Windows-1252, since it cannot be UTF-8; tables of spreadsheets
  /// may be written so.
  private(set) var windowsStart: Int?
  private let byteLimit: Int
  private var obstacle: Obstacle?

  private enum Obstacle {
    case unclean(TextValidator.Verdict)
    case encoding
    case tooLarge
  }

  init(_ text: [UInt8], file: String, syntax: Syntax, byteLimit: Int) {
    self.file = file
    self.byteLimit = byteLimit
    var text = text
    if text.count > byteLimit {
      text.removeLast(text.count - byteLimit)
      obstacle = .tooLarge
    }
    if text.starts(with: [0xEF, 0xBB, 0xBF]) {
      text.removeFirst(3)
    } else if text.starts(with: [0xFF, 0xFE, 0, 0]) || text.starts(with: [0, 0, 0xFE, 0xFF]) {
      obstacle = .encoding
      return
    } else if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) {
      text = UTF16Text.utf8(text[2...], isLittleEndian: text[0] == 0xFF)
    }
    let validator = TextValidator(isYAML: syntax == .yaml)
    var (clean, verdict) = validator.check(text)
    if syntax == .csv || syntax == .tsv, verdict.isBroken(atEnd: isComplete) {
      windowsStart = clean
      text = WindowsText.utf8(text)
      (clean, verdict) = validator.check(text)
    }
    switch verdict {
    case .clean: break
    case .partial where isComplete: obstacle = .unclean(.invalidUTF8(text[clean]))
    case .partial: break
    case .control, .invalidUTF8: obstacle = .unclean(verdict)
    }
    text.removeLast(text.count - clean)
    bytes = text
  }

  /// Whether `bytes` holds the whole text.
  var isComplete: Bool { obstacle == nil }

  /// Called at the end of `bytes`; throws if the text is longer, but cannot be read.
  func checkEnd() throws(Diagnostic) {
    if let obstacle { throw failure(for: obstacle) }
  }

  /// Goes on at `offset`.
  mutating func skip(to offset: Int, at cursor: TextCursor) {
    start = offset
    self.cursor = cursor
  }

  // MARK: Errors

  private func failure(for obstacle: Obstacle) -> Diagnostic {
    switch obstacle {
    case .tooLarge: tooLarge()
    case .encoding: encoding
    case .unclean(let verdict): unclean(verdict)
    }
  }

  private func tooLarge() -> Diagnostic {
    Diagnostic(
      .documentTooLarge, "the file is larger than \(byteLimit) bytes", file: file, at: nil,
      help: "split it; long lists of users belong in a file of their own")
  }

  private var encoding: Diagnostic {
    Diagnostic(
      .textEncoding, "the file is written in UTF-32, which is not read", file: file,
      at: Position(line: 1, column: 1), help: "save it as UTF-8")
  }

  private func unclean(_ verdict: TextValidator.Verdict) -> Diagnostic {
    var cursor = cursor
    cursor.advance(over: bytes, in: start..<bytes.count)
    switch verdict {
    case .control(let value):
      return Diagnostic(
        .textControlCharacter, "the control character \(Self.name(value)) is not allowed in text",
        file: file, at: cursor.position,
        help: value == 0
          ? "remove it; a file full of NUL is often UTF-16: save it as UTF-8" : "remove it")
    case .invalidUTF8(let byte):
      return Diagnostic(
        .textInvalidUTF8, "the byte 0x\(Hex.text(of: [byte], .upper)) is no UTF-8 here",
        file: file, at: cursor.position, help: "save the file as UTF-8")
    case .clean, .partial:
      preconditionFailure("clean text is no obstacle")
    }
  }

  private static func name(_ value: UInt32) -> String {
    value == 0 ? "NUL" : Hex.codePoint(value)
  }
}
