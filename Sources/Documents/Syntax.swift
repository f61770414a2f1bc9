/// How a document is written; the extension of its file name says which.
package enum Syntax: Sendable, CaseIterable {
  case yaml
  case json
  /// One JSON object a line.
  case jsonLines
  case csv
  /// CSV with tabs for commas.
  case tsv

  /// Knows `yaml yml json jsonl ndjson csv tsv`, in any case, without the dot.
  package init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "yaml", "yml": self = .yaml
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonLines
    case "csv": self = .csv
    case "tsv": self = .tsv
    default: return nil
    }
  }
}
