import Bytes
import Diagnostics

/// The part of a text that is in memory: clean UTF-8 without its byte order mark, read on demand.
///
/// An error in the text, or too much text, is thrown only after the bytes before it are used. So the
/// result does not depend on the sizes of the pieces in which the text arrives.
struct TextWindow {
  /// Read so far and not yet dropped.
  private(set) var bytes: [UInt8] = []
  /// The first byte that is still needed.
  private(set) var start = 0
  /// The position of `bytes[start]` in the text.
  private(set) var cursor = TextCursor()
  /// Whether `bytes` holds all that is left.
  private(set) var isComplete = false

  let file: String
  private let validator: TextValidator
  private let byteLimit: Int
  private let read: () throws -> [UInt8]?
  private var byteCount = 0
  /// Bytes that cannot be checked yet: a character cut in two, or the first four of the text.
  private var pending: [UInt8] = []
  private var isPastMark = false
  /// Where the text is written so.
  private var utf16: UTF16Text?
  /// Tables of spreadsheets may be in Windows' own letters.
  private let isTable: Bool
  /// Where the first of those stands in `bytes`, below 0 when it was dropped.
  private(set) var windowsStart: Int?
  private var obstacle: Obstacle?

  private enum Obstacle {
    case unclean(TextValidator.Verdict)
    case encoding
    case tooLarge
    case source(any Error)
  }

  init(file: String, syntax: Syntax, byteLimit: Int, read: @escaping () throws -> [UInt8]?) {
    self.file = file
    validator = TextValidator(isYAML: syntax == .yaml)
    isTable = syntax == .csv || syntax == .tsv
    self.byteLimit = byteLimit
    self.read = read
  }

  /// Reads one more piece; false when there is none.
  mutating func fill() throws -> Bool {
    if load() { return true }
    guard let obstacle else { return false }
    throw failure(for: obstacle)
  }

  /// Reads until the unread text is twice as long as before; false when there is no more.
  ///
  /// A caller that starts over after each call still takes linear time.
  mutating func grow() throws -> Bool {
    let target = (bytes.count - start) * 2
    guard try fill() else { return false }
    while bytes.count - start < target, load() {}
    return true
  }

  /// Reads until `count` bytes from `offset` on are there, or all that there are.
  mutating func ensure(_ count: Int, from offset: Int) {
    while bytes.count - offset < count, load() {}
  }

  /// Forgets the bytes before `offset`, and returns by how much the offsets of the rest decrease.
  @discardableResult
  mutating func drop(to offset: Int, at cursor: TextCursor) -> Int {
    start = offset
    self.cursor = cursor
    guard start >= 1 << 16, start * 2 >= bytes.count else { return 0 }
    defer { start = 0 }
    bytes.removeSubrange(..<start)
    windowsStart = windowsStart.map { $0 - start }
    return start
  }

  // MARK: Reading

  /// Whether one more piece of clean text could be read; if not, `obstacle` may say why.
  private mutating func load() -> Bool {
    let before = bytes.count
    while !isComplete, obstacle == nil {
      do {
        if let piece = try read() { accept(piece) } else { finish() }
      } catch {
        obstacle = .source(error)
      }
      if bytes.count > before { return true }
    }
    return false
  }

  private mutating func accept(_ piece: [UInt8]) {
    var piece = piece
    if byteCount + piece.count > byteLimit {
      piece.removeLast(byteCount + piece.count - byteLimit)
      obstacle = .tooLarge
    }
    byteCount += piece.count
    if !pending.isEmpty {
      piece = pending + piece
      pending = []
    }
    if !isPastMark {
      guard piece.count >= 4 || obstacle != nil else {
        pending = piece
        return
      }
      removeMark(from: &piece)
      if case .encoding = obstacle { return }
    }
    admit(piece)
  }

  private mutating func finish() {
    if !isPastMark {
      var piece = pending
      pending = []
      removeMark(from: &piece)
      if obstacle == nil { admit(piece) }
    }
    if obstacle == nil, utf16 != nil { admit([], isLast: true) }
    if !pending.isEmpty, isTable {
      let rest = pending
      pending = []
      admit(rest, isLast: true)
    }
    if !pending.isEmpty { obstacle = .unclean(.invalidUTF8(pending[0])) }
    isComplete = obstacle == nil
  }

  private mutating func admit(_ piece: [UInt8], isLast: Bool = false) {
    var piece = utf16?.utf8(piece, isLast: isLast) ?? piece
    var (clean, verdict) = validator.check(piece)
    if isTable, verdict.isBroken(atEnd: isLast) {
      windowsStart = windowsStart ?? bytes.count + clean
      (piece, pending) = WindowsText.utf8(piece, isLast: isLast)
      (clean, verdict) = validator.check(piece)
    }
    if clean == piece.count, bytes.isEmpty {
      bytes = piece
    } else {
      bytes.append(contentsOf: piece[..<clean])
    }
    switch verdict {
    case .clean: break
    case .partial: pending = Array(piece[clean...])
    case .control, .invalidUTF8: obstacle = .unclean(verdict)
    }
  }

  /// Removes the byte order mark from the first bytes; that of UTF-32 is an obstacle.
  private mutating func removeMark(from head: inout [UInt8]) {
    isPastMark = true
    if head.starts(with: [0xEF, 0xBB, 0xBF]) {
      head.removeFirst(3)
    } else if head.starts(with: [0xFF, 0xFE, 0, 0]) || head.starts(with: [0, 0, 0xFE, 0xFF]) {
      obstacle = .encoding
    } else if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      utf16 = UTF16Text(isLittleEndian: head[0] == 0xFF)
      head.removeFirst(2)
    }
  }

  // MARK: Errors

  private func failure(for obstacle: Obstacle) -> any Error {
    switch obstacle {
    case .source(let error): error
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
