/// The repository folder; tests read its docs, templates and samples.
package enum Checkout {
  package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  package static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the code blocks of a page in one language.
  package static func blocks(of language: String, in page: String) throws -> [String] {
    try text(of: page).components(separatedBy: "```\(language)\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
  }
}

/// This package's programs, from the same build as the tests.
package enum BuiltProduct {
  package static let sitegen = path(of: "sitegen")
  package static var worker: String { sitegen + "-worker" }
  /// A `sitegen-worker` that runs an attacker's code when it gets its first request.
  package static let takenOver = path(of: "TakenOver")

  private static func path(of name: String) -> String {
    // This variable is the folder of a different build of the programs.
    if let folder = ProcessInfo.processInfo.environment["SITEGEN_TEST_PROGRAMS"] {
      return "\(folder)/\(name)"
    }
    // On Linux, the test bundle is the running program. Elsewhere, it is one of the arguments.
    let running = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let bundles = CommandLine.arguments.filter { $0.contains(".xctest") }
    for bundle in [running].compactMap(\.self) + bundles {
      let beside = URL(fileURLWithPath: bundle).deletingLastPathComponent()
      let candidate = beside.appendingPathComponent(name).path
      if isProgram(candidate) { return candidate }
    }
    #if DEBUG
      return Checkout.root.appendingPathComponent(".build/debug/\(name)").path
    #else
      return Checkout.root.appendingPathComponent(".build/release/\(name)").path
    #endif
  }

  private static func isProgram(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
      && FileManager.default.isExecutableFile(atPath: path)
  }
}
