/// A cache that limits the total cost of its values, but always keeps the newest value.
package struct BoundedCache<Key: Hashable, Value> {
  private let limit: Int
  private var values: [Key: Value] = [:]
  private var cost = 0

  package init(limit: Int) {
    self.limit = limit
  }

  package subscript(key: Key) -> Value? { values[key] }

  /// Empties the cache if a value of this cost would exceed the limit.
  ///
  /// Call this before creating a large value, so that old and new values are not in memory at the
  /// same time.
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
