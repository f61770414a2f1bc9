/// A cache with a limit on the total cost of its values.
///
/// `makeRoom` empties it before a large value is created, so that old and new values are not in
/// memory together. The newest value is kept whatever its cost. Values must be reproducible.
package struct BoundedCache<Key: Hashable, Value> {
  private let limit: Int
  private var values: [Key: Value] = [:]
  private var cost = 0

  package init(limit: Int) {
    self.limit = limit
  }

  package subscript(key: Key) -> Value? { values[key] }

  /// Empties the cache if a new value of this cost would exceed the limit.
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
