import Foundation

/// Texts as shells and YAML read them, for the files of schedulers.
extension String {
  /// One word of a shell, whatever is in it.
  var shellWord: String { "'\(replacingOccurrences(of: "'", with: "'\\''"))'" }

  /// A text in YAML; it has no control characters.
  var yamlText: String {
    "\"\(replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\""))\""
  }

  /// A name in Kubernetes: it has no capitals, and no `-` at its end.
  var kubernetesName: String {
    String(lowercased().reversed().drop { $0 == "-" }.reversed())
  }

  var wholePath: String { URL(fileURLWithPath: self).standardizedFileURL.path }

  /// All lines but the first, further to the right: for a place that is so far to the right itself.
  func indented(_ spaces: Int) -> String {
    replacingOccurrences(of: "\n", with: "\n" + String(repeating: " ", count: spaces))
  }
}

extension [String] {
  var shellWords: String { map(\.shellWord).joined(separator: " ") }

  /// A list in YAML, on one line.
  var yamlList: String { "[\(map(\.yamlText).joined(separator: ", "))]" }
}
