import Diagnostics
import Dispatch
import Fetch
import Files
import Manifest
import Plan
import Recipes
import Store

/// A build's statistics and failures; never published.
package struct Report: Codable, Sendable {
  package var counters = Counters()
  /// The wall-clock time of each stage, in seconds.
  package var seconds: [String: Double] = [:]
  package var users = UserCounts()
  package var pictures = PictureCounts()
  /// All failed sources, even if a later source worked for the same user.
  package var failures: [Note] = []
  /// Last good pictures, shown because the current ones cannot be fetched or used.
  package var stale: [Note] = []
  package var notes: [Note] = []
  package var network = Network()
  /// A description of the workers' sandbox; nil if no worker was started.
  package var sandbox: String?
  package var upToDate = false
  package var dryRun = false
  package var people: String?

  package init() {}

  /// The name of the cache file that lists the problems already reported by scheduled builds.
  package static let reportedName = "reported.json"

  package struct UserCounts: Codable, Sendable, Hashable {
    package var ok = 0
    package var fallback = 0
    package var stale = 0
    package var skipped = 0
    package var failed = 0

    mutating func count(_ status: UserStatus) {
      switch status {
      case .ok: ok += 1
      case .fallback: fallback += 1
      case .stale: stale += 1
      case .skipped: skipped += 1
      case .failed: failed += 1
      }
    }

    package var total: Int { ok + fallback + stale + skipped + failed }
  }

  package struct PictureCounts: Codable, Sendable, Hashable {
    package var own = 0
    package var initials = 0
    /// The number of users for whom only a colour, a fallback picture or nothing is shown.
    package var without = 0

    mutating func count(_ source: AvatarSource?) {
      switch source?.kind {
      case .file, .inline, .remote: if source?.fallback == nil { own += 1 } else { without += 1 }
      case .initials, .identicon: initials += 1
      case .color, .faulty, nil: without += 1
      }
    }
  }

  package struct Note: Codable, Sendable, Hashable {
    package var user: String
    package var source: Int
    package var reason: String
    package var detail: String
    /// The seconds since a stale picture was last confirmed; nil for other pictures.
    package var age: Int64?
  }

  package struct Network: Codable, Sendable, Hashable {
    package var seconds = 0.0
    /// Statistics for each host, keyed by its name, followed by the port if it is not the default.
    package var hosts: [String: Host] = [:]

    package struct Host: Codable, Sendable, Hashable {
      /// The number of requests, including redirects and retries.
      package var requests = 0
      package var retries = 0
      package var fetched = 0
      package var notModified = 0
      package var failed = 0
      package var bytes = 0
      package var reused = 0
      /// The slowest picture's fetch time in seconds, including redirects and retries.
      package var slowest = 0.0
    }
  }
}

/// Work counters, described in docs/reference/json-output.md.
package struct Counters: Codable, Sendable, Hashable {
  package var sourcesRead = 0
  package var decodes = 0
  package var renders = 0
  package var cacheHits = 0
  package var deduped = 0
  package var written = 0
  package var unchanged = 0
  package var removed = 0
  package var skipped = 0
  package var superseded = 0
  package var cancelled = 0
  package var failed = 0
  package var peakConcurrency = 0
  package var workersStarted = 0
  package var bytesOut = 0
  package var fetched = 0
  package var notModified = 0
  package var fetchedBytes = 0
  package var keptFresh = 0
  package var fetchRetries = 0
  package var storeHits = 0
  package var storeWrites = 0
  package var storeFetched = 0

  package init() {}
}

extension Report.Note {
  init(_ staleness: Staleness, of user: String, source: Int, now: Int64) {
    self.init(
      user: user, source: source, reason: staleness.rejection.reason.rawValue,
      detail: staleness.rejection.detail, age: max(now - staleness.checkedAt, 0))
  }
}

package final class Tally: Sendable {
  private let state = Locked(
    (counters: Counters(), network: Report.Network(), hasTransientFailures: false))

  package init() {}

  package var current: Counters { state.withLock(\.counters) }
  var network: Report.Network { state.withLock(\.network) }
  var hasTransientFailures: Bool { state.withLock(\.hasTransientFailures) }

  package func count(_ counter: any WritableKeyPath<Counters, Int> & Sendable, _ amount: Int = 1) {
    state.withLock { $0.counters[keyPath: counter] += amount }
  }

  func noteTransientFailure() {
    state.withLock { $0.hasTransientFailures = true }
  }

  func add(networkSeconds seconds: Double) {
    state.withLock { $0.network.seconds += seconds }
  }

  func add(_ answer: FetchAnswer) {
    let cost = answer.cost
    state.withLock { state in
      for (host, part) in cost.hosts {
        var sum = state.network.hosts[host] ?? Report.Network.Host()
        sum.requests += part.requests
        sum.retries += part.retries
        sum.bytes += part.bytes
        sum.reused += part.reused
        sum.slowest = max(sum.slowest, cost.seconds)
        switch answer.outcome {
        case .fetched: sum.fetched += 1
        case .notModified: sum.notModified += 1
        case .failed: sum.failed += 1
        }
        state.network.hosts[host] = sum
        state.counters.fetchedBytes += part.bytes
        state.counters.fetchRetries += part.retries
      }
      switch answer.outcome {
      case .fetched: state.counters.fetched += 1
      case .notModified: state.counters.notModified += 1
      case .failed: break
      }
    }
  }
}

struct StageClock {
  private let progress: @Sendable (ProgressEvent) -> Void
  private var finished: [String: Double] = [:]
  private var current: (name: String, since: DispatchTime)?

  init(_ progress: @escaping @Sendable (ProgressEvent) -> Void) {
    self.progress = progress
  }

  mutating func start(_ name: String) {
    finished = seconds
    current = (name, .now())
    progress(.stage(name))
  }

  var seconds: [String: Double] {
    guard let current else { return finished }
    let passed = Double(DispatchTime.now().uptimeNanoseconds - current.since.uptimeNanoseconds)
    return finished.merging([current.name: passed / 1e9]) { $0 + $1 }
  }
}
