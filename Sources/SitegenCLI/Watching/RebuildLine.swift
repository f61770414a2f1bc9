import Build
import Foundation
import Preview

/// The line for one rebuild: what changed, what was done, and how long it took.
struct RebuildLine {
  private let what: String

  /// - Parameters:
  ///   - changes: Sorted; none for the first build.
  ///   - output: Named where there are no changes.
  init(_ changes: [FileChange], output: String) {
    // Existing files first: a missing one is mostly the name of an editor's temporary file.
    let changes = changes.filter(Self.exists) + changes.filter { !Self.exists($0) }
    let here = FileManager.default.currentDirectoryPath + "/"
    let names = changes.map { change in
      switch change {
      case .path(let path): path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
      case .anything: "anything"
      }
    }
    let shown = names.prefix(3).joined(separator: ", ")
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    what = names.isEmpty ? output : shown + more
  }

  func text(of result: BuildResult, isFirst: Bool) -> String {
    let counters = result.report.counters
    var done: [String] = []
    if counters.renders > 0 {
      done.append("\(BuildSummary.count(counters.renders, "image")) rendered")
    }
    if counters.written > 0 {
      done.append("\(BuildSummary.count(counters.written, "file")) written")
    }
    if counters.removed > 0 { done.append("\(counters.removed) removed") }
    if counters.superseded > 0 { done.append("\(counters.superseded) superseded") }
    let users = isFirst ? BuildSummary.count(result.report.users.total, "user") + "; " : ""
    let failed = result.report.users.failed
    let flaws = failed > 0 ? "; \(failed) failed" : ""
    return "\(what): \(users)" + (done.isEmpty ? "nothing to do" : done.joined(separator: ", "))
      + flaws + " (\(BuildSummary.seconds(result.report.seconds.values.reduce(0, +))))"
  }

  private static func exists(_ change: FileChange) -> Bool {
    guard case .path(let path) = change else { return true }
    return FileManager.default.fileExists(atPath: path)
  }

  var failed: String { "\(what): not built; the site is as it was" }
}
