import Dispatch

/// What a coalescer asks of time; tests bring a time that only they let pass.
package struct CoalescerClock: Sendable {
  /// How long it is since some moment, which stays the same.
  package var now: @Sendable () -> Duration
  /// Calls `body` once, not before so much time has passed, on any thread but not within this call.
  package var wait: @Sendable (Duration, _ body: @escaping @Sendable () -> Void) -> Void

  package init(
    now: @escaping @Sendable () -> Duration,
    wait: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  ) {
    self.now = now
    self.wait = wait
  }

  /// The time that passes for everyone.
  package static func real() -> CoalescerClock {
    let start = ContinuousClock.now
    // A queue of our own has a thread even while all those of the shared ones are busy.
    let queue = DispatchQueue(label: "sitegen.coalescer", qos: .userInitiated)
    return CoalescerClock(
      now: { ContinuousClock.now - start },
      wait: { time, body in
        queue.asyncAfter(deadline: .now() + time.dispatchInterval, execute: body)
      })
  }
}

extension Duration {
  /// At most some 292 years.
  var dispatchInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .never : .nanoseconds(Int(nanoseconds + attoseconds / 1_000_000_000))
  }
}
