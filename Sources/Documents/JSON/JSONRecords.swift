import Bytes
import Diagnostics

/// The records of one JSON array.
struct JSONArrayRecords {
  private enum State {
    case beforeArray
    case beforeFirst
    case beforeNext
  }

  private var window: TextWindow
  private let limits: DocumentLimits
  private var state = State.beforeArray

  init(_ window: TextWindow, limits: DocumentLimits) {
    self.window = window
    self.limits = limits
  }

  mutating func next() throws(Diagnostic) -> RecordReader.Finding? {
    if state == .beforeArray {
      guard let byte = try nextByte() else { throw Diagnostic.empty(file: window.file) }
      guard byte == Byte.openBracket else { throw notArray(byte) }
      step()
      state = .beforeFirst
    }
    if state == .beforeFirst {
      state = .beforeNext
      if try nextByte() == Byte.closeBracket { return try finish() }
      return try record()
    }
    switch try nextByte() {
    case Byte.closeBracket:
      return try finish()
    case Byte.comma:
      let comma = window.cursor.position
      step()
      if try nextByte() == Byte.closeBracket {
        throw parser().trailingComma(at: comma)
      }
      return try record()
    default:
      throw parser().unexpected("`,` or `]`", help: "put commas between items")
    }
  }

  private mutating func record() throws(Diagnostic) -> RecordReader.Finding {
    try checkLength()
    var parser = parser()
    let node = try parser.value(depth: 1)
    window.skip(to: parser.offset, at: TextCursor(parser.position))
    return RecordReader.Finding(record: node, problems: parser.log.problems, file: window.file)
  }

  private mutating func finish() throws(Diagnostic) -> RecordReader.Finding? {
    step()
    guard try nextByte() != nil else { return nil }
    throw parser().trailingText()
  }

  private mutating func notArray(_ byte: UInt8) -> Diagnostic {
    let kind = byte == Byte.openBrace ? "a mapping" : parser().found(at: window.start)
    return .notList(kind, file: window.file, at: window.cursor.position)
  }

  // MARK: Single bytes

  /// Skips blanks and returns the byte after them without skipping it; nil at the end of the text.
  private mutating func nextByte() throws(Diagnostic) -> UInt8? {
    while true {
      var index = window.start
      var cursor = window.cursor
      while index < window.bytes.count {
        let byte = window.bytes[index]
        guard byte.isASCIISpace else {
          window.skip(to: index, at: cursor)
          return byte
        }
        cursor.advance(over: byte)
        index += 1
      }
      window.skip(to: index, at: cursor)
      try window.checkEnd()
      return nil
    }
  }

  /// Skips one ASCII byte.
  private mutating func step() {
    var cursor = window.cursor
    cursor.advance(over: window.bytes[window.start])
    window.skip(to: window.start + 1, at: cursor)
  }

  /// A parser at the next byte.
  private func parser() -> JSONParser {
    JSONParser(
      window.bytes, in: window.start..<window.bytes.count, at: window.cursor, file: window.file,
      limits: limits, nodeLimit: limits.recordNodes)
  }

  // MARK: Finding the end of a value

  private func checkLength() throws(Diagnostic) {
    if let end = endOfValue(), end - window.start <= limits.recordBytes { return }
    if window.bytes.count - window.start > limits.recordBytes {
      throw Diagnostic.recordTooLong(
        limits.recordBytes, file: window.file, at: window.cursor.position)
    }
    try window.checkEnd()
  }

  /// The end of the value by counting brackets; the parser checks whether they match.
  private func endOfValue() -> Int? {
    let bytes = window.bytes
    var depth = 0
    var index = window.start
    while index < bytes.count {
      switch bytes[index] {
      case Byte.quote:
        guard let close = endOfString(bytes, from: index) else { return nil }
        index = close
      case Byte.openBrace, Byte.openBracket:
        depth += 1
        // The parser refuses deeper values, so the rest need not be read.
        if depth > limits.depth { return index }
      case Byte.closeBrace, Byte.closeBracket:
        depth -= 1
        if depth <= 0 { return index }
      case Byte.comma where depth == 0:
        return index
      default: break
      }
      index += 1
    }
    return nil
  }

  /// The offset of the closing quote of a string.
  private func endOfString(_ bytes: [UInt8], from opening: Int) -> Int? {
    var index = opening + 1
    while index < bytes.count {
      if bytes[index] == Byte.quote { return index }
      index += bytes[index] == Byte.backslash ? 2 : 1
    }
    return nil
  }
}

/// JSON Lines: one object a line; blank lines are skipped, and a broken line does not end the list.
struct JSONLineRecords {
  private var window: TextWindow
  private let limits: DocumentLimits

  init(_ window: TextWindow, limits: DocumentLimits) {
    self.window = window
    self.limits = limits
  }

  mutating func next() throws(Diagnostic) -> RecordReader.Finding? {
    while let line = try nextLine() {
      let cursor = window.cursor
      let finding = read(line, at: cursor)
      var after = TextCursor(line: cursor.position.line + 1)
      if line.next == line.range.upperBound { after = cursor }
      window.skip(to: line.next, at: after)
      if let finding { return finding }
    }
    return nil
  }

  private struct Line {
    /// Without its end.
    let range: Range<Int>
    let next: Int
  }

  private mutating func nextLine() throws(Diagnostic) -> Line? {
    if let line = lineInWindow() { return line }
    if window.bytes.count - window.start > limits.recordBytes {
      throw Diagnostic.recordTooLong(
        limits.recordBytes, file: window.file, at: window.cursor.position)
    }
    try window.checkEnd()
    let rest = window.start..<window.bytes.count
    return rest.isEmpty ? nil : Line(range: rest, next: rest.upperBound)
  }

  private func lineInWindow() -> Line? {
    let bytes = window.bytes
    let limit = min(bytes.count, window.start + limits.recordBytes)
    var index = window.start
    while index < limit {
      if bytes[index] == Byte.newline {
        return Line(range: window.start..<index, next: index + 1)
      }
      if bytes[index] == Byte.carriageReturn {
        // Only the next byte tells whether a line feed belongs to the line end.
        guard index + 1 < bytes.count || window.isComplete else { return nil }
        let hasFeed = index + 1 < bytes.count && bytes[index + 1] == Byte.newline
        return Line(range: window.start..<index, next: index + (hasFeed ? 2 : 1))
      }
      index += 1
    }
    return nil
  }

  private func read(_ line: Line, at cursor: TextCursor) -> RecordReader.Finding? {
    var parser = JSONParser(
      window.bytes, in: line.range, at: cursor, file: window.file, limits: limits,
      nodeLimit: limits.recordNodes, endName: "the end of the line")
    parser.skipSpace()
    guard parser.offset < parser.end else { return nil }
    let start = parser.position
    do throws(Diagnostic) {
      let node = try parser.wholeText()
      return .init(record: node, problems: parser.log.problems, file: window.file)
    } catch {
      return .broken(error, at: start)
    }
  }
}
