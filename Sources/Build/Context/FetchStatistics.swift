import Fetch
import Files

/// Counts what a build asks of the network.
final class FetchStatistics: Sendable {
  private let state = Locked((network: Report.Network(), hasTransientFailures: false))

  var network: Report.Network { state.withLock(\.network) }
  var hasTransientFailures: Bool { state.withLock(\.hasTransientFailures) }

  func noteTransientFailure() {
    state.withLock { $0.hasTransientFailures = true }
  }

  func add(seconds: Double) {
    state.withLock { $0.network.seconds += seconds }
  }

  func add(_ answer: FetchAnswer, to tally: Tally) {
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
        tally.count(\.fetchedBytes, part.bytes)
        tally.count(\.fetchRetries, part.retries)
      }
    }
    switch answer.outcome {
    case .fetched: tally.count(\.fetched)
    case .notModified: tally.count(\.notModified)
    case .failed: break
    }
  }
}
