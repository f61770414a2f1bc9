package struct SampleRepository {
  /// An environment that excludes this machine's git settings.
  package static let environment = RunningProgram.usualEnvironment
    .filter { !$0.key.hasPrefix("GIT_") }
    .merging(["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"]) { $1 }

  package let path: String

  package init(_ name: String = "repo", in folder: TemporaryFolder) throws {
    try folder.makeFolder(name)
    path = folder.path(of: name)
    try git("init", "--quiet", "--initial-branch=main")
  }

  @discardableResult
  package func git(_ words: String...) throws -> String {
    let run = try RunningProgram(["git", "-C", path] + words, environment: Self.environment)
      .ending()
    guard run.status == 0 else { throw CocoaError(.fileReadUnknown, userInfo: ["git": run.err]) }
    return run.out.trimmingCharacters(in: .newlines)
  }

  package func commit(
    _ name: String, _ mail: String, with others: [String] = [], _ more: String = "--no-gpg-sign"
  ) throws {
    let lines = ["Change it", ""] + others.map { "Co-authored-by: \($0)" }
    try git(
      "-c", "user.name=\(name)", "-c", "user.email=\(mail)", "commit", "-q", "--allow-empty", more,
      "-m", lines.joined(separator: "\n"))
  }
}
