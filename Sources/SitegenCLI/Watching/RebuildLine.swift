import Build
import Foundation
import Preview

/// The one line that says what changed, what was done about it, and how long that took.
struct RebuildLine {
  private let what: String

  /// - Parameters:
  ///   - changes: Sorted.
  ///   - options: Say how the site is called.
  init(_ changes: [FileChange], ignoring options: BuildOptions) {
    // What is gone is mostly the name that an editor gave a file for a moment.
    let changes =
      changes.filter { if case .path(let path) = $0 { Self.isThere(path) } else { true } }
      + changes.filter { if case .path(let path) = $0 { !Self.isThere(path) } else { false } }
    let here = FileManager.default.currentDirectoryPath + "/"
    let names = changes.map { change in
      switch change {
      case .path(let path): path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
      case .anything: "anything"
      }
    }
    let shown = names.prefix(3).joined(separator: ", ")
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    what = names.isEmpty ? options.output : shown + more
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

  private static func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  var failed: String { "\(what): not built; the site is as it was" }
}
