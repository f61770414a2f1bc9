/// Validates manifests with jsonschema from PyPI, in a process that runs as long as the tests.
package final class SchemaOracle: @unchecked Sendable {
  private static let python = Checkout.root.appending(path: ".test-tools/bin/python").path
  package static let need = Need("jsonschema (script/bootstrap test)") {
    FileManager.default.fileExists(atPath: python) && shared != nil
  }
  /// The shared process, or nil if the tools are not installed.
  package static let shared = try? SchemaOracle()

  private let lock = NSLock()
  private let process = Process()
  private let question = Pipe()
  private let answer = Pipe()
  private let folder = TemporaryFolder()
  /// Known results, because many tests use the same manifest with different files.
  private var known: [String: [String]] = [:]

  private init() throws {
    try folder.write(ManifestSchema.text, to: "schema.json")
    process.executableURL = URL(fileURLWithPath: Self.python)
    process.arguments = [
      "-B", Checkout.root.appending(path: "script/schema_check.py").path,
      folder.path(of: "schema.json"),
    ]
    process.standardInput = question
    process.standardOutput = answer
    try process.run()
    _ = try places(in: "{}")
  }

  /// Returns the paths at which a document violates the schema.
  package func places(in root: Node) throws -> [String] { try places(in: root.editorJSON) }

  private func places(in json: String) throws -> [String] {
    try lock.withLock {
      if let places = known[json] { return places }
      try question.fileHandleForWriting.write(contentsOf: Data((json + "\n").utf8))
      var line = Data()
      while line.last != UInt8(ascii: "\n") {
        let more = answer.fileHandleForReading.availableData
        if more.isEmpty { throw CocoaError(.fileReadUnknown) }
        line += more
      }
      let places = try JSONDecoder().decode([String].self, from: line)
      known[json] = places
      return places
    }
  }

  /// Returns whether a problem depends on other values or files, so that no schema can find it.
  private static func isBeyond(_ problem: Diagnostic) -> Bool {
    let path = problem.path ?? ""
    switch problem.id {
    case "unknown-style", "unknown-user", "unknown-decoration", "style-cycle", "duplicate-name",
      "duplicate-id", "duplicate-key", "conflict", "empty-color", "jpeg-needs-background",
      "no-users",
      "bad-network", "bad-link", "bad-address", "users-unreadable":
      return true
    case "missing-key":
      return ["exports", "icons.from"].contains(path) || path.contains(".dark.")
        || problem.message.hasPrefix("`dot` or `badge` is missing")
    case "unknown-value": return path.hasPrefix("users.from")
    // The schema does not check capitals in colour names, `color:` words, or numbers as names.
    case "bad-color": return problem.message.contains(/"([a-z]*[A-Z][A-Za-z]*|color:[a-z]+)"/)
    case "bad-name", "bad-language": return problem.message.contains(/"[-+.0-9e]+"/)
    case "bad-text": return path.hasPrefix("users.fields")
    case "out-of-range":
      return problem.message.contains(" pixels") || problem.message.contains("too large")
        || problem.message.contains("too tall")
    // YAML reads this value as a string.
    case "wrong-type":
      return ["true", "false"].contains { problem.message.hasSuffix("text, got \($0)") }
    default: return false
    }
  }

  /// Returns the differences between the problems found by the schema and by the reader.
  package func disagreements(on document: Document, _ problems: Diagnostics) throws -> [String] {
    let found = Set(try places(in: document.root))
    let own = problems.sorted.filter {
      let isOfUser = $0.path?.hasPrefix("users[") == true
      return ($0.severity == .error || $0.severity == .warning && isOfUser)
        && $0.location?.file == document.file
    }
    // The reader limits the number of problems, and skips all other checks for an unknown version.
    if own.count > 900 || own.contains(where: { $0.id == "version-unknown" }) { return [] }
    // If a whole value is wrong, the reader does not report problems inside it.
    func isWithin(_ place: String, _ problem: Diagnostic) -> Bool {
      guard let path = problem.path else { return place.isEmpty || problem.id == "version-missing" }
      return place == path || place.hasPrefix(path + "[") || place.hasPrefix(path + ".")
    }
    let extra = found.filter { place in !own.contains { isWithin(place, $0) } }
    let missed = own.filter { problem in
      let isFound =
        problem.id.hasSuffix("-missing") || problem.id == "missing-key"
        ? found.contains { $0 == "" || isWithin($0, problem) } : found.contains(problem.path ?? "")
      return !isFound && !Self.isBeyond(problem)
    }
    return extra.sorted().map { "only the schema complains about \($0)" }
      + missed.map { "only the reader complains about \($0.path ?? ""): \($0.message)" }
  }
}

extension Node {
  /// The value as JSON, as an editor reads it according to YAML 1.2.
  fileprivate var editorJSON: String {
    func quoted(_ text: String) -> String {
      String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }
    switch content {
    case .sequence(let items): return "[" + items.map(\.editorJSON).joined(separator: ",") + "]"
    case .mapping(let entries):
      return "{"
        + entries.map { quoted($0.key) + ":" + $0.value.editorJSON }.joined(separator: ",") + "}"
    case .scalar(let scalar):
      switch scalar.style {
      case .null: return "null"
      case .number, .boolean: return scalar.text
      case .quoted: return quoted(scalar.text)
      case .plain:
        if ["", "~", "null", "Null", "NULL"].contains(scalar.text) { return "null" }
        // Other spellings of booleans and numbers are strings here; the reader also rejects them.
        if ["true", "false"].contains(scalar.text) { return scalar.text }
        let isNumber = scalar.text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/)
        return isNumber == nil ? quoted(scalar.text) : scalar.text
      }
    }
  }
}
