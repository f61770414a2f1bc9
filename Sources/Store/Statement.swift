import CSQLite

/// Owns one prepared statement, whose parameters and columns are all bytes.
@safe
final class Statement {
  private let pointer: OpaquePointer
  private let database: Database

  /// The corresponding C function is `sqlite3_prepare_v3`.
  ///
  /// - Parameters:
  ///   - database: Kept open as long as the statement lives.
  ///   - sql: Made of our own words only, never of values.
  /// - Throws: When the words and the file's tables do not go together.
  init(_ database: Database, _ sql: String) throws(StoreError) {
    var prepared: OpaquePointer?
    try database.check(
      unsafe sqlite3_prepare_v3(
        database.pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
    guard let pointer = unsafe prepared else {
      throw .database(code: SQLITE_INTERNAL, message: "no statement")
    }
    unsafe self.pointer = pointer
    self.database = database
  }

  deinit {
    unsafe sqlite3_finalize(pointer)
  }

  /// Runs the statement with no values, and calls `row` for each row with its first two columns.
  func run(_ row: (RawSpan, RawSpan) -> Void = { _, _ in }) throws(StoreError) {
    // Nothing of the row is used after the reset.
    defer { unsafe sqlite3_reset(pointer) }
    while true {
      let code = unsafe sqlite3_step(pointer)
      if code == SQLITE_DONE { return }
      try database.check(code)
      row(unsafe column(0).bytes, unsafe column(1).bytes)
    }
  }

  /// Runs the statement with one value.
  func run(
    _ value: RawSpan, row: (RawSpan, RawSpan) -> Void = { _, _ in }
  ) throws(StoreError) {
    try unsafe value.withUnsafeBytes { (bytes) throws(StoreError) in
      try unsafe bind(1, bytes)
      defer { unsafe sqlite3_clear_bindings(pointer) }
      try run(row)
    }
  }

  /// Runs the statement with two values.
  func run(_ first: RawSpan, _ second: RawSpan) throws(StoreError) {
    try unsafe second.withUnsafeBytes { (bytes) throws(StoreError) in
      try unsafe bind(2, bytes)
      try run(first)
    }
  }

  /// The bytes are not copied: they must outlive the run.
  ///
  /// The corresponding C function is `sqlite3_bind_blob`.
  private func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    // Without an address it would become NULL.
    let code =
      if let start = bytes.baseAddress {
        unsafe sqlite3_bind_blob64(pointer, index, start, UInt64(bytes.count), nil)
      } else {
        unsafe sqlite3_bind_zeroblob(pointer, index, 0)
      }
    try database.check(code)
  }

  /// Valid until the next step.
  ///
  /// The corresponding C function is `sqlite3_column_blob`.
  private func column(_ index: Int32) -> UnsafeRawBufferPointer {
    let start = unsafe sqlite3_column_blob(pointer, index)
    let count = Int(unsafe sqlite3_column_bytes(pointer, index))
    return unsafe UnsafeRawBufferPointer(start: start, count: count)
  }
}
