import Bytes
import Diagnostics

/// Reads one row of CSV (RFC 4180; lines may also end at `\n` or `\r` alone) out of clean UTF-8.
struct CSVRow {
  struct Cell {
    /// Without the blanks around it.
    var text: String
    let position: Position
  }

  enum Outcome {
    /// The row is complete; `next` and `at` are the start of the next one.
    case complete(next: Int, at: TextCursor)
    /// The bytes end before the row does.
    case unfinished
    /// A quote is wrong; reading can continue at `next`.
    case broken(Diagnostic, next: Int, at: TextCursor)
    /// The row does not end within the bytes that one record may have.
    case tooLong
  }

  private let bytes: [UInt8]
  private let end: Int
  private let isComplete: Bool
  private let separator: UInt8
  private let file: String

  private var index: Int
  private var line: Int
  /// A column is `index - lineStart + 1`, as in JSON.
  private var lineStart: Int

  /// `bytes` may go on behind the row, which has at most `cap` of them.
  init(
    _ bytes: [UInt8], from offset: Int, cap: Int, at start: Position, isComplete: Bool,
    separator: UInt8, file: String
  ) {
    self.bytes = bytes
    end = min(bytes.count, offset + cap)
    self.isComplete = isComplete
    self.separator = separator
    self.file = file
    index = offset
    line = start.line
    lineStart = offset - (start.column - 1)
  }

  mutating func read(into cells: inout [Cell]) -> Outcome {
    cells.removeAll(keepingCapacity: true)
    while true {
      let start = position
      let first = (offset: index, line: line)
      let text: String
      if index < end, bytes[index] == Byte.quote {
        guard let quoted = quotedText() else {
          return isComplete || isCut ? broken(unclosed(at: start), from: first) : .unfinished
        }
        guard index == end || endsCell(bytes[index]) else {
          return broken(strayText(opening: start), from: first)
        }
        text = quoted
      } else {
        text = plainText()
        guard index == end || bytes[index] != Byte.quote else {
          return broken(strayQuote(), from: first)
        }
      }
      cells.append(Cell(text: text.trimmed, position: start))
      guard index < end else { return atEnd() }
      guard bytes[index] == separator else {
        return lineEnd(at: index).map { .complete(next: $0, at: TextCursor(line: line + 1)) }
          ?? .unfinished
      }
      index += 1
    }
  }

  private var position: Position { Position(line: line, column: index - lineStart + 1) }
  private var isCut: Bool { end < bytes.count }

  private func atEnd() -> Outcome {
    if isCut { return .tooLong }
    return isComplete ? .complete(next: index, at: TextCursor(position)) : .unfinished
  }

  private func endsCell(_ byte: UInt8) -> Bool {
    byte == separator || byte == Byte.newline || byte == Byte.carriageReturn
  }

  /// Reads to the end of the cell, or to a quote that must not be there.
  private mutating func plainText() -> String {
    let first = index
    while index < end, bytes[index] != Byte.quote, !endsCell(bytes[index]) {
      if bytes[index].isContinuation { lineStart += 1 }
      index += 1
    }
    return String(decoding: bytes[first..<index], as: UTF8.self)
  }

  /// Reads past the closing quote; nil if there is none.
  private mutating func quotedText() -> String? {
    let first = index + 1
    var doubled = 0
    index = first
    while index < end {
      let byte = bytes[index]
      index += 1
      if byte == Byte.quote {
        if index < end, bytes[index] == Byte.quote {
          doubled += 1
          index += 1
          continue
        }
        let text = bytes[first..<index - 1]
        return doubled == 0 ? String(decoding: text, as: UTF8.self) : Self.undoubled(text)
      }
      if byte == Byte.newline || (byte == Byte.carriageReturn && !isFeed(index)) {
        line += 1
        lineStart = index
      } else if byte.isContinuation {
        lineStart += 1
      }
    }
    return nil
  }

  private static func undoubled(_ text: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var isSecond = false
    for byte in text {
      isSecond = byte == Byte.quote && !isSecond
      if !isSecond { result.append(byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func isFeed(_ index: Int) -> Bool {
    index < bytes.count && bytes[index] == Byte.newline
  }

  /// The offset after the line end at `index`; nil while a second byte of it may follow.
  private func lineEnd(at index: Int) -> Int? {
    guard bytes[index] == Byte.carriageReturn else { return index + 1 }
    guard index + 1 < bytes.count || isComplete else { return nil }
    return isFeed(index + 1) ? index + 2 : index + 1
  }

  // MARK: Wrong quotes

  /// Continues after the line on which the wrong cell began: usually only that line is wrong.
  private func broken(_ error: Diagnostic, from cell: (offset: Int, line: Int)) -> Outcome {
    var index = cell.offset
    while index < end, bytes[index] != Byte.newline, bytes[index] != Byte.carriageReturn {
      index += 1
    }
    guard index < end else {
      if isCut { return .tooLong }
      guard isComplete else { return .unfinished }
      return .broken(error, next: index, at: TextCursor(line: cell.line))
    }
    guard let next = lineEnd(at: index) else { return .unfinished }
    return .broken(error, next: next, at: TextCursor(line: cell.line + 1))
  }

  private func unclosed(at position: Position) -> Diagnostic {
    Diagnostic(
      .csvQuoteOpen, "a quoted cell is never closed", file: file, at: position,
      help: "close it with a double quote; a quote inside is written twice")
  }

  private func strayText(opening: Position) -> Diagnostic {
    Diagnostic(
      .csvQuote, "text follows the closing quote of a cell", file: file, at: position,
      note: "the quoted cell began at \(opening)",
      help: "write a quote inside a quoted cell twice")
  }

  private func strayQuote() -> Diagnostic {
    Diagnostic(
      .csvQuote, "a quote stands inside a cell that does not start with one", file: file,
      at: position, help: "put the whole cell into quotes, and write the quote inside twice")
  }
}
