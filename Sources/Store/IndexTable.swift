package import Bytes

/// A table of the index; its callers decide what the records mean, and use one kind of key.
package enum IndexTable: String, CaseIterable, Hashable, Sendable {
  case facts
  case fetches
  /// A few records that are kept whether they are used or not.
  case meta
  case renders
  case stamps
}

/// A file of tables.
package enum IndexFile: String, Hashable, Sendable {
  /// Records that a build can find out again at any time.
  case work = "index.sqlite"
  /// Records of addresses, in a file of their own so that no change of the other tables resets them.
  case addresses = "addresses.sqlite"

  package var tables: [IndexTable] {
    switch self {
    case .work: [.facts, .meta, .renders, .stamps]
    case .addresses: [.fetches, .meta]
    }
  }

  /// Raised when its tables, or the records in them, change their shape.
  var version: Int { 2 }

  /// The names of the file, and of those that SQLite makes beside it.
  package var names: [String] { ["", "-wal", "-shm", "-journal"].map { rawValue + $0 } }
}

/// A key of a record: a digest, a text, or bytes.
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
