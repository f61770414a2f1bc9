import Files
import Foundation
import Plan
import Workers

/// State kept in memory to make rebuilds faster, such as running workers.
package final class BuildCache: Sendable {
  private struct State {
    var input: BuildInput?
    /// The files read for the last manifest, even if reading failed.
    var read: Inputs?
    /// Whether `read` and `input` match the published site.
    var hasBuilt = false
    var ledger: Ledger?
    var reported: Ledger?
    /// Paths written or removed since the last call to `changes`, including repaired files.
    var written: Set<String> = []
    /// The number of superseded jobs to add to the next report.
    var supersededJobs = 0
  }

  let pool: WorkerPool
  let network = FetchSession()
  private let state = Locked(State())

  init(_ options: BuildOptions, environment: [String: String]?) {
    pool = WorkerPool(
      program: options.programs.worker, width: options.jobs, memory: options.memory,
      requiresSandbox: options.requiresSandbox,
      environment: environment ?? ProcessInfo.processInfo.environment)
  }

  func enter(_ context: BuildContext) {
    let superseded = state.withLock { state in
      if state.reported == nil { state.reported = try? Ledger(in: context.output) }
      return state.supersededJobs
    }
    context.tally.count(\.superseded, superseded)
  }

  func leave(_ context: BuildContext) {
    let jobs = context.cancellation.isSuperseded ? context.tally.current.superseded : 0
    state.withLock { $0.supersededJobs = jobs }
  }

  /// Whether a build may stop early; the first must finish, because it finds the files to watch.
  var hasBuilt: Bool { state.withLock { $0.hasBuilt } }

  func input(_ context: BuildContext) -> BuildInput? {
    guard let input = state.withLock({ $0.input }), input.inputs.areTrustworthy, input.inputs.hold,
      context.now
        < max(input.lists.freshUntil, input.lists.readAt + context.options.fetching.patience)
    else { return nil }
    return input
  }

  func note(_ input: BuildInput) {
    state.withLock { $0.input = input }
  }

  func note(read inputs: Inputs) {
    state.withLock { $0.read = inputs }
  }

  func finish(_ published: Publisher.Result) {
    state.withLock { state in
      (state.ledger, state.hasBuilt) = (published.ledger, true)
      state.written.formUnion(published.changed.entries.map(\.path))
    }
  }

  /// Records an output that is up to date, possibly because another process has built it.
  func finishUnchanged(_ ledger: Ledger) {
    state.withLock { ($0.hasBuilt, $0.ledger) = ($0.hasBuilt && $0.ledger == ledger, ledger) }
  }

  /// Returns the sorted paths that have changed since the last call; nil if unknown.
  func changes() -> [String]? {
    state.withLock { state in
      defer { (state.reported, state.written) = (state.ledger, []) }
      guard let ledger = state.ledger, let reported = state.reported else { return nil }
      let changed = ledger.changed(since: reported) + reported.subtracting(ledger)
      return state.written.union(changed.map(\.path)).sorted()
    }
  }

  func watchList(_ options: BuildOptions) -> WatchList {
    let (read, input) = state.withLock { ($0.read, $0.input) }
    return WatchList(options, inputs: read, input?.manifest)
  }
}
