import Files
import Preview

/// A clock that advances only when a test advances it.
final class VirtualClock: Sendable {
  private struct State {
    var now = Duration.zero
    var calls: [(due: Duration, body: @Sendable () -> Void)] = []
  }

  private let state = Locked(State())

  var clock: CoalescerClock {
    CoalescerClock(
      now: { self.state.withLock(\.now) },
      wait: { time, body in self.state.withLock { $0.calls.append(($0.now + time, body)) } })
  }

  var waiting: Int { state.withLock(\.calls.count) }

  /// Advances the time, and makes the due calls in order on this thread.
  func pass(_ time: Duration) {
    let end = state.withLock(\.now) + time
    while true {
      let body: (@Sendable () -> Void)? = state.withLock { state in
        let first = state.calls.indices.min { state.calls[$0].due < state.calls[$1].due }
        guard let first, state.calls[first].due <= end else {
          state.now = max(state.now, end)
          return nil
        }
        state.now = max(state.now, state.calls[first].due)
        return state.calls.remove(at: first).body
      }
      guard let body else { return }
      body()
    }
  }
}
