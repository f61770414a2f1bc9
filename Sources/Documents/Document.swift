package import Diagnostics

/// A document read whole: one tree in which every node knows its position.
package struct Document: Hashable, Sendable {
  /// The name of the file, for messages.
  package let file: String
  package let root: Node
  /// Recoverable problems: duplicate keys (the first wins), broken rows of a list.
  package let problems: [Diagnostic]
  /// YAML reads `color: #fff` as an empty value and a comment: such colours, by their key's position.
  package private(set) var colorComments: [Position: String] = [:]

  /// Reads a text; all but JSON and YAML become a sequence of mappings without broken records.
  package init(
    reading bytes: [UInt8], syntax: Syntax, file: String, limits: DocumentLimits = .standard
  ) throws(Diagnostic) {
    self.file = file
    let window = TextWindow(bytes, file: file, syntax: syntax, byteLimit: limits.bytes)
    switch syntax {
    case .json:
      try window.checkEnd()
      var parser = JSONParser(
        window.bytes, in: window.start..<window.bytes.count, at: window.cursor, file: file,
        limits: limits, nodeLimit: limits.nodes)
      root = try parser.wholeText()
      problems = parser.log.problems
    case .yaml:
      let builder = YAMLBuilder(YAMLInput(window, awaiting: .max), limits: limits)
      root = try builder.wholeDocument()
      problems = builder.log.problems
      colorComments = builder.colorComments
    case .csv, .tsv, .jsonLines, .markdown, .vCard:
      var reader = RecordReader(
        bytes, syntax: syntax, file: file, limits: limits, byteLimit: limits.bytes)
      var log = ProblemLog(limit: limits.problems)
      var nodes: [Node] = []
      while let record = try reader.next() {
        for problem in record.problems { log.append(problem) }
        if !record.isBroken { nodes.append(record.node) }
      }
      root = Node(.sequence(nodes), at: Position(line: 1, column: 1))
      problems = log.problems
    }
  }
}

/// How a document is written; the extension of its file name says which.
package enum Syntax: Sendable, CaseIterable {
  case yaml
  case json
  /// One JSON object a line.
  case jsonLines
  case csv
  /// CSV with tabs for commas.
  case tsv
  /// One record, in front of the text.
  case markdown
  case vCard

  /// Knows `yaml yml json jsonl ndjson csv tsv md mdx markdown vcf vcard`, in any case, without the dot.
  package init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "yaml", "yml": self = .yaml
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonLines
    case "csv": self = .csv
    case "tsv": self = .tsv
    case "md", "mdx", "markdown": self = .markdown
    case "vcf", "vcard": self = .vCard
    default: return nil
    }
  }
}

/// What a document may cost, so that no file can exhaust memory or time.
///
/// Limits are checked while reading: a file over a limit is refused before it is read to its end.
package struct DocumentLimits: Hashable, Sendable {
  /// Bytes of a document that is read whole.
  package var bytes = 64 << 20
  /// Levels of nested mappings and sequences.
  package var depth = 32
  /// Values of a whole document, aliases counted with all that they copy.
  package var nodes = 8_000_000
  /// Values that the aliases of a whole document copy.
  package var copiedNodes = 1_000_000
  /// Bytes of one text.
  package var scalarBytes = 4 << 10
  /// Bytes of one text that starts with `data:`.
  package var dataScalarBytes = 2 << 20
  /// Recoverable problems that are kept of a whole document; one more tells that there were others.
  package var problems = 10_000

  /// Bytes of a list that is read record by record.
  package var listBytes = 512 << 20
  /// Records of a list.
  package var records = 20_000_000
  /// Bytes of one record.
  package var recordBytes = 8 << 20
  /// Values of one record, aliases counted with all that they copy.
  package var recordNodes = 10_000

  package init() {}

  package static let standard = DocumentLimits()

  /// The error about a text that is too long, nil if it is not.
  func problem(
    ofText text: some Collection<UInt8>, file: String, at position: Position
  ) -> Diagnostic? {
    let count = text.count
    guard count > scalarBytes else { return nil }
    let limit = text.starts(with: "data:".utf8) ? dataScalarBytes : scalarBytes
    guard count > limit else { return nil }
    return Diagnostic(
      .scalarTooLong, "a text of \(count) bytes is longer than the \(limit) bytes allowed",
      file: file, at: position, help: "check for a quote that is never closed, or shorten the text")
  }
}
