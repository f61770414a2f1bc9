/// What the index keeps apart; what the records mean is the callers' business.
///
/// One table has one kind of key.
package enum IndexTable: String, CaseIterable, Hashable, Sendable {
  case facts
  case fetches
  case meta
  case renders
  case stamps
}

/// A file of tables.
package enum IndexFile: String, Hashable, Sendable {
  /// What can be found out again at any time.
  case work = "index.sqlite"
  /// What is known of addresses: not to be lost for a change of anything else.
  case addresses = "addresses.sqlite"

  package var tables: [IndexTable] {
    switch self {
    case .work: [.facts, .meta, .renders, .stamps]
    case .addresses: [.fetches]
    }
  }

  /// Raised whenever its tables or the records in them take another shape.
  var version: Int { 1 }

  /// Those that SQLite makes beside it too.
  package var names: [String] { ["", "-wal", "-shm", "-journal"].map { rawValue + $0 } }
}

/// What a record can be found by: a digest, a text, or bytes.
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
