import Foundation

/// Makes one batch of many changes: the set is swapped before anyone works on it, so what comes
/// while a batch is worked on makes exactly one more.
///
/// Any thread may call anything. One thread takes the batches.
package final class Coalescer: @unchecked Sendable {
  private let quiet: Duration
  private let atMost: Duration
  private let clock: CoalescerClock
  private let onReady: @Sendable () -> Void
  /// Guards `state`, which is touched by nobody who has not locked it: that makes it sendable.
  private let condition = NSCondition()
  private var state = State()

  private struct State {
    var pending: Pending?
    /// Somebody looks at the pending changes later, so nobody else need arrange that.
    var isExpected = false
    var isClosed = false
  }

  /// The changes that the next batch consists of.
  private struct Pending {
    var changes: Set<FileChange> = []
    let first: Duration
    var last: Duration
    /// `onReady` has been called, or is being called.
    var isAnnounced = false
    /// `onReady` has returned, and nothing has come since that should be waited for.
    var isReady = false
  }

  /// - Parameters:
  ///   - quiet: A batch is ready when nothing has come for so long.
  ///   - atMost: Or when its first change is so old, however many still come.
  ///   - clock: Tests bring their own.
  ///   - onReady: Called once for each batch, on no particular thread, when it is ready. It has
  ///     returned before `next` hands the batch out, so it may end work that the batch outdates.
  package init(
    quiet: Duration = .milliseconds(20), atMost: Duration = .seconds(1),
    clock: CoalescerClock = .real(), onReady: @escaping @Sendable () -> Void = {}
  ) {
    self.quiet = quiet
    self.atMost = atMost
    self.clock = clock
    self.onReady = onReady
  }

  /// Adds a change to the next batch; nil is nothing.
  ///
  /// After `close` nothing is added. A batch that is ready and that nobody has taken yet grows, and waits for quiet once more.
  package func commit(_ change: FileChange?) {
    guard let change else { return }
    condition.withLock {
      guard !state.isClosed else { return }
      let now = clock.now()
      var pending = state.pending.take() ?? Pending(first: now, last: now)
      pending.changes.insert(change)
      pending.last = now
      pending.isReady = pending.isReady && now >= due(pending)
      if !pending.isReady, !state.isExpected {
        state.isExpected = true
        clock.wait(due(pending) - now) { [weak self] in self?.look() }
      }
      state.pending = pending
    }
  }

  /// Waits for a batch: distinct and sorted; nil when it was closed.
  package func next() -> [FileChange]? {
    let taken: Pending? = condition.withLock {
      while !state.isClosed, state.pending?.isReady != true { condition.wait() }
      return state.pending.take()
    }
    return taken?.changes.sorted()
  }

  /// Drops what is pending; whoever waits gets nil, and so does whoever asks later.
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

  /// Makes the pending batch ready if its time has come; else arranges to look again.
  private func look() {
    condition.lock()
    defer { condition.unlock() }
    while let pending = state.pending {
      let now = clock.now()
      let due = due(pending)
      if now < due {
        clock.wait(due - now) { [weak self] in self?.look() }
        return
      }
      if pending.isAnnounced {
        state.pending?.isReady = true
        condition.broadcast()
        break
      }
      // It cannot be taken meanwhile: it is not ready. It can grow, or be dropped.
      state.pending?.isAnnounced = true
      condition.unlock()
      onReady()
      condition.lock()
    }
    state.isExpected = false
  }
}
