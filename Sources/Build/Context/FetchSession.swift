import Bytes
import Fetch
import Files
import Recipes
import Store

/// The network connections of one build, or of a series of rebuilds.
final class FetchSession: Sendable {
  private struct State {
    var fetcher: ChildFetcher?
    var settings: FetchSettings?
    /// Recent failures, keyed by cache key, with their times in seconds since 1970.
    var failures: [Digest: (rejection: Rejection, moment: Int64)] = [:]
  }

  /// The number of seconds before a rebuild retries a failed URL.
  private static let patience: Int64 = 60

  private let state = Locked(State())

  func fetcher(_ settings: FetchSettings, _ context: BuildContext) throws -> ChildFetcher {
    let (fetcher, old) = state.withLock { state in
      if let fetcher = state.fetcher, state.settings == settings, !fetcher.isOutdated {
        return (fetcher, ChildFetcher?.none)
      }
      let old = state.fetcher
      let fetcher = ChildFetcher(settings, program: context.options.programs.worker)
      state.fetcher = fetcher
      state.settings = settings
      return (fetcher, old)
    }
    old?.close()
    if context.options.requiresSandbox {
      let lack: String
      do throws(FetchFailure) {
        let sandbox = try fetcher.sandbox { context.cancellation.isCancelled }
        lack = sandbox == .whole ? "" : "they lack \(sandbox.missing)"
      } catch .closed {
        throw CancellationError()
      } catch {
        lack = error.detail
      }
      if !lack.isEmpty { throw BuildFailure.notSandboxed("the network workers", lack) }
    }
    return fetcher
  }

  func recentFailure(_ key: Digest, now: Int64) -> Rejection? {
    state.withLock { state in
      guard let failure = state.failures[key], now >= failure.moment,
        now < failure.moment + Self.patience
      else { return nil }
      return failure.rejection
    }
  }

  func note(_ key: Digest, _ failure: Rejection?, now: Int64) {
    state.withLock { $0.failures[key] = failure.map { ($0, now) } }
  }

  func close() {
    let fetcher = state.withLock { state in
      defer { state.fetcher = nil }
      return state.fetcher
    }
    fetcher?.close()
  }
}
