import Synchronization

/// A thread-safe flag that stops a build.
package final class Cancellation: Sendable {
  private let signal = Atomic<Int32>(0)
  private let isHalted = Atomic(false)
  private let generation: Generation?
  private let captured: Int32
  /// The parent flag; a signal that cancels the parent also cancels this flag.
  private let whole: Cancellation?

  /// Creates a flag that is also cancelled when the generation changes.
  package init(of generation: Generation? = nil, within whole: Cancellation? = nil) {
    self.generation = generation
    captured = generation?.current ?? 0
    self.whole = whole
  }

  package func cancel(signal number: Int32) {
    _ = signal.compareExchange(expected: 0, desired: number, ordering: .relaxed)
  }

  /// Stops work without a signal, for example the remaining jobs after a failure.
  package func cancel() { isHalted.store(true, ordering: .relaxed) }

  package var isCancelled: Bool {
    isHalted.load(ordering: .relaxed) || signalNumber != 0 || isSuperseded
  }

  package var isSuperseded: Bool { generation.map { !$0.isCurrent(captured) } ?? false }

  /// The signal that stopped the build, or 0.
  package var signalNumber: Int32 {
    let own = signal.load(ordering: .relaxed)
    return own != 0 ? own : whole?.signalNumber ?? 0
  }

  package func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }
}

/// A counter of rebuild requests; work that started at an earlier count is outdated.
package final class Generation: Sendable {
  private let count: Atomic<Int32>

  package init(startingAt count: Int32 = 0) {
    self.count = Atomic(count)
  }

  package var current: Int32 { count.load(ordering: .acquiring) }

  @discardableResult
  package func increase() -> Int32 {
    count.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
  }

  package func isCurrent(_ captured: Int32) -> Bool { captured == current }
}
