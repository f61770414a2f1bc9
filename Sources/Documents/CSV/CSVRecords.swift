import Bytes
import Diagnostics

/// CSV and TSV: the header row names the keys, each row becomes a mapping without its empty cells.
///
/// Cells are plain text whether quoted or not: quotes in CSV protect characters, not types. Rows
/// without a word are skipped, and columns without one at the end of the header.
struct CSVRecords {
  private var window: TextWindow
  private let limits: DocumentLimits
  /// Of a comma, `;` and tab the one that the header row has most of; if it has none, that of the
  /// file's ending.
  private var separator: UInt8
  private var cells: [CSVRow.Cell] = []
  private var header: [CSVRow.Cell]?
  /// For the first record, since the header is none.
  private var headerProblems: [Diagnostic] = []
  private var isEncodingTold = false

  init(_ window: TextWindow, separator: UInt8, limits: DocumentLimits) {
    self.window = window
    self.limits = limits
    self.separator = separator
  }

  mutating func next() throws(Diagnostic) -> RecordReader.Finding? {
    let keys: [CSVRow.Cell]
    if let header {
      keys = header
    } else {
      keys = try readHeader()
      header = keys
    }
    let (start, problem) = try nextRow()
    guard let start else { return nil }
    if let problem { return .broken(problem, at: start) }
    if cells.dropFirst(keys.count).allSatisfy(\.text.isEmpty) {
      cells.removeLast(max(0, cells.count - keys.count))
    }
    var record = record(keys, at: start)
    record.cellSeparator = separator
    return record
  }

  /// The start of the next row that is not blank (nil at the end), and its problem.
  private mutating func nextRow() throws(Diagnostic) -> (start: Position?, Diagnostic?) {
    while true {
      guard window.start < window.bytes.count || !window.isComplete else { return (nil, nil) }
      let start = window.cursor.position
      switch readRow() {
      case .unfinished:
        try window.checkEnd()
      case .tooLong:
        throw Diagnostic.recordTooLong(limits.recordBytes, file: window.file, at: start)
      case .broken(let error, let next, let after):
        window.skip(to: next, at: after)
        return (start, error)
      case .complete(let next, let after):
        window.skip(to: next, at: after)
        if !isBlank { return (start, nil) }
      }
    }
  }

  private mutating func readRow() -> CSVRow.Outcome {
    var row = CSVRow(
      window.bytes, from: window.start, cap: limits.recordBytes, at: window.cursor.position,
      isComplete: window.isComplete, separator: separator, file: window.file)
    return row.read(into: &cells)
  }

  private var isBlank: Bool { cells.allSatisfy(\.text.isEmpty) }

  /// The separator in Excel's first line, `sep=;`.
  private mutating func namedSeparator() -> UInt8? {
    let text = Array(window.bytes[window.start...].prefix(10))
    let line = text.prefix { $0 != Byte.newline && $0 != Byte.carriageReturn }
    let word = line.filter { $0 != Byte.quote }.map(\.asciiLowercased)
    guard word.count == 5, word.starts(with: "sep=".utf8), ",;\t|:".utf8.contains(word[4]) else {
      return nil
    }
    let end = text[line.count...].starts(with: [Byte.carriageReturn, Byte.newline]) ? 2 : 1
    let next = min(window.start + line.count + end, window.bytes.count)
    window.skip(to: next, at: TextCursor(line: 2))
    return word[4]
  }

  /// The separator that the first row with words has most of outside of quotes.
  private func usualSeparator() -> UInt8 {
    let counts = Self.separators(in: window.bytes[window.start...].prefix(limits.recordBytes))
    let most = counts.values.max()
    return [separator, Byte.semicolon, Byte.tab, Byte.comma].first { counts[$0] == most }
      ?? separator
  }

  /// How many of each the first row has.
  private static func separators(in text: ArraySlice<UInt8>) -> [UInt8: Int] {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    var hasWords = false
    for byte in text {
      switch byte {
      case Byte.quote: isQuoted.toggle()
      case Byte.comma where !isQuoted, Byte.semicolon where !isQuoted, Byte.tab where !isQuoted:
        counts[byte, default: 0] += 1
      case Byte.newline where !isQuoted, Byte.carriageReturn where !isQuoted:
        if hasWords { return counts }
        counts = [:]
      case Byte.space: break
      default: hasWords = true
      }
    }
    return counts
  }

  private mutating func readHeader() throws(Diagnostic) -> [CSVRow.Cell] {
    separator = namedSeparator() ?? usualSeparator()
    let (start, problem) = try nextRow()
    if let problem { throw problem }
    guard let start else { throw Diagnostic.empty(file: window.file) }
    while cells.last?.text.isEmpty == true { cells.removeLast() }
    guard cells.count <= limits.recordNodes else {
      throw Diagnostic.tooManyValues(limits.recordNodes, file: window.file, at: start)
    }
    var seen: [String: Position] = [:]
    for index in cells.indices where !cells[index].text.isEmpty {
      let cell = cells[index]
      if let problem = self.problem(of: cell) { throw problem }
      if let first = seen[cell.text] {
        headerProblems.append(
          .duplicate(cell.text, file: window.file, at: cell.position, first: first))
        cells[index].text = ""
      } else {
        seen[cell.text] = cell.position
      }
    }
    guard !seen.isEmpty else {
      throw Diagnostic(
        .csvHeader, "no column has a name in the header row", file: window.file, at: start,
        help: "name the columns")
    }
    return cells
  }

  private mutating func record(_ keys: [CSVRow.Cell], at start: Position) -> RecordReader.Finding {
    var problems = headerProblems
    // What is there is read, since a row of a list is a person.
    if cells.count != keys.count { problems.append(wrongCount(keys, at: start)) }
    if !isEncodingTold, let windows = window.windowsStart, windows < window.start {
      isEncodingTold = true
      problems.append(
        Diagnostic(
          .warning, .textEncoding, "the table is no UTF-8, and is read as Windows-1252",
          at: FileLocation(file: window.file, position: start), help: "save it as UTF-8"))
    }
    var entries: [Entry] = []
    entries.reserveCapacity(cells.count)
    for index in cells.indices.prefix(keys.count) {
      let cell = cells[index]
      if cell.text.isEmpty || keys[index].text.isEmpty { continue }
      if let problem = self.problem(of: cell) { return .broken(problem, at: start) }
      let node = Node(.scalar(Scalar(cell.text, style: .plain)), at: cell.position)
      let key = keys[index]
      entries.append(Entry(key: key.text, keyPosition: key.position, value: node))
    }
    headerProblems = []
    return RecordReader.Finding(node: Node(.mapping(entries), at: start), problems: problems)
  }

  private func wrongCount(_ keys: [CSVRow.Cell], at start: Position) -> Diagnostic {
    let isLong = cells.count > keys.count
    return Diagnostic(
      .csvCellCount,
      "the row has \(cells.count) \(cells.count == 1 ? "cell" : "cells"), the header \(keys.count)",
      file: window.file, at: isLong ? cells[keys.count].position : start,
      note: isLong ? nil : "there is none for `\(keys[cells.count].text.brief)`",
      help: isLong
        ? "put cells that contain the separator into double quotes"
        : "leave missing cells empty, but write their separators")
  }

  private func problem(of cell: CSVRow.Cell) -> Diagnostic? {
    limits.problem(ofText: cell.text.utf8, file: window.file, at: cell.position)
  }
}
