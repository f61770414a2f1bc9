import Bytes
import Diagnostics

/// A reader that turns table rows into mappings from header names to non-empty cells.
///
/// All cells become plain scalars, because a quoted cell in CSV is not necessarily text.
struct CSVRecords: RecordSource {
  private let text: CleanText
  private let limits: DocumentLimits
  /// Counts the known column names in a row; returns 0 unless the row is certainly a header.
  private let headerScore: ([String]) -> Int
  private var rows: CSVRows
  private var header: [CSVRows.Cell]?
  /// Problems in the header, reported with the first record because the header is not a record.
  private var headerProblems: [Diagnostic] = []
  private var isEncodingReported = false

  /// Detects the separator in the first row, or falls back to `separator`.
  ///
  /// `sheet` contains a workbook's rows in reverse order.
  init(
    _ text: CleanText, separator: UInt8, limits: DocumentLimits, sheet: [[CSVRows.Cell]]? = nil,
    _ headerScore: @escaping ([String]) -> Int
  ) {
    self.text = text
    self.limits = limits
    self.headerScore = headerScore
    rows = CSVRows(text, separator: separator, maxCells: limits.nodes, sheet: sheet)
  }

  mutating func next() throws(Diagnostic) -> RecordReader.Record? {
    if header == nil { header = try readHeader() }
    do throws(Diagnostic) {
      guard try rows.next() else { return nil }
    } catch {
      return .broken(error, at: rows.start)
    }
    if rows.isComment { return .comment(rows.cells[0].text, at: rows.start) }
    return record(header ?? [])
  }

  private mutating func readHeader() throws(Diagnostic) -> [CSVRows.Cell] {
    rows.findSeparator()
    guard try rows.nextExceptComments() else { throw Diagnostic.empty(file: text.file) }
    var cells = skipTitles()
    while cells.last?.text.isEmpty == true { cells.removeLast() }
    var seen: [String: Position] = [:]
    for index in cells.indices where !cells[index].text.isEmpty {
      let cell = cells[index]
      if let problem = self.problem(of: cell) { throw problem }
      if let first = seen[cell.text] {
        headerProblems.append(
          .duplicate(cell.text, file: text.file, at: cell.position, first: first))
        cells[index].text = ""
      } else {
        seen[cell.text] = cell.position
      }
    }
    guard !seen.isEmpty else {
      throw Diagnostic(
        .csvHeader, "the header row does not name any columns", file: text.file, at: rows.start,
        help: "name the columns")
    }
    return cells
  }

  /// Skips title rows above the header; a title row has one non-empty cell with several words.
  private mutating func skipTitles() -> [CSVRows.Cell] {
    var ahead = rows
    for _ in 0..<10 {
      guard ahead.isSheet || ahead.cells.count > 1,
        ahead.cells.count(where: { !$0.text.isEmpty }) == 1,
        ahead.cells.contains(where: { $0.text.contains(" ") }),
        (try? ahead.nextExceptComments()) == true
      else { break }
      if ahead.cells.count(where: { !$0.text.isEmpty }) > 1 { rows = ahead }
    }
    return secondHeader() ?? rows.cells
  }

  /// Merges two header rows, such as `Name,,Role` above `First,Last,`, into one.
  private mutating func secondHeader() -> [CSVRows.Cell]? {
    let header = rows.cells
    let end = header.lastIndex { !$0.text.isEmpty } ?? 0
    var ahead = rows
    guard (try? ahead.nextExceptComments()) == true,
      zip(header[..<end], ahead.cells).contains(where: { $0.text.isEmpty && !$1.text.isEmpty }),
      headerScore(ahead.cells.map(\.text)) > 1
    else { return nil }
    rows = ahead
    var cells = ahead.cells
    for (index, cell) in header.enumerated() {
      if index == cells.count { cells.append(cell) }
      if cells[index].text.isEmpty { cells[index] = cell }
    }
    return cells
  }

  private mutating func record(_ keys: [CSVRows.Cell]) -> RecordReader.Record {
    let (start, cells) = (rows.start, rows.cells)
    var problems = headerProblems
    // Spreadsheets may add empty cells after the last column.
    let isLong = cells.dropFirst(keys.count).contains { !$0.text.isEmpty }
    if !rows.isSheet, isLong || cells.count < keys.count { problems.append(wrongCount(keys)) }
    if !isEncodingReported, let windows = text.windows, windows.start < rows.index {
      isEncodingReported = true
      problems.append(
        Diagnostic(
          .warning, .textEncoding, "the table is not UTF-8, so it was read as \(windows.name)",
          at: FileLocation(file: text.file, position: start), help: "save it as UTF-8"))
    }
    var entries: [Entry] = []
    entries.reserveCapacity(keys.count)
    for (cell, key) in zip(cells, keys) where !cell.text.isEmpty && !key.text.isEmpty {
      if let problem = self.problem(of: cell) { return .broken(problem, at: start) }
      let node = Node(.scalar(Scalar(cell.text, style: .plain)), at: cell.position)
      entries.append(Entry(key: key.text, keyPosition: key.position, value: node))
    }
    headerProblems = []
    return RecordReader.Record(
      node: Node(.mapping(entries), at: start), problems: problems, cellSeparator: rows.separator,
      hasOnlyFirstCell: entries.count == 1 && keys.count > 1
        && entries[0].key == keys.first { !$0.text.isEmpty }?.text)
  }

  private func wrongCount(_ keys: [CSVRows.Cell]) -> Diagnostic {
    let count = rows.cells.count
    let isLong = count > keys.count
    return Diagnostic(
      .csvCellCount,
      "the row has \(count) \(count == 1 ? "cell" : "cells"), but the header has \(keys.count)",
      file: text.file, at: isLong ? rows.cells[keys.count].position : rows.start,
      note: isLong ? nil : "the cell for `\(keys[count].text.brief)` is missing",
      help: isLong
        ? "put double quotes around cells that contain the separator"
        : "leave missing cells empty, but keep their separators")
  }

  private func problem(of cell: CSVRows.Cell) -> Diagnostic? {
    limits.problem(ofText: cell.text.utf8, file: text.file, at: cell.position)
  }
}
