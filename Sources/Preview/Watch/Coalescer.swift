import Foundation

/// A queue that merges changes into batches; changes during a build form the next batch.
///
/// The queue is thread-safe, but only one thread may call `next`.
package final class Coalescer: @unchecked Sendable {
  private let quiet: Duration
  private let atMost: Duration
  private let clock: CoalescerClock
  private let onReady: @Sendable () -> Void
  // `@unchecked Sendable`: `state` is accessed only under this condition's lock.
  private let condition = NSCondition()
  private var state = State()

  private struct State {
    var pending: Pending?
    var isLookArranged = false
    var isClosed = false
  }

  private struct Pending {
    var changes: Set<FileChange> = []
    let first: Duration
    var last: Duration
    var isAnnounced = false
    var isReady = false
  }

  /// Creates a queue; a batch is ready `quiet` after its last change or `atMost` after its first.
  ///
  /// `onReady` is called once per batch, on any thread, before `next` returns the batch, so that it
  /// can cancel outdated work. `onReady` must not call this object.
  package init(
    quiet: Duration = .milliseconds(20), atMost: Duration = .seconds(1),
    clock: CoalescerClock = .real(), onReady: @escaping @Sendable () -> Void = {}
  ) {
    self.quiet = quiet
    self.atMost = atMost
    self.clock = clock
    self.onReady = onReady
  }

  /// Adds a change to the next batch; does nothing after `close`.
  ///
  /// If `next` has not yet returned a ready batch, the batch grows and waits for `quiet` again.
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

  /// Waits for a batch, sorted and without duplicates; returns nil after `close`.
  package func next() -> [FileChange]? {
    let taken: Pending? = condition.withLock {
      while !state.isClosed, state.pending?.isReady != true { condition.wait() }
      return state.pending.take()
    }
    return taken?.changes.sorted()
  }

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

  private func look() {
    condition.withLock {
      state.isLookArranged = false
      guard let pending = state.pending else { return }
      let time = due(pending) - clock.now()
      if time > .zero { return lookLater(after: time) }
      // Call `onReady` under the lock, so that `next` cannot return the batch earlier.
      if !pending.isAnnounced { onReady() }
      state.pending?.isAnnounced = true
      state.pending?.isReady = true
      condition.broadcast()
    }
  }
}

package enum FileChange: Sendable, Hashable, Comparable {
  /// Any path may have changed, because events were lost; this case sorts before all others.
  case anything
  case path(String)
}

package struct CoalescerClock: Sendable {
  package var now: @Sendable () -> Duration
  /// Calls `body` once after a delay, on any thread, but never synchronously.
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
    // A dedicated queue gets a thread even if all shared threads are busy.
    let queue = DispatchQueue(label: "sitegen.coalescer", qos: .userInitiated)
    return CoalescerClock(
      now: { ContinuousClock.now - start },
      wait: { time, body in
        queue.asyncAfter(deadline: .now() + time / .seconds(1), execute: body)
      })
  }
}
