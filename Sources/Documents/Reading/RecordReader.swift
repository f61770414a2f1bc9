package import Diagnostics

/// Reads a list, one record after the other.
///
/// A list is a CSV, TSV or Excel table with a header row, JSON Lines, or vCards; a Markdown file has one
/// record. A broken record is reported, and reading continues after it.
package struct RecordReader {
  /// One mapping of a list.
  package struct Record: Hashable, Sendable {
    /// The mapping; of a broken record what was found, or an empty mapping.
    package let node: Node
    /// Whether the record could not be read, so that `node` says nothing.
    package var isBroken = false
    /// Why it is broken, or recoverable problems such as a duplicate key.
    package let problems: [Diagnostic]
    /// The byte between two cells, if the list is a table.
    package var cellSeparator: UInt8?
  }

  /// Sheets of a workbook that are not read.
  package private(set) var otherSheets: [String] = []
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
      otherSheets = book.others
      source = CSVRecords(
        try CleanText([], file: file, syntax: .xlsx, limit: 0), separator: Byte.semicolon,
        limits: limits, sheet: book.rows, headerScore)
    case .csv, .tsv:
      let separator = syntax == .csv ? Byte.comma : Byte.tab
      source = CSVRecords(try text(), separator: separator, limits: limits, headerScore)
    case .jsonLines: source = JSONLineRecords(try text(), limits: limits)
    case .vCard: source = VCardRecords(try text(), limits: limits)
    case .json, .yaml, .toml: preconditionFailure("a document is one tree")
    }
  }

  /// The next record, or nil at the end; must not be called again after it has thrown.
  package mutating func next() throws(Diagnostic) -> Record? {
    guard let record = try source.next() else { return nil }
    count += 1
    guard count <= limits.nodes else {
      throw .tooManyValues(limits.nodes, file: file, at: record.node.position)
    }
    return record
  }
}

/// The records of one text, which `RecordReader` counts.
protocol RecordSource {
  mutating func next() throws(Diagnostic) -> RecordReader.Record?
}

extension RecordReader.Record {
  static func broken(_ problem: Diagnostic, at position: Position) -> Self {
    Self(node: Node(.mapping([]), at: position), isBroken: true, problems: [problem])
  }

  /// A value that should be a mapping.
  static func checked(_ node: Node, problems: [Diagnostic], file: String) -> Self {
    if case .mapping = node.content { return Self(node: node, problems: problems) }
    let problem = Diagnostic(
      .recordNotMapping, "this record is not a mapping", file: file, at: node.position,
      help: "write its values as `key: value`")
    return Self(node: node, isBroken: true, problems: [problem])
  }
}
