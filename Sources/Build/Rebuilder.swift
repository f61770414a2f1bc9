import Files
import Workers

/// Rebuilds a site in watch mode.
///
/// 1. Each rebuild is a full build with the same result as a cold build.
/// 2. If files change during a rebuild, `cancelForNewerBuild` stops it without publishing.
/// Finished images stay in the cache.
/// 3. Continuous changes must not prevent publishing: after `patience`, a rebuild runs to the end.
package final class Rebuilder: Sendable {
  private struct State {
    var isRunning = false
    /// The time of the first cancellation since a rebuild last ran to the end.
    var waitingSince: ContinuousClock.Instant?
  }

  /// How long fetched pictures are treated as fresh, in seconds, to avoid requests on each edit.
  private static let fetchPatience: Int64 = 300

  private let options: BuildOptions
  private let whole: Cancellation
  private let generation = Generation()
  private let buildCache: BuildCache
  private let progress: @Sendable (ProgressEvent) -> Void
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let state = Locked(State())
  private static let patience = Duration.seconds(3)

  /// `progress` may be called on any thread.
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

  /// Builds on the calling thread; calls must not overlap.
  package func rebuild() -> Rebuilt {
    let cancellation = state.withLock { state in
      precondition(!state.isRunning, "rebuilds must not overlap")
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

  /// Cancels the running rebuild, unless cancellations have delayed publishing for `patience`.
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

  package var watchList: WatchList { buildCache.watchList(options) }

  package func close() {
    buildCache.pool.stop()
    buildCache.network.close()
  }
}

package enum Rebuilt: Sendable {
  /// `changed` lists the changed paths in the output, sorted; nil if unknown.
  case built(BuildResult, changed: [String]?)
  case failed(BuildFailure)
  /// Files changed during the build; the next rebuild includes them.
  case superseded
}
