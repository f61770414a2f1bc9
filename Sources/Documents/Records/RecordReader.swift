package import Diagnostics

/// Reads a list record by record, however long it is: only one record is held at a time.
///
/// A list is CSV or TSV with a header row, JSON Lines, one JSON array or one YAML sequence. In CSV,
/// TSV and JSON Lines a broken record is reported and reading goes on behind it; in JSON and YAML
/// broken syntax ends the reading. What comes out does not depend on the pieces that `read` returns.
package struct RecordReader: ~Copyable {
  /// One mapping of a list.
  package struct Record: Hashable, Sendable {
    /// Counts from 0; broken records count, blank lines do not.
    package let index: Int
    /// The mapping; empty if the record is broken.
    package let node: Node
    /// Whether the record could not be read, so that `node` says nothing.
    package let isBroken: Bool
    /// What makes it broken, or what can be lived with, such as a duplicate key.
    package let problems: [Diagnostic]
  }

  /// What the reader of one syntax finds, before it is counted.
  struct Finding {
    var node: Node
    var isBroken = false
    var problems: [Diagnostic] = []
  }

  private let advance: () throws(ReadFailure) -> Finding?
  private let file: String
  private let limits: DocumentLimits
  private var count = 0
  private var isDone = false

  /// Reads nothing yet.
  ///
  /// - Parameters:
  ///   - syntax: how the list is written.
  ///   - file: its name, for messages.
  ///   - limits: what it may cost.
  ///   - read: hands over the next bytes, or nil at the end; what it throws, `next` throws.
  package init(
    syntax: Syntax, file: String, limits: DocumentLimits = .standard,
    read: @escaping () throws -> [UInt8]?
  ) {
    self.init(syntax: syntax, file: file, limits: limits, byteLimit: limits.listBytes, read: read)
  }

  init(
    syntax: Syntax, file: String, limits: DocumentLimits, byteLimit: Int,
    read: @escaping () throws -> [UInt8]?
  ) {
    self.file = file
    self.limits = limits
    let window = TextWindow(file: file, syntax: syntax, byteLimit: byteLimit, read: read)
    switch syntax {
    case .csv, .tsv:
      let separator = syntax == .csv ? Byte.comma : Byte.tab
      var records = CSVRecords(window, separator: separator, limits: limits)
      advance = { () throws(ReadFailure) in try records.next() }
    case .jsonLines:
      var records = JSONLineRecords(window, limits: limits)
      advance = { () throws(ReadFailure) in try records.next() }
    case .json:
      var records = JSONArrayRecords(window, limits: limits)
      advance = { () throws(ReadFailure) in try records.next() }
    case .yaml:
      let records = YAMLRecords(window, limits: limits)
      advance = { () throws(ReadFailure) in try records.next() }
    }
  }

  /// The next record, or nil at the end; throws `Diagnostic`, or what `read` throws.
  package mutating func next() throws -> Record? {
    do throws(ReadFailure) {
      return try nextRecord()
    } catch {
      switch error {
      case .document(let problem): throw problem
      case .source(let problem): throw problem
      }
    }
  }

  mutating func nextRecord() throws(ReadFailure) -> Record? {
    guard !isDone else { return nil }
    // Whatever is thrown, nothing is read after it.
    isDone = true
    guard let finding = try advance() else { return nil }
    guard count < limits.records else {
      throw .document(.tooManyRecords(limits, file: file, at: finding.node.position))
    }
    isDone = false
    defer { count += 1 }
    return Record(
      index: count, node: finding.node, isBroken: finding.isBroken, problems: finding.problems)
  }
}

extension RecordReader.Finding {
  /// A record of which nothing can be used.
  static func broken(_ problem: Diagnostic, at position: Position) -> Self {
    Self(node: Node(.mapping([]), at: position), isBroken: true, problems: [problem])
  }

  /// A value that stands where a record should; broken unless it is a mapping.
  init(record node: Node, problems: [Diagnostic], file: String) {
    if case .mapping = node.content {
      self.init(node: node, problems: problems)
    } else {
      self = .broken(.notMapping(node, file: file), at: node.position)
    }
  }
}
