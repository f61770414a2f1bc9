import Build
import Diagnostics
import Files
import Foundation
import Preview

/// Builds, waits for a change and builds again, until a signal ends it.
final class RebuildLoop: Sendable {
  private struct State {
    var printed: [Diagnostic] = []
    var hasFailed = false
    /// Whether another try is due, since another build holds the lock of the output.
    var isRetryDue = false
  }

  /// Between two tries to get the lock of the output.
  private static let retryPause = DispatchTimeInterval.milliseconds(500)

  private let options: BuildOptions
  private let rebuilder: Rebuilder
  private let coalescer: Coalescer
  private let printer: Printer
  private let meter: ProgressMeter
  /// Nil for `build --watch`.
  private let live: LiveChannel?
  private let state = Guarded(State())

  /// - Parameters:
  ///   - arguments: Of `build --watch` and of `serve`.
  ///   - console: Gets a line for each rebuild.
  ///   - cancellation: Ends it; whoever triggers it calls `stop` too.
  ///   - live: Gets what open pages must know.
  init(
    _ arguments: RawArguments, _ console: Console, _ cancellation: Cancellation,
    live: LiveChannel? = nil
  ) {
    let meter = ProgressMeter(console, style: arguments.progressStyle)
    let rebuilder = Rebuilder(arguments.buildOptions, cancellation: cancellation) { event in
      switch event {
      case .progress(let event): meter.show(event)
      case .swapped(let images): live?.send(.swapped(images))
      case .published(let paths): live?.send(.changed(paths))
      // Replaces the page that says that a file is missing.
      case .provisional: live?.send(.changed(["index.html"]))
      }
    }
    options = arguments.buildOptions
    printer = Printer(console, volume: arguments.volume)
    self.rebuilder = rebuilder
    self.meter = meter
    self.live = live
    coalescer = Coalescer { rebuilder.giveWay() }
  }

  /// A file of the site that is not in the output.
  func fallback(for path: String) -> FallbackFile? {
    rebuilder.fallback(for: path).map { FallbackFile(bytes: $0.bytes, isForEver: $0.isForEver) }
  }

  /// Starts no further build; `run` returns when the current one has ended.
  func stop() { coalescer.close() }

  /// Returns when it was stopped.
  func run() {
    let printer = printer
    var paths = watched
    // Before the first file is read, so that no change is missed.
    let watcher = Watcher(paths, into: coalescer) { notice in
      switch notice {
      case .polling(let reason):
        printer.say("looking at the files every so often, since \(reason)")
      }
    }
    defer {
      watcher.stop()
      rebuilder.close()
    }
    var changes: [FileChange]? = []
    /// What superseded rebuilds have left to do.
    var earlier: Set<FileChange> = []
    var isSecondLook = false
    while let batch = changes {
      earlier.formUnion(batch)
      let rebuilt = rebuilder.rebuild(Self.paths(batch))
      if finish(rebuilt, after: earlier.sorted(), isSecondLook) { earlier = [] }
      let now = watched
      if now != paths, !isSecondLook {
        // A change there before this moment is not in any batch, so we look again.
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
    return list.places.map { WatchedPath($0, ignoring: own) }
  }

  /// Nil when anything may have changed.
  private static func paths(_ changes: [FileChange]) -> [String]? {
    var paths: [String] = []
    for change in changes {
      guard case .path(let path) = change else { return nil }
      paths.append(path)
    }
    return paths
  }

  // MARK: - Messages

  /// False when the next rebuild must do what this one left undone.
  ///
  /// A second look is mentioned only if it has found something.
  private func finish(
    _ rebuilt: Rebuilt, after changes: [FileChange], _ isSecondLook: Bool
  ) -> Bool {
    meter.finish()
    switch rebuilt {
    case .superseded:
      return false
    case .built(let result):
      tell(result.diagnostics)
      if !isSecondLook || result.report.hasDoneSomething {
        printer.say(
          RebuildLine(changes, output: options.output)
            .text(of: result, isFirst: changes.isEmpty && !isSecondLook))
      }
      let wasWrong = state.withLock { state in
        defer { state.hasFailed = false }
        return state.hasFailed
      }
      if wasWrong { live?.send(.mended) }
      return true
    case .failed(.cancelled):
      return true
    case .failed(.locked(let diagnostic)):
      tell([diagnostic])
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
      let diagnostics = failure.problems
      if isSecondLook, state.withLock({ $0.printed == diagnostics }) { return true }
      tell(diagnostics)
      printer.say(RebuildLine(changes, output: options.output).failed)
      state.withLock { $0.hasFailed = true }
      live?.send(.failed(diagnostics.prefix(50).map { LiveProblem($0) }))
      return true
    }
  }

  /// Says nothing that was said the last time.
  private func tell(_ diagnostics: Diagnostics) { tell(diagnostics.sorted, all: diagnostics) }

  private func tell(_ list: [Diagnostic], all: Diagnostics? = nil) {
    let isNews = state.withLock { state in
      defer { state.printed = list }
      return state.printed != list
    }
    guard isNews else { return }
    if let all { printer.problems(all) } else { for one in list { printer.problem(one) } }
  }
}

extension Report {
  fileprivate var hasDoneSomething: Bool {
    counters.renders + counters.written + counters.removed > 0
  }
}

extension BuildFailure {
  /// All that is wrong; what made the build fail comes first.
  fileprivate var problems: [Diagnostic] {
    switch self {
    case .usage(let diagnostics): diagnostics.sorted.filter { $0.severity == .error }
    case .strict(let result):
      [.nothingPublished] + result.diagnostics.sorted.filter { $0.severity > .note }
    case .machine(let diagnostic), .locked(let diagnostic): [diagnostic]
    case .cancelled, .superseded: []
    }
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
