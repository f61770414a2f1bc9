import Foundation

/// A value behind a lock, like `Mutex`, but with a lock that ThreadSanitizer knows.
///
/// `Mutex` is in a library that is not built for ThreadSanitizer, so `script/sanitize` would report
/// every value that it guards as a race.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  /// Used only under the lock, which makes the class sendable.
  private var value: Value

  package init(_ value: consuming sending Value) {
    self.value = value
  }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
