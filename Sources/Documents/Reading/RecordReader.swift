package import Diagnostics

/// A reader that returns a list's records one by one and continues after a broken record.
package struct RecordReader {
  package struct Record: Hashable, Sendable {
    package let node: Node
    package var isBroken = false
    package let problems: [Diagnostic]
    package var cellSeparator: UInt8?
    package var isComment = false
    package var hasOnlyFirstCell = false
  }

  package private(set) var otherSheets: [String] = []
  /// The last vertically merged cells in a workbook; only their first row contains text.
  package private(set) var merged: (line: Int, cells: String)?
  private var source: any RecordSource
  private let file: String
  private let limits: DocumentLimits
  private var count = 0

  package init(
    _ bytes: [UInt8], syntax: Syntax, file: String, sheet: String? = nil,
    limits: DocumentLimits = .standard, headerScore: @escaping ([String]) -> Int = { _ in 0 }
  ) throws(Diagnostic) {
    self.file = file
    self.limits = limits
    func text() throws(Diagnostic) -> CleanText {
      try CleanText(bytes, file: file, syntax: syntax, limit: limits.listBytes)
    }
    switch syntax {
    case .markdown: source = try FrontMatter(bytes, file: file, limits: limits)
    case .xlsx:
      let book = try Workbook.rows(of: bytes, sheet: sheet, file: file, limits: limits)
      (otherSheets, merged) = (book.others, book.merged)
      source = CSVRecords(
        try CleanText([], file: file, syntax: .xlsx, limit: 0), separator: Byte.semicolon,
        limits: limits, sheet: book.rows, headerScore)
    case .csv, .tsv:
      let separator = syntax == .csv ? Byte.comma : Byte.tab
      source = CSVRecords(try text(), separator: separator, limits: limits, headerScore)
    case .jsonLines: source = JSONLineRecords(try text(), limits: limits)
    case .vCard: source = VCardRecords(try text(), limits: limits)
    case .json, .yaml, .toml: preconditionFailure("`Document` reads this format")
    }
  }

  /// Returns the next record, or nil at the end; must not be called after an error.
  package mutating func next() throws(Diagnostic) -> Record? {
    guard let record = try source.next() else { return nil }
    count += 1
    guard count <= limits.nodes else {
      throw .tooManyValues(limits.nodes, file: file, at: record.node.position)
    }
    return record
  }
}

protocol RecordSource {
  mutating func next() throws(Diagnostic) -> RecordReader.Record?
}

extension RecordReader.Record {
  static func broken(_ problem: Diagnostic, at position: Position) -> Self {
    Self(node: Node(.mapping([]), at: position), isBroken: true, problems: [problem])
  }

  static func comment(_ text: String, at position: Position) -> Self {
    let entry = Entry(key: "comment", keyPosition: position, value: .text(text, at: position))
    return Self(
      node: Node(.mapping([entry]), at: position), isBroken: true, problems: [], isComment: true)
  }

  static func checked(_ node: Node, problems: [Diagnostic], file: String) -> Self {
    if case .mapping = node.content { return Self(node: node, problems: problems) }
    let problem = Diagnostic(
      .recordNotMapping, "this record is not a mapping", file: file, at: node.position,
      help: "write its values as `key: value`")
    return Self(node: node, isBroken: true, problems: [problem])
  }
}
