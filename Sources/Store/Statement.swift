import CSQLite

/// Owns one prepared statement; its values and columns are bytes and integers.
@safe
final class Statement {
  private let pointer: OpaquePointer
  private let database: Database

  /// The text is made of our own words only, never of values.
  ///
  /// The corresponding C function is `sqlite3_prepare_v3`.
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

  /// Two columns of bytes and two integers, valid during the call.
  typealias Row = (RawSpan, RawSpan, Int64, Int64) -> Void

  /// Runs the statement with the values that are bound, and calls `row` for each row.
  func run(_ row: Row = { _, _, _, _ in }) throws(StoreError) {
    // Nothing of the row is used after the reset.
    defer { unsafe sqlite3_reset(pointer) }
    while true {
      let code = unsafe sqlite3_step(pointer)
      if code == SQLITE_DONE { return }
      try database.check(code)
      row(
        unsafe bytes(0).bytes, unsafe bytes(1).bytes, unsafe sqlite3_column_int64(pointer, 2),
        unsafe sqlite3_column_int64(pointer, 3))
    }
  }

  /// Runs the statement with `?1`.
  func run(_ key: RawSpan, row: Row = { _, _, _, _ in }) throws(StoreError) {
    try unsafe key.withUnsafeBytes { (bytes) throws(StoreError) in
      try unsafe bind(1, bytes)
      defer { unsafe sqlite3_clear_bindings(pointer) }
      try run(row)
    }
  }

  /// Runs the statement with `?1` and `?2`.
  func run(_ key: RawSpan, _ value: RawSpan) throws(StoreError) {
    try unsafe value.withUnsafeBytes { (bytes) throws(StoreError) in
      try unsafe bind(2, bytes)
      try run(key)
    }
  }

  /// Binds an integer for the next run.
  ///
  /// The corresponding C function is `sqlite3_bind_int64`.
  func bind(_ index: Int32, _ value: Int64) throws(StoreError) {
    try database.check(unsafe sqlite3_bind_int64(pointer, index, value))
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
  private func bytes(_ index: Int32) -> UnsafeRawBufferPointer {
    let start = unsafe sqlite3_column_blob(pointer, index)
    let count = Int(unsafe sqlite3_column_bytes(pointer, index))
    return unsafe UnsafeRawBufferPointer(start: start, count: count)
  }
}
