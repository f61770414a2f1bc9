import Bytes
import Diagnostics

/// The rows of CSV (RFC 4180; lines may also end at `\n` or `\r` alone), or of a sheet.
struct CSVRows {
  struct Cell {
    /// Without the blanks around it.
    var text: String
    let position: Position
  }

  /// The cells of the last row.
  private(set) var cells: [Cell] = []
  /// Where the last row began.
  private(set) var start = Position(line: 1, column: 1)
  private(set) var separator: UInt8
  private(set) var index = 0

  private let bytes: [UInt8]
  private let file: String
  private let maxCells: Int
  /// Each is freed after its use.
  private var sheet: [[Cell]]?
  private var line = 1
  /// A column is `index - lineStart + 1`, as in JSON.
  private var lineStart = 0

  init(_ text: CleanText, separator: UInt8, maxCells: Int, sheet: [[Cell]]? = nil) {
    bytes = text.bytes
    file = text.file
    self.separator = separator
    self.maxCells = maxCells
    self.sheet = sheet
  }

  /// Its rows end at their last cell with text.
  var isSheet: Bool { sheet != nil }

  /// Reads the next row that has a word, except comments such as `# board`; false at the end of the text.
  ///
  /// After a wrong quote it continues on the next line: usually only one line is wrong.
  mutating func next() throws(Diagnostic) -> Bool {
    if let row = sheet?.popLast() {
      cells = row
      start = Position(line: row[0].position.line, column: 1)
      return true
    }
    while index < bytes.count {
      start = position
      try readRow()
      let filled = cells.filter { !$0.text.isEmpty }
      if filled.count > 1 || filled.first?.text.hasPrefix("#") == false { return true }
    }
    return false
  }

  private mutating func readRow() throws(Diagnostic) {
    cells.removeAll(keepingCapacity: true)
    while true {
      let cell = (position: position, index: index, line: line)
      do throws(Diagnostic) {
        let text =
          index < bytes.count && bytes[index] == Byte.quote ? try quotedText() : plainText()
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

  /// Quotes inside are text, as in `Ada "Countess" Lovelace`.
  private mutating func plainText() -> String {
    let first = index
    while index < bytes.count, !endsCell(bytes[index]) {
      if bytes[index].isContinuation { lineStart += 1 }
      index += 1
    }
    return String(decoding: bytes[first..<index], as: UTF8.self)
  }

  /// The text between quotes, with each doubled quote as one.
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
            help: "write a quote inside a quoted cell twice")
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
      help: "close it with a double quote; a quote inside is written twice")
  }

  /// Takes the separator that Excel names in a line `sep=;`, or the one that the first row with a word
  /// has most of.
  mutating func findSeparator() {
    if isSheet { return }
    let line = bytes.prefix(10).prefix { !isLineBreak($0) }
    let word = line.filter { $0 != Byte.quote }.map(\.asciiLowercased)
    if word.count == 5, word.starts(with: "sep=".utf8), ",;\t|:".utf8.contains(word[4]) {
      separator = word[4]
      index = line.count
      return skipLineBreak()
    }
    var most = 0
    for candidate in [separator, Byte.semicolon, Byte.tab, Byte.comma] {
      var trial = self
      trial.separator = candidate
      // A wrong separator leaves quotes inside cells.
      let isRead = (try? trial.next()) == true
      let isClean = isRead && !trial.cells.contains { $0.text.contains("\"") }
      let score = trial.cells.count + (isClean ? maxCells : 0)
      if score > most { (most, separator) = (score, candidate) }
    }
  }
}
