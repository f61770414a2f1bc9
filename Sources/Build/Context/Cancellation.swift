import Synchronization

/// A flag that stops a build; every thread reads it.
///
/// A rebuild also stops when it is out of date: its generation is no longer the current one, and a
/// newer build begins with newer files.
package final class Cancellation: Sendable {
  private let signal = Atomic<Int32>(0)
  private let isHalted = Atomic(false)
  private let generation: Generation?
  private let captured: Int32
  /// Stopping this stops everything.
  private let whole: Cancellation?

  /// For work that begins now, which is out of date as soon as the generation changes.
  package init(of generation: Generation? = nil, within whole: Cancellation? = nil) {
    self.generation = generation
    captured = generation?.current ?? 0
    self.whole = whole
  }

  /// The first signal wins; later ones change nothing.
  package func cancel(signal number: Int32) {
    _ = signal.compareExchange(expected: 0, desired: number, ordering: .relaxed)
  }

  /// Ends work without a signal, such as the other jobs when one has failed.
  package func cancel() { isHalted.store(true, ordering: .relaxed) }

  package var isCancelled: Bool {
    isHalted.load(ordering: .relaxed) || signalNumber != 0 || isSuperseded
  }

  package var isSuperseded: Bool { generation.map { !$0.isCurrent(captured) } ?? false }

  /// The signal that asked for it; 0 for none.
  package var signalNumber: Int32 {
    let own = signal.load(ordering: .relaxed)
    return own != 0 ? own : whole?.signalNumber ?? 0
  }

  package func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }
}

/// Counts requests for a new build; work from another count is out of date.
///
/// Only equality matters, so the count may wrap around.
package final class Generation: Sendable {
  private let count: Atomic<Int32>

  package init(startingAt count: Int32 = 0) {
    self.count = Atomic(count)
  }

  package var current: Int32 { count.load(ordering: .acquiring) }

  /// Makes everything begun until now out of date.
  @discardableResult
  package func increase() -> Int32 {
    count.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
  }

  package func isCurrent(_ captured: Int32) -> Bool { captured == current }
}
