import Bytes

/// The part of a text that is in memory: clean UTF-8 without its byte order mark, read on demand.
///
/// A fault in the text (or too much of it) is thrown only when the bytes before it are used up, so
/// what is read does not depend on the sizes of the pieces in which the text arrives.
struct TextWindow {
  /// Read so far and not yet dropped.
  private(set) var bytes: [UInt8] = []
  /// The first byte that is still needed.
  private(set) var start = 0
  /// Where `bytes[start]` stands in the text.
  private(set) var place = TextPlace()
  /// Whether `bytes` holds all that is left.
  private(set) var isComplete = false

  let file: String
  private let gate: TextGate
  private let byteLimit: Int
  private let read: () throws -> [UInt8]?
  private var byteCount = 0
  /// Bytes that cannot be judged yet: a character cut in two, or the very first four.
  private var pending: [UInt8] = []
  private var isPastMark = false
  private var obstacle: Obstacle?

  private enum Obstacle {
    case unclean(TextGate.Verdict)
    case encoding(String)
    case tooLarge
    case source(any Error)
  }

  init(file: String, syntax: Syntax, byteLimit: Int, read: @escaping () throws -> [UInt8]?) {
    self.file = file
    self.gate = TextGate(isYAML: syntax == .yaml)
    self.byteLimit = byteLimit
    self.read = read
  }

  /// Reads one more piece; false when there is none.
  mutating func fill() throws(ReadFailure) -> Bool {
    if load() { return true }
    guard let obstacle else { return false }
    throw failure(for: obstacle)
  }

  /// Reads until twice as much is unread as before; false when there is nothing more.
  ///
  /// Whoever starts over after each call still works in linear time.
  mutating func grow() throws(ReadFailure) -> Bool {
    let target = (bytes.count - start) * 2
    guard try fill() else { return false }
    while bytes.count - start < target, load() {}
    return true
  }

  /// Reads until `count` bytes from `offset` on are there, or all that there are.
  mutating func ensure(_ count: Int, from offset: Int) {
    while bytes.count - offset < count, load() {}
  }

  /// Forgets what stands before `offset`, and says by how much the offsets of the rest have moved.
  @discardableResult
  mutating func drop(to offset: Int, at place: TextPlace) -> Int {
    start = offset
    self.place = place
    guard start >= 1 << 16, start * 2 >= bytes.count else { return 0 }
    defer { start = 0 }
    bytes.removeSubrange(..<start)
    return start
  }

  // MARK: Accepting

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
    if !pending.isEmpty { obstacle = .unclean(.invalidUTF8(pending[0])) }
    isComplete = obstacle == nil
  }

  private mutating func admit(_ piece: [UInt8]) {
    let (clean, verdict) = gate.check(piece)
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

  /// Takes the first bytes of all; a mark of UTF-8 is passed over, another one is an obstacle.
  private mutating func removeMark(from head: inout [UInt8]) {
    isPastMark = true
    if head.starts(with: [0xEF, 0xBB, 0xBF]) {
      head.removeFirst(3)
    } else if head.starts(with: [0xFF, 0xFE, 0, 0]) || head.starts(with: [0, 0, 0xFE, 0xFF]) {
      obstacle = .encoding("UTF-32")
    } else if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      obstacle = .encoding("UTF-16")
    }
  }

  // MARK: Refusing

  private func failure(for obstacle: Obstacle) -> ReadFailure {
    switch obstacle {
    case .source(let error): .source(error)
    case .tooLarge: .document(tooLarge())
    case .encoding(let name): .document(encoding(name))
    case .unclean(let verdict): .document(unclean(verdict))
    }
  }

  private func tooLarge() -> DocumentError {
    DocumentError(
      .documentTooLarge, "the file is larger than \(byteLimit) bytes", file: file, at: nil,
      help: "split it; long lists of users belong in a file of their own")
  }

  private func encoding(_ name: String) -> DocumentError {
    DocumentError(
      .textEncoding, "the file is written in \(name), but only UTF-8 is read", file: file,
      at: Position(line: 1, column: 1), help: "save it as UTF-8")
  }

  private func unclean(_ verdict: TextGate.Verdict) -> DocumentError {
    var place = place
    place.advance(over: bytes, in: start..<bytes.count)
    switch verdict {
    case .control(let value):
      return DocumentError(
        .textControlCharacter, "the control character \(Self.name(value)) is not allowed in text",
        file: file, at: place.position,
        help: value == 0
          ? "remove it; a file full of NUL is often UTF-16: save it as UTF-8" : "remove it")
    case .invalidUTF8(let byte):
      return DocumentError(
        .textInvalidUTF8, "the byte 0x\(Hex.text(of: [byte], .upper)) is no UTF-8 here",
        file: file, at: place.position, help: "save the file as UTF-8")
    case .clean, .partial:
      preconditionFailure("clean text is no obstacle")
    }
  }

  private static func name(_ value: UInt32) -> String {
    value == 0 ? "NUL" : Hex.codePoint(value)
  }
}
