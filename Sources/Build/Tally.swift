import Files

/// The counters of a build while it runs; every stage adds to them from any thread.
package final class Tally: Sendable {
  private let counters = Guarded(Counters())

  package init() {}

  package var current: Counters { counters.withLock { $0 } }

  package func count(_ counter: any WritableKeyPath<Counters, Int> & Sendable, _ amount: Int = 1) {
    counters.withLock { $0[keyPath: counter] += amount }
  }
}
