import Imaging
import Testing

struct BoundedCacheTests {
  /// G13: the cache stays within its limit, whatever is added.
  @Test func `values are kept while they fit`() {
    var cache = BoundedCache<String, Int>(limit: 10)
    cache.keep(1, for: "a", cost: 4)
    cache.keep(2, for: "b", cost: 6)
    #expect(cache["a"] == 1)
    #expect(cache["b"] == 2)
    cache.keep(3, for: "c", cost: 1)
    #expect(cache["a"] == nil)
    #expect(cache["b"] == nil)
    #expect(cache["c"] == 3)
  }

  @Test func `old values are removed to make space for a new one`() {
    var cache = BoundedCache<String, Int>(limit: 10)
    cache.keep(1, for: "a", cost: 8)
    cache.makeRoom(for: 2)
    #expect(cache["a"] == 1)
    cache.makeRoom(for: 3)
    #expect(cache["a"] == nil)
  }

  @Test func `the newest value is kept even if it exceeds the limit`() {
    var cache = BoundedCache<String, Int>(limit: 10)
    cache.keep(1, for: "a", cost: 1_000)
    #expect(cache["a"] == 1)
    cache.keep(2, for: "b", cost: 1)
    #expect(cache["a"] == nil)
    #expect(cache["b"] == 2)
  }
}
