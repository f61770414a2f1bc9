import Synchronization

/// A wish to stop, told once and read by everyone who works on a build.
package final class Cancellation: Sendable {
  private let signal = Atomic<Int32>(0)

  package init() {}

  /// The first signal wins; later ones change nothing.
  package func cancel(signal number: Int32) {
    _ = signal.compareExchange(expected: 0, desired: number, ordering: .relaxed)
  }

  package var isCancelled: Bool { signal.load(ordering: .relaxed) != 0 }

  /// The number of the signal that asked for it, 0 when nobody did.
  package var signalNumber: Int32 { signal.load(ordering: .relaxed) }

  package func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }
}
