import Files
import Workers

/// Builds again and again, for a user who watches.
///
/// 1. Each rebuild is a whole build: it reads what there is and makes what a cold build would make.
/// 2. If files change meanwhile, `cancelForNewerBuild` makes the rebuild out of date: it begins no more
///    jobs, drops those that run, and publishes nothing. Finished images are kept under their keys.
/// 3. Changes that never end must not prevent every publish: after rebuilds have given way for
///    `patience`, the next one goes on to the end.
package final class Rebuilder: Sendable {
  private struct State {
    var isRunning = false
    /// When the first of several rebuilds in a row gave way.
    var waitingSince: ContinuousClock.Instant?
  }

  /// Seconds for which fetched pictures count as fresh: a keystroke must not ask servers.
  private static let fetchPatience: Int64 = 300

  private let options: BuildOptions
  private let whole: Cancellation
  private let generation = Generation()
  private let buildCache: BuildCache
  private let progress: @Sendable (ProgressEvent) -> Void
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let state = Locked(State())
  private static let patience = Duration.seconds(3)

  /// Progress is reported on any thread; tests have an environment for workers, and their own clock.
  package init(
    _ options: BuildOptions, cancellation: Cancellation, environment: [String: String]? = nil,
    progress: @escaping @Sendable (ProgressEvent) -> Void = { _ in },
    clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    var options = options
    options.fetching.patience = Self.fetchPatience
    self.options = options
    whole = cancellation
    self.clock = clock
    self.progress = progress
    buildCache = BuildCache(options, environment: environment)
  }

  /// Builds, on the calling thread and one at a time.
  package func rebuild() -> Rebuilt {
    let cancellation = state.withLock { state in
      precondition(!state.isRunning, "rebuilds come one after the other")
      state.isRunning = true
      return Cancellation(of: generation, within: whole)
    }
    var isSuperseded = false
    defer {
      state.withLock { state in
        state.isRunning = false
        if !isSuperseded { state.waitingSince = nil }
      }
    }
    do throws(BuildFailure) {
      let build = Build(
        options, cancellation: cancellation, buildCache: buildCache, progress: progress)
      let result = try build.run()
      return .built(result, changed: buildCache.changes())
    } catch .superseded {
      isSuperseded = true
      return .superseded
    } catch {
      return .failed(error)
    }
  }

  /// Something newer waits: the rebuild that runs is out of date.
  package func cancelForNewerBuild() {
    state.withLock { state in
      guard state.isRunning else { return }
      let now = clock()
      let since = state.waitingSince ?? now
      guard now - since < Self.patience else { return }
      state.waitingSince = since
      generation.increase()
    }
  }

  /// The files to watch, known better after each build.
  package var watchList: WatchList { buildCache.watchList(options) }

  /// Ends the workers, and what is fetched.
  package func close() {
    buildCache.pool.stop()
    buildCache.network.close()
  }
}

package enum Rebuilt: Sendable {
  /// With the sorted paths in the output that have changed; nil if it may be any.
  case built(BuildResult, changed: [String]?)
  case failed(BuildFailure)
  /// Files have changed since; the next rebuild builds them.
  case superseded
}
