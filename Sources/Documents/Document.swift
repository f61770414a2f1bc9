package import Diagnostics

package struct Document: Hashable, Sendable {
  package let file: String
  package let root: Node
  /// Recoverable problems, such as a repeated key, of which only the first value is used.
  package let problems: [Diagnostic]
  private let yaml: [UInt8]?

  /// Reads JSON, YAML or TOML; `RecordReader` reads the other formats.
  package init(
    reading bytes: [UInt8], syntax: Syntax, file: String, limits: DocumentLimits = .standard
  ) throws(Diagnostic) {
    self.file = file
    let text = try CleanText(bytes, file: file, syntax: syntax, limit: limits.bytes)
    yaml = syntax == .yaml ? text.bytes : nil
    switch syntax {
    case .json:
      var parser = JSONParser(text.bytes, file: file, limits: limits)
      root = try parser.wholeText()
      problems = parser.problems
    case .toml:
      var parser = TOMLParser(text, limits: limits)
      root = try parser.wholeDocument()
      problems = []
    case .yaml:
      var builder = YAMLBuilder(text, limits: limits)
      root = try builder.wholeDocument()
      problems = builder.problems
    case .csv, .tsv, .jsonLines, .markdown, .vCard, .xlsx:
      preconditionFailure("`RecordReader` reads this format")
    }
  }

  package var colorComments: ColorComments? { yaml.map(ColorComments.init) }
}

package enum Syntax: Sendable, CaseIterable {
  case yaml
  case json
  case toml
  case jsonLines
  case csv
  case tsv
  case markdown
  case vCard
  case xlsx

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

package struct DocumentLimits: Hashable, Sendable {
  package var bytes = 64 << 20
  package var depth = 32
  /// The maximum number of values, including alias copies; a million people need nine million.
  package var nodes = 12_000_000
  package var copiedNodes = 1_000_000
  package var scalarBytes = 4 << 10
  package var dataScalarBytes = 2 << 20
  package var problems = 10_000

  package var listBytes = 512 << 20

  package init() {}

  package static let standard = DocumentLimits()

  func problem(
    ofText text: some Collection<UInt8>, file: String, at position: Position
  ) -> Diagnostic? {
    let count = text.count
    guard count > scalarBytes else { return nil }
    let limit = text.starts(with: "data:".utf8) ? dataScalarBytes : scalarBytes
    guard count > limit else { return nil }
    return Diagnostic(
      .scalarTooLong, "the text is \(count) bytes long; the limit is \(limit)",
      file: file, at: position, help: "check for an unclosed quote, or shorten the text")
  }
}
