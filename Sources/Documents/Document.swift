package import Diagnostics

/// A document read whole: one tree in which every node knows its position.
package struct Document: Hashable, Sendable {
  /// The name of the file, for messages.
  package let file: String
  package let root: Node
  /// Recoverable problems: duplicate keys, of which the first wins.
  package let problems: [Diagnostic]
  /// YAML reads `color: #fff` as an empty value and a comment: such colours, by their key's position.
  package let colorComments: [Position: String]

  /// Reads JSON, YAML or TOML; `RecordReader` reads the other syntaxes.
  package init(
    reading bytes: [UInt8], syntax: Syntax, file: String, limits: DocumentLimits = .standard
  ) throws(Diagnostic) {
    self.file = file
    let text = try CleanText(bytes, file: file, syntax: syntax, limit: limits.bytes)
    switch syntax {
    case .json:
      var parser = JSONParser(text.bytes, file: file, limits: limits)
      root = try parser.wholeText()
      (problems, colorComments) = (parser.problems, [:])
    case .toml:
      var parser = TOMLParser(text, limits: limits)
      root = try parser.wholeDocument()
      (problems, colorComments) = ([], [:])
    case .yaml:
      var builder = YAMLBuilder(text, limits: limits)
      root = try builder.wholeDocument()
      (problems, colorComments) = (builder.problems, builder.colorComments)
    case .csv, .tsv, .jsonLines, .markdown, .vCard, .xlsx:
      preconditionFailure("a list is not one tree")
    }
  }
}

/// How a document is written; the extension of its file name says which.
package enum Syntax: Sendable, CaseIterable {
  case yaml
  case json
  case toml
  /// One JSON object a line.
  case jsonLines
  case csv
  /// CSV with tabs for commas.
  case tsv
  /// One record, in front of the text.
  case markdown
  case vCard
  /// An Excel workbook, of which one sheet is the list.
  case xlsx

  /// Knows `yaml yml json toml jsonl ndjson csv tsv md mdx markdown vcf vcard xlsx xlsm`, in any case, without the dot.
  package init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "yaml", "yml", "cff": self = .yaml
    case "json", "all-contributorsrc": self = .json
    case "toml": self = .toml
    case "jsonl", "ndjson": self = .jsonLines
    case "csv": self = .csv
    case "tsv": self = .tsv
    case "md", "mdx", "markdown": self = .markdown
    case "vcf", "vcard": self = .vCard
    case "xlsx", "xlsm": self = .xlsx
    default: return nil
    }
  }
}

/// What a document may cost, so that no file can exhaust memory or time.
package struct DocumentLimits: Hashable, Sendable {
  package var bytes = 64 << 20
  /// Levels of nested mappings and sequences.
  package var depth = 32
  /// Values of a whole document, aliases counted with all that they copy, or records of a list; a document of
  /// a million people has nine million.
  package var nodes = 12_000_000
  /// Values that the aliases of a whole document copy.
  package var copiedNodes = 1_000_000
  package var scalarBytes = 4 << 10
  package var dataScalarBytes = 2 << 20
  /// Recoverable problems of a whole document that are kept.
  package var problems = 10_000

  package var listBytes = 512 << 20

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
