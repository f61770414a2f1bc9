import Foundation

/// A value behind a lock, as in `Mutex`, but by a lock that ThreadSanitizer knows.
///
/// `Mutex` locks inside a library of the toolchain that is not built for ThreadSanitizer: each value
/// that it guards is then reported as a race. `script/sanitize` can only prove anything without it.
package final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  /// Touched by nobody who has not locked: that makes the class sendable.
  private var value: Value

  package init(_ value: consuming sending Value) {
    self.value = value
  }

  /// Calls `body` while nobody else can reach the value.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
