/// What the index keeps apart; what the records mean is the callers' business.
package enum IndexTable: String, CaseIterable, Hashable, Sendable {
  case facts
  case fetches
  case meta
  case renders
  case stamps
}

/// What a record can be found by: a digest, a text, or bytes.
///
/// One table has one kind of key.
package protocol IndexKey {
  /// Calls `body` with the bytes of the key, which are valid only during the call.
  func withBytes<Result, Failure>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result
}

extension Digest: IndexKey {}

extension Array: IndexKey where Element == UInt8 {
  package func withBytes<Result, Failure>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(unsafe span.bytes)
  }
}

extension String: IndexKey {
  package func withBytes<Result, Failure>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(unsafe utf8.span.bytes)
  }
}
