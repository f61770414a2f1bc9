import Files
package import Foundation
import Workers

/// Builds again and again, for a user who watches: quickly, and never what is out of date.
///
/// 1. Each rebuild is a whole build: it reads what there is and makes what a cold one would make.
/// 2. When files change meanwhile, `giveWay` makes the rebuild out of date: it begins no more jobs,
///    drops those that run, and publishes nothing. Finished images are kept under their keys.
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
  private let tell: @Sendable (RebuildEvent) -> Void
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let state = Guarded(State())
  private static let patience = Duration.seconds(3)

  /// Events are told on any thread; tests have an environment for workers, and their own clock.
  package init(
    _ options: BuildOptions, cancellation: Cancellation, environment: [String: String]? = nil,
    tell: @escaping @Sendable (RebuildEvent) -> Void = { _ in },
    clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    var options = options
    options.fetching.patience = Self.fetchPatience
    self.options = options
    whole = cancellation
    self.clock = clock
    self.tell = tell
    buildCache = BuildCache(options, environment: environment, tell: tell)
  }

  /// Builds, on the calling thread and one at a time.
  ///
  /// `changes` are absolute paths of what has changed; nil when that is not known.
  package func rebuild(_ changes: [String]? = nil) -> Rebuilt {
    buildCache.note(changes ?? [])
    let cancellation = state.withLock { state in
      precondition(!state.isRunning, "rebuilds come one after the other")
      state.isRunning = true
      return Cancellation(of: generation, within: whole)
    }
    defer { state.withLock { $0.isRunning = false } }
    do throws(BuildFailure) {
      let build = Build(options, cancellation: cancellation, buildCache: buildCache) {
        [tell] in tell(.progress($0))
      }
      let result = try build.run()
      state.withLock { $0.waitingSince = nil }
      return .built(result)
    } catch .superseded {
      return .superseded
    } catch {
      state.withLock { $0.waitingSince = nil }
      buildCache.fail()
      return .failed(error)
    }
  }

  /// Something newer waits: the rebuild that runs is out of date.
  package func giveWay() {
    state.withLock { state in
      guard state.isRunning else { return }
      let now = clock()
      let since = state.waitingSince ?? now
      guard now - since < Self.patience else { return }
      state.waitingSince = since
      generation.increase()
    }
  }

  /// A file of the site that is not in the output: an image that is published later or is removed
  /// already, or a page before the first build is finished.
  ///
  /// An image that is not made yet is made now.
  ///
  /// - Returns: Its bytes, and whether the path names them by their content.
  package func fallback(for path: String) -> (bytes: Data, isForEver: Bool)? {
    buildCache.file(path)
  }

  /// The files to watch, known better after each build.
  package var watchList: WatchList { buildCache.watchList(options) }

  /// Ends the workers, and what is fetched.
  package func close() {
    buildCache.pool.stop()
    buildCache.network.close()
  }
}

/// How one rebuild ended.
package enum Rebuilt: Sendable {
  case built(BuildResult)
  case failed(BuildFailure)
  /// Files have changed since; the next rebuild knows what this one should have done.
  case superseded
}
