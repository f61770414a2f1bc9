import Build
import Diagnostics
import Files
import Foundation
import Preview

/// A loop that rebuilds the site after each change, until a signal stops it.
final class RebuildLoop: Sendable {
  private struct State {
    var printed: [Diagnostic] = []
    var problems: [LiveProblem] = []
    /// Whether a retry is scheduled because another build held the lock.
    var isRetryDue = false
  }

  private static let retryPause = DispatchTimeInterval.milliseconds(500)

  private let options: BuildOptions
  private let rebuilder: Rebuilder
  private let coalescer: Coalescer
  private let printer: Printer
  private let meter: ProgressMeter
  /// Sends updates to pages that are open in a browser; nil for `build --watch`.
  private let live: LiveChannel?
  private let state = Locked(State())

  /// To end the loop, trigger the cancellation and call `stop`.
  init(
    _ arguments: RawArguments, _ options: BuildOptions, _ console: Console,
    _ cancellation: Cancellation, live: LiveChannel? = nil
  ) {
    let meter = ProgressMeter(console, isQuiet: arguments.isQuiet)
    let rebuilder = Rebuilder(options, cancellation: cancellation) { meter.show($0) }
    self.options = options
    printer = Printer(console, isQuiet: arguments.isQuiet)
    self.rebuilder = rebuilder
    self.meter = meter
    self.live = live
    coalescer = Coalescer { rebuilder.cancelForNewerBuild() }
  }

  /// Prevents further builds; `run` returns when the current one ends.
  func stop() { coalescer.close() }

  func run() {
    let printer = printer
    var paths = watched
    // Watch before the first file is read, so that no change is missed.
    let watcher = Watcher(paths, into: coalescer) { reason in
      printer.say("polling for changes: \(reason)")
    }
    defer {
      watcher.stop()
      rebuilder.close()
    }
    var changes: [FileChange]? = []
    /// Changes since the last rebuild that was neither superseded nor locked out.
    var earlier: Set<FileChange> = []
    var isSecondLook = false
    while let batch = changes {
      earlier.formUnion(batch)
      if finish(rebuilder.rebuild(), after: earlier.sorted(), isSecondLook) { earlier = [] }
      let now = watched
      if now != paths, !isSecondLook {
        // Changes in newly watched paths may have been missed, so rebuild once more.
        watcher.watch(now)
        paths = now
        isSecondLook = true
        changes = []
      } else {
        isSecondLook = false
        changes = coalescer.next()
      }
    }
  }

  private var watched: [WatchedPath] {
    let list = rebuilder.watchList
    let own = Set(list.own)
    return list.paths.map { WatchedPath($0, ignoring: own) }
  }

  /// Reports a rebuild; returns false if the next one must include these changes again.
  ///
  /// A successful rebuild after the first is reported only if it rendered images or changed files.
  private func finish(
    _ rebuilt: Rebuilt, after changes: [FileChange], _ isSecondLook: Bool
  ) -> Bool {
    meter.finish()
    switch rebuilt {
    case .superseded: return false
    case .built(let result, let changed):
      report(result.diagnostics.sorted, all: result.diagnostics)
      let counters = result.report.counters
      // If standard output goes to a watched file, a line per build would cause endless rebuilds.
      if changes.isEmpty && !isSecondLook
        || counters.renders + counters.written + counters.removed > 0
      {
        printer.say(
          RebuildLine(changes, output: options.output)
            .text(of: result, isFirst: changes.isEmpty && !isSecondLook))
      }
      let problems = result.diagnostics.excerpt(limit: 50).shown
      show(LiveUpdate(paths: changed, problems: problems.map { LiveProblem($0) }))
      return true
    case .failed(.cancelled): return true
    case .failed(.locked(let diagnostic)):
      report([diagnostic])
      let isRetryDue = state.withLock { state in
        defer { state.isRetryDue = true }
        return state.isRetryDue
      }
      if !isRetryDue {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.retryPause) { [self] in
          state.withLock { $0.isRetryDue = false }
          coalescer.commit(.anything)
        }
      }
      return false
    case .failed(let failure):
      let diagnostics =
        (failure.refused == nil ? [] : [.nothingPublished])
        + failure.problems.excerpt(
          atLeast: failure.refused == nil ? .error : .warning, limit: 50
        ).shown
      if isSecondLook, state.withLock({ $0.printed == diagnostics }) { return true }
      report(diagnostics)
      printer.say(RebuildLine(changes, output: options.output).failed)
      let problems = diagnostics.map { LiveProblem($0) }
      show(LiveUpdate(paths: [], problems: problems, isBuilt: false))
      return true
    }
  }

  private func show(_ update: LiveUpdate) {
    let isNews = state.withLock { state in
      defer { state.problems = update.problems }
      return update.paths != [] || !update.isBuilt || state.problems != update.problems
    }
    if isNews { live?.send(update) }
  }

  /// If `list` has changed since the last call, prints an excerpt of `all`, or every item of `list`
  /// if `all` is nil.
  private func report(_ list: [Diagnostic], all: Diagnostics? = nil) {
    let isNews = state.withLock { state in
      defer { state.printed = list }
      return state.printed != list
    }
    guard isNews else { return }
    if let all { printer.problems(all) } else { for one in list { printer.problem(one) } }
  }
}

extension LiveProblem {
  fileprivate init(_ diagnostic: Diagnostic) {
    let path = diagnostic.path.map { "\($0): " } ?? ""
    self.init(
      severity: diagnostic.severity.rawValue, message: path + diagnostic.message,
      place: diagnostic.location?.description,
      details: [diagnostic.note, diagnostic.help].compactMap(\.self))
  }
}

struct RebuildLine {
  private let what: String

  /// Creates a line that names the sorted changes or, for the first build, the output.
  init(_ changes: [FileChange], output: String) {
    // List existing files first, because missing ones are mostly editors' temporary files.
    let changes = changes.filter(Self.exists) + changes.filter { !Self.exists($0) }
    let here = FileManager.default.currentDirectoryPath + "/"
    let names = changes.map { change in
      switch change {
      case .path(let path): path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
      case .anything: "unknown changes"
      }
    }
    let shown = names.prefix(3).joined(separator: ", ")
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    what = names.isEmpty ? output : shown + more
  }

  func text(of result: BuildResult, isFirst: Bool) -> String {
    let counters = result.report.counters
    let done = [
      (counters.renders, "\(BuildSummary.count(counters.renders, "image")) rendered"),
      (counters.written, "\(BuildSummary.count(counters.written, "file")) written"),
      (counters.removed, "\(counters.removed) removed"),
      (counters.superseded, "\(counters.superseded) superseded"),
    ].filter { $0.0 > 0 }.map(\.1)
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

  var failed: String { "\(what): not built; the site is unchanged" }
}
