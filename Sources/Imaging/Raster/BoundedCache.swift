/// Keeps values until all of them together are too large.
///
/// It empties itself before something large is made, so that old and new are not in memory at once,
/// and keeps the newest value whatever its size. It holds only values that can be made again.
package struct BoundedCache<Key: Hashable, Value> {
  private let limit: Int
  private var values: [Key: Value] = [:]
  private var cost = 0

  package init(limit: Int) {
    self.limit = limit
  }

  package subscript(key: Key) -> Value? { values[key] }

  /// Forgets what would not fit beside a value that is about to be made.
  package mutating func makeRoom(for cost: Int) {
    guard self.cost + cost > limit else { return }
    values.removeAll()
    self.cost = 0
  }

  package mutating func keep(_ value: Value, for key: Key, cost: Int) {
    makeRoom(for: cost)
    values[key] = value
    self.cost += cost
  }
}
