import Foundation

/// Makes one batch of many changes; changes that come while a batch is worked on make exactly one more.
///
/// Any thread may call anything; one thread takes the batches.
package final class Coalescer: @unchecked Sendable {
  private let quiet: Duration
  private let atMost: Duration
  private let clock: CoalescerClock
  private let onReady: @Sendable () -> Void
  // Sendable since `state` is touched only under the lock of this condition.
  private let condition = NSCondition()
  private var state = State()

  private struct State {
    var pending: Pending?
    /// A call of `look` is arranged.
    var isLookArranged = false
    var isClosed = false
  }

  private struct Pending {
    var changes: Set<FileChange> = []
    let first: Duration
    var last: Duration
    /// `onReady` has been called.
    var isAnnounced = false
    /// No later change is waited for.
    var isReady = false
  }

  /// A batch is ready when no change has come for the time `quiet`, or when its first is `atMost` old.
  ///
  /// `onReady` is called once for each batch that is ready, on any thread. It returns before `next`
  /// gives the batch out, so it may end work that the batch outdates. It must not call this object.
  package init(
    quiet: Duration = .milliseconds(20), atMost: Duration = .seconds(1),
    clock: CoalescerClock = .real(), onReady: @escaping @Sendable () -> Void = {}
  ) {
    self.quiet = quiet
    self.atMost = atMost
    self.clock = clock
    self.onReady = onReady
  }

  /// Adds a change to the next batch; after `close` it is ignored.
  ///
  /// A ready batch that is not taken yet grows, and waits for quiet once more.
  package func commit(_ change: FileChange) {
    condition.withLock {
      guard !state.isClosed else { return }
      let now = clock.now()
      var pending = state.pending.take() ?? Pending(first: now, last: now)
      pending.changes.insert(change)
      pending.last = now
      pending.isReady = pending.isReady && now >= due(pending)
      if !pending.isReady, !state.isLookArranged { lookLater(after: due(pending) - now) }
      state.pending = pending
    }
  }

  /// Waits for a batch: distinct and sorted; nil after `close`.
  package func next() -> [FileChange]? {
    let taken: Pending? = condition.withLock {
      while !state.isClosed, state.pending?.isReady != true { condition.wait() }
      return state.pending.take()
    }
    return taken?.changes.sorted()
  }

  /// Drops what is pending; `next` returns nil from now on.
  package func close() {
    condition.withLock {
      state.isClosed = true
      state.pending = nil
      condition.broadcast()
    }
  }

  private func due(_ pending: Pending) -> Duration {
    min(pending.last + quiet, pending.first + atMost)
  }

  private func lookLater(after time: Duration) {
    state.isLookArranged = true
    clock.wait(time) { [weak self] in self?.look() }
  }

  /// Makes the pending batch ready if its time has come; else arranges to look again.
  private func look() {
    condition.withLock {
      state.isLookArranged = false
      guard let pending = state.pending else { return }
      let time = due(pending) - clock.now()
      if time > .zero { return lookLater(after: time) }
      // Under the lock, so that the batch is not taken before this has returned.
      if !pending.isAnnounced { onReady() }
      state.pending?.isAnnounced = true
      state.pending?.isReady = true
      condition.broadcast()
    }
  }
}

/// A file or folder has changed, sorted by path; the disk says how.
package enum FileChange: Sendable, Hashable, Comparable {
  /// Some changes were missed: anything may have changed. It comes first.
  case anything
  case path(String)
}

/// The clock of a coalescer; tests bring one that moves only when they say so.
package struct CoalescerClock: Sendable {
  /// The time since some fixed moment.
  package var now: @Sendable () -> Duration
  /// Calls `body` once, when so much time has passed, on any thread but not within this call.
  package var wait: @Sendable (Duration, _ body: @escaping @Sendable () -> Void) -> Void

  package init(
    now: @escaping @Sendable () -> Duration,
    wait: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  ) {
    self.now = now
    self.wait = wait
  }

  package static func real() -> CoalescerClock {
    let start = ContinuousClock.now
    // A queue of its own has a thread even while all shared ones are busy.
    let queue = DispatchQueue(label: "sitegen.coalescer", qos: .userInitiated)
    return CoalescerClock(
      now: { ContinuousClock.now - start },
      wait: { time, body in
        queue.asyncAfter(deadline: .now() + time / .seconds(1), execute: body)
      })
  }
}
