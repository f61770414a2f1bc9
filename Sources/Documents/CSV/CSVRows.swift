import Bytes
import Diagnostics

/// The rows of a sheet or a CSV file (RFC 4180; lines may also end with `\n` or `\r` alone).
struct CSVRows {
  struct Cell {
    var text: String
    let position: Position
  }

  private(set) var cells: [Cell] = []
  private(set) var start = Position(line: 1, column: 1)
  private(set) var separator: UInt8
  private(set) var index = 0
  private(set) var isComment = false

  private let bytes: [UInt8]
  private let file: String
  private let maxCells: Int
  private var sheet: [[Cell]]?
  /// Whether `#` starts a comment; false in a one-column table, where `# board` may be a name.
  private var hasComments: Bool
  private var line = 1
  private var lineStart = 0

  init(_ text: CleanText, separator: UInt8, maxCells: Int, sheet: [[Cell]]? = nil) {
    bytes = text.bytes
    file = text.file
    self.separator = separator
    self.maxCells = maxCells
    self.sheet = sheet
    hasComments = sheet?.contains { $0.count > 1 } ?? true
  }

  var isSheet: Bool { sheet != nil }

  /// Reads the next non-empty row, which may be a comment like `# board`; returns false at the end.
  ///
  /// After a misplaced quote, reading continues on the next line, because other lines may be valid.
  mutating func next() throws(Diagnostic) -> Bool {
    var first = 0
    repeat {
      first = index
      if let row = sheet?.popLast() {
        cells = row
        start = Position(line: row[0].position.line, column: 1)
      } else if index < bytes.count {
        start = position
        try readRow()
      } else {
        return false
      }
    } while !cells.contains { !$0.text.isEmpty }
    isComment =
      hasComments && cells[0].text.utf8.first == UInt8(ascii: "#")
      && (isSheet || bytes[first] == UInt8(ascii: "#"))
      && cells[0].text.prefix(3).wholeMatch(of: /# \p{L}/) != nil
      && !cells.dropFirst().contains { !$0.text.isEmpty }
    return true
  }

  mutating func nextExceptComments() throws(Diagnostic) -> Bool {
    repeat { guard try next() else { return false } } while isComment
    return true
  }

  private mutating func readRow() throws(Diagnostic) {
    cells.removeAll(keepingCapacity: true)
    while true {
      let cell = (position: position, index: index, line: line)
      do throws(Diagnostic) {
        while index < bytes.count, bytes[index] == Byte.space { index += 1 }
        let isQuoted = index < bytes.count && bytes[index] == Byte.quote
        if !isQuoted { index = cell.index }
        let text = isQuoted ? try quotedText() : plainText()
        cells.append(Cell(text: text.trimmed, position: cell.position))
        guard cells.count <= maxCells else {
          throw .tooManyValues(maxCells, file: file, at: cell.position)
        }
      } catch {
        (index, line) = (cell.index, cell.line)
        while index < bytes.count, !isLineBreak(bytes[index]) { index += 1 }
        skipLineBreak()
        throw error
      }
      guard index < bytes.count, bytes[index] == separator else { break }
      index += 1
    }
    skipLineBreak()
  }

  private var position: Position { Position(line: line, column: index - lineStart + 1) }

  private mutating func skipLineBreak() {
    index = bytes.lineEnd(at: index)
    line += 1
    lineStart = index
  }

  private func isLineBreak(_ byte: UInt8) -> Bool {
    byte == Byte.newline || byte == Byte.carriageReturn
  }

  private func endsCell(_ byte: UInt8) -> Bool { byte == separator || isLineBreak(byte) }

  private mutating func plainText() -> String {
    let first = index
    while index < bytes.count, !endsCell(bytes[index]) {
      if bytes[index].isContinuation { lineStart += 1 }
      index += 1
    }
    return String(decoding: bytes[first..<index], as: UTF8.self)
  }

  private mutating func quotedText() throws(Diagnostic) -> String {
    let opening = position
    var text: [UInt8] = []
    var first = index + 1
    index = first
    while index < bytes.count {
      let byte = bytes[index]
      if byte == Byte.quote {
        text += bytes[first..<index]
        index += 1
        guard index < bytes.count, !endsCell(bytes[index]) else {
          return String(decoding: text, as: UTF8.self)
        }
        guard bytes[index] == Byte.quote else {
          throw Diagnostic(
            .csvQuote, "text follows the closing quote of a cell", file: file, at: position,
            note: "the quoted cell began at \(opening)",
            help: "to include a quote in a quoted cell, write it twice")
        }
        first = index
        index += 1
      } else if isLineBreak(byte) {
        skipLineBreak()
      } else {
        if byte.isContinuation { lineStart += 1 }
        index += 1
      }
    }
    throw Diagnostic(
      .csvQuoteOpen, "a quoted cell is never closed", file: file, at: opening,
      help: "close it with a double quote; to include a quote, write it twice")
  }

  /// Uses the separator from Excel's `sep=;` line, or else the most frequent one in the first row.
  mutating func findSeparator() {
    if isSheet { return }
    let line = bytes.prefix(10).prefix { !isLineBreak($0) }
    let word = line.filter { $0 != Byte.quote }.map(\.asciiLowercased)
    if word.count == 5, word.starts(with: "sep=".utf8), ",;\t|:".utf8.contains(word[4]) {
      separator = word[4]
      index = line.count
      return skipLineBreak()
    }
    var (most, columns) = (0, 1)
    for candidate in [separator, Byte.semicolon, Byte.tab, Byte.comma] {
      var trial = self
      trial.separator = candidate
      let isRead = (try? trial.nextExceptComments()) == true
      let isClean = isRead && !trial.cells.contains { $0.text.contains("\"") }
      let score = trial.cells.count + (isClean ? maxCells : 0)
      if score > most { (most, columns, separator) = (score, trial.cells.count, candidate) }
    }
    hasComments = columns > 1
  }
}
