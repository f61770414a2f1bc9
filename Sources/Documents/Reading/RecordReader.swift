package import Diagnostics

/// Reads a list record by record; only one tree is in memory at a time.
///
/// A list is CSV or TSV with a header row, JSON Lines, vCards, one JSON array or one YAML
/// sequence; a Markdown file has one record. In CSV, TSV, vCards and JSON Lines a broken record is reported and reading
/// continues after it; in the others broken syntax ends the reading.
package struct RecordReader: ~Copyable {
  /// One mapping of a list.
  package struct Record: Hashable, Sendable {
    /// Counts from 0; broken records count, blank lines do not.
    package let index: Int
    /// The mapping; of a broken record what was found, or an empty mapping.
    package let node: Node
    /// Whether the record could not be read, so that `node` says nothing.
    package let isBroken: Bool
    /// Why it is broken, or recoverable problems such as a duplicate key.
    package let problems: [Diagnostic]
    /// Of a table: what stands between its cells.
    package let cellSeparator: UInt8?
  }

  /// A record as the reader of one syntax returns it, before it is counted.
  struct Finding {
    var node: Node
    var isBroken = false
    var problems: [Diagnostic] = []
    var cellSeparator: UInt8?
  }

  private let advance: () throws(Diagnostic) -> Finding?
  private let file: String
  private let limits: DocumentLimits
  private var count = 0
  private var isDone = false

  /// Reads nothing yet: `next` throws the errors.
  package init(
    _ text: [UInt8], syntax: Syntax, file: String, limits: DocumentLimits = .standard,
    byteLimit: Int? = nil
  ) {
    self.file = file
    self.limits = limits
    let window = TextWindow(
      text, file: file, syntax: syntax, byteLimit: byteLimit ?? limits.listBytes)
    switch syntax {
    case .csv, .tsv:
      let separator = syntax == .csv ? Byte.comma : Byte.tab
      var records = CSVRecords(window, separator: separator, limits: limits)
      advance = { () throws(Diagnostic) in try records.next() }
    case .jsonLines:
      var records = JSONLineRecords(window, limits: limits)
      advance = { () throws(Diagnostic) in try records.next() }
    case .json:
      var records = JSONArrayRecords(window, limits: limits)
      advance = { () throws(Diagnostic) in try records.next() }
    case .yaml:
      let input = YAMLInput(window, awaiting: limits.recordBytes)
      let builder = YAMLBuilder(input, limits: limits)
      advance = { () throws(Diagnostic) in try builder.nextRecord() }
    case .vCard:
      var records = VCardRecords(window, limits: limits)
      advance = { () throws(Diagnostic) in try records.next() }
    case .markdown:
      var window: TextWindow? = window
      advance = { () throws(Diagnostic) in
        defer { window = nil }
        guard let text = window else { return nil }
        return try FrontMatter.record(text, limits: limits)
      }
    }
  }

  /// The next record, or nil at the end.
  package mutating func next() throws(Diagnostic) -> Record? {
    guard !isDone else { return nil }
    // Nothing is read after an error.
    isDone = true
    guard let finding = try advance() else { return nil }
    guard count < limits.records else {
      throw Diagnostic.tooManyRecords(limits, file: file, at: finding.node.position)
    }
    isDone = false
    defer { count += 1 }
    return Record(
      index: count, node: finding.node, isBroken: finding.isBroken, problems: finding.problems,
      cellSeparator: finding.cellSeparator)
  }
}

extension RecordReader.Finding {
  /// A record that cannot be used.
  static func broken(_ problem: Diagnostic, at position: Position) -> Self {
    Self(node: Node(.mapping([]), at: position), isBroken: true, problems: [problem])
  }

  /// A value that should be a record; broken unless it is a mapping.
  init(record node: Node, problems: [Diagnostic], file: String) {
    if case .mapping = node.content {
      self.init(node: node, problems: problems)
    } else {
      self.init(node: node, isBroken: true, problems: [.notMapping(node, file: file)])
    }
  }
}
