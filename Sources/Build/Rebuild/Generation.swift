import Synchronization

/// Counts how often something was asked for anew; what was begun at another count is out of date.
///
/// Only whether two counts are equal matters, so that it may wrap around.
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
