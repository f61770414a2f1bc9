import Diagnostics

/// The records of one JSON array, each read as soon as its last byte is there.
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

  mutating func next() throws(ReadFailure) -> RecordReader.Finding? {
    if state == .beforeArray {
      guard let byte = try nextByte() else { throw .document(.empty(file: window.file)) }
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
      let comma = window.place.position
      step()
      if try nextByte() == Byte.closeBracket {
        throw .document(parser().trailingComma(at: comma))
      }
      return try record()
    default:
      throw .document(parser().unexpected("`,` or `]`", help: "put commas between items"))
    }
  }

  private mutating func record() throws(ReadFailure) -> RecordReader.Finding {
    try awaitValue()
    let (finding, end, place) = try ReadFailure.wrap(parsed)
    window.drop(to: end, at: place)
    return finding
  }

  /// The value that stands next, where it ends, and what place that is.
  ///
  /// A function of its own, so that nobody shares the window's bytes when it drops some.
  private func parsed() throws(Diagnostic) -> (RecordReader.Finding, Int, TextPlace) {
    var parser = parserHere()
    let node = try parser.value(depth: 1)
    let finding = RecordReader.Finding(
      record: node, problems: parser.log.problems, file: window.file)
    return (finding, parser.offset, TextPlace(parser.position))
  }

  private mutating func finish() throws(ReadFailure) -> RecordReader.Finding? {
    step()
    guard try nextByte() != nil else { return nil }
    throw .document(parser().trailingText())
  }

  private mutating func notArray(_ byte: UInt8) -> ReadFailure {
    let kind = byte == Byte.openBrace ? "a mapping" : parser().found(at: window.start)
    return .document(.notList(kind, file: window.file, at: window.place.position))
  }

  // MARK: Walking

  /// Passes over blanks, and shows the byte behind them; nil at the end of the text.
  private mutating func nextByte() throws(ReadFailure) -> UInt8? {
    while true {
      var index = window.start
      var place = window.place
      while index < window.bytes.count {
        let byte = window.bytes[index]
        guard
          byte == Byte.space || byte == Byte.newline || byte == Byte.tab
            || byte == Byte.carriageReturn
        else {
          window.drop(to: index, at: place)
          return byte
        }
        place.advance(over: byte)
        index += 1
      }
      window.drop(to: index, at: place)
      guard try window.fill() else { return nil }
    }
  }

  /// Passes over one ASCII byte that is there.
  private mutating func step() {
    var place = window.place
    place.advance(over: window.bytes[window.start])
    window.drop(to: window.start + 1, at: place)
  }

  /// A parser that stands at the next byte, with enough text behind it for any message.
  private mutating func parser() -> JSONParser {
    window.ensure(64, from: window.start)
    return parserHere()
  }

  private func parserHere() -> JSONParser {
    JSONParser(
      window.bytes, in: window.start..<window.bytes.count, at: window.place, file: window.file,
      limits: limits, nodeLimit: limits.recordNodes)
  }

  // MARK: Finding the end of a value

  /// Reads until the whole value, and enough behind it for any message, is in the window.
  private mutating func awaitValue() throws(ReadFailure) {
    while true {
      let end = endOfValue()
      if let end, end - window.start <= limits.recordBytes {
        window.ensure(64, from: end)
        return
      }
      if window.bytes.count - window.start > limits.recordBytes {
        throw .document(.recordTooLong(limits, file: window.file, at: window.place.position))
      }
      guard try window.grow() else { return }
    }
  }

  /// Where the brackets of the value are even; the parser finds out whether they fit.
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
        // Deeper is refused anyway, so the text behind need not be awaited.
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

  /// Where the closing quote of a string stands.
  private func endOfString(_ bytes: [UInt8], from opening: Int) -> Int? {
    var index = opening + 1
    while index < bytes.count {
      if bytes[index] == Byte.quote { return index }
      index += bytes[index] == Byte.backslash ? 2 : 1
    }
    return nil
  }
}
