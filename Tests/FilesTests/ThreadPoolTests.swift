import Files
import TestSupport
import Testing

struct ThreadPoolTests {
  private final class Held: Sendable {}

  /// A job may hold a connection, a large text, or who owns the pool.
  @Test func `a job that is done holds nothing, and after the end nothing holds the pool`() throws {
    weak var held: Held?
    weak var gone: ThreadPool?
    do {
      let pool = try ThreadPool(name: "test", threads: 3)
      gone = pool
      do {
        let own = Held()
        held = own
        for _ in 0..<7 { pool.add { withExtendedLifetime(own) {} } }
      }
      #expect(eventually { held == nil })
      pool.close()
      pool.add { Issue.record("it is closed") }
    }
    #expect(gone == nil)
  }
}
