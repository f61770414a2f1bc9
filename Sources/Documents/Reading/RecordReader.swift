package import Diagnostics

/// Reads a list, one record after the other.
///
/// A list is a CSV, TSV or Excel table with a header row, JSON Lines, vCards, or a document that is one
/// list; a Markdown file has one record. In CSV, TSV, vCards and JSON Lines a broken record is reported and
/// reading continues after it. Other documents are read as a whole, so broken syntax is an error.
package struct RecordReader: ~Copyable {
  /// One mapping of a list.
  package struct Record: Hashable, Sendable {
    /// Counts from 0; broken records count, blank lines do not.
    package fileprivate(set) var index = 0
    /// The mapping; of a broken record what was found, or an empty mapping.
    package let node: Node
    /// Whether the record could not be read, so that `node` says nothing.
    package fileprivate(set) var isBroken = false
    /// Why it is broken, or recoverable problems such as a duplicate key.
    package fileprivate(set) var problems: [Diagnostic]
    /// The byte between two cells, if the list is a table.
    package fileprivate(set) var cellSeparator: UInt8?
  }

  private let open: () throws(Diagnostic) -> any RecordSource
  private var source: (any RecordSource)?
  private let file: String
  private let limits: DocumentLimits
  private var count = 0
  private var isDone = false

  /// Reads nothing yet: `next` throws the errors.
  package init(
    _ bytes: [UInt8], syntax: Syntax, file: String, sheet: String? = nil,
    limits: DocumentLimits = .standard
  ) {
    self.file = file
    self.limits = limits
    open = { () throws(Diagnostic) in
      if syntax == .markdown {
        let (record, problems) = try FrontMatter.tree(bytes, file: file, limits: limits)
        return NodeRecords([record], problems: problems, file: file)
      }
      if syntax == .xlsx {
        let rows = try Workbook.rows(of: bytes, sheet: sheet, file: file, limits: limits)
        return try CSVRecords(sheet: rows, file: file, limits: limits)
      }
      let text = try CleanText(bytes, file: file, syntax: syntax, limit: limits.listBytes)
      switch syntax {
      case .csv: return CSVRecords(text, separator: Byte.comma, limits: limits)
      case .tsv: return CSVRecords(text, separator: Byte.tab, limits: limits)
      case .jsonLines: return JSONLineRecords(text, limits: limits)
      case .vCard: return VCardRecords(text, limits: limits)
      case .json, .yaml, .toml, .markdown, .xlsx:
        let (root, problems) = try text.tree(syntax, limits: limits, isList: true)
        guard case .sequence(let items) = root.content else {
          throw Diagnostic.notList(root.content.kind, file: file, at: root.position)
        }
        return NodeRecords(items, problems: problems, file: file)
      }
    }
  }

  /// The next record, or nil at the end.
  package mutating func next() throws(Diagnostic) -> Record? {
    guard !isDone else { return nil }
    // Nothing is read after an error.
    isDone = true
    if source == nil { source = try open() }
    guard var record = try source?.next() else { return nil }
    guard count < limits.records else {
      throw Diagnostic.tooManyRecords(limits, file: file, at: record.node.position)
    }
    isDone = false
    record.index = count
    count += 1
    return record
  }
}

/// The records of one text, which `RecordReader` counts.
protocol RecordSource {
  /// The next record, or nil at the end.
  mutating func next() throws(Diagnostic) -> RecordReader.Record?
}

/// Records out of a tree: the items of its only list, or its front matter.
struct NodeRecords: RecordSource {
  private let file: String
  /// From the last to the first, so that each is freed after its use.
  private var nodes: [Node]
  private var problems: ArraySlice<Diagnostic>

  init(_ nodes: [Node], problems: [Diagnostic], file: String) {
    self.file = file
    self.nodes = nodes.reversed()
    self.problems = problems[...]
  }

  mutating func next() -> RecordReader.Record? {
    guard let node = nodes.popLast() else { return nil }
    // Everything that is wrong before the next item belongs to this one.
    let end = nodes.last?.position
    let own = problems.prefix { problem in
      guard let end, let position = problem.location?.position else { return true }
      return position < end
    }
    problems.removeFirst(own.count)
    return .init(checking: node, problems: Array(own), file: file)
  }
}

extension RecordReader.Record {
  init(_ node: Node, problems: [Diagnostic], cellSeparator: UInt8? = nil) {
    self.node = node
    self.problems = problems
    self.cellSeparator = cellSeparator
  }

  /// A record that cannot be used.
  static func broken(_ problem: Diagnostic, at position: Position) -> Self {
    var record = Self(Node(.mapping([]), at: position), problems: [problem])
    record.isBroken = true
    return record
  }

  /// A value that should be a mapping.
  init(checking node: Node, problems: [Diagnostic], file: String) {
    self.init(node, problems: problems)
    guard case .mapping = node.content else {
      (isBroken, self.problems) = (true, [.notMapping(node, file: file)])
      return
    }
  }
}
