import Files
import Foundation
import Plan
import Workers

/// What rebuilds keep in memory.
///
/// It only saves work, such as starting workers and reading unchanged files: a build without it makes
/// the same site.
package final class BuildCache: Sendable {
  private struct State {
    /// Of the last build.
    var input: BuildInput?
    /// The files that were last read for the manifest, even if that failed.
    var read: Inputs?
    /// Whether `read` and `input` belong to the site in the output.
    var hasBuilt = false
    /// The output after the last finished build, and as `changes` has last reported it.
    var ledger: Ledger?
    var reported: Ledger?
    /// Written or removed since then, also if the ledger is the same: another program damaged them.
    var written: Set<String> = []
    /// Since the last report, for its counters.
    var supersededJobs = 0
  }

  let pool: WorkerPool
  let network = FetchSession()
  private let state = Locked(State())

  init(_ options: BuildOptions, environment: [String: String]?) {
    pool = WorkerPool(
      program: options.programs.worker, width: options.jobs, memory: options.memory,
      requiresJail: options.requiresJail,
      environment: environment ?? ProcessInfo.processInfo.environment)
  }

  func enter(_ context: BuildContext) {
    let superseded = state.withLock { state in
      if state.reported == nil { state.reported = try? Ledger(in: context.output) }
      return state.supersededJobs
    }
    context.tally.count(\.superseded, superseded)
  }

  /// A build has ended somehow.
  func leave(_ context: BuildContext) {
    let jobs = context.cancellation.isSuperseded ? context.tally.current.superseded : 0
    state.withLock { $0.supersededJobs = jobs }
  }

  /// Whether a build may stop if nothing has changed.
  ///
  /// The first build must not: it reads which files are to be watched.
  var hasBuilt: Bool { state.withLock { $0.hasBuilt } }

  /// The input of the last build, if no file of it has changed and no list must be asked for.
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

  /// These files were read for the manifest, successfully or not.
  func note(read inputs: Inputs) {
    state.withLock { $0.read = inputs }
  }

  func finish(_ published: Publisher.Result) {
    state.withLock { state in
      (state.ledger, state.hasBuilt) = (published.ledger, true)
      state.written.formUnion(published.changed.entries.map(\.path))
    }
  }

  /// Nothing was to do: no file has changed, or another process has built the site.
  func finishUnchanged(_ ledger: Ledger) {
    state.withLock { ($0.hasBuilt, $0.ledger) = ($0.hasBuilt && $0.ledger == ledger, ledger) }
  }

  /// The sorted paths in the output that have changed since the last call, or since the first build
  /// has begun; nil if that is not known.
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
