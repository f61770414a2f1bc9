import Bytes
import CSQLite
package import Files

/// Owns one connection to a SQLite file; not for two threads at once.
@safe
final class Database {
  private let pointer: OpaquePointer
  private let path: String
  private var statements: [String: Statement] = [:]

  /// Opens or makes a file, or memory without a path.
  init(_ path: String) throws(StoreError) {
    // Some builds of SQLite take `file:` for a URI, and `:memory:` for memory.
    var name = path.hasPrefix("/") ? path : "./" + path
    if path.isEmpty { name = ":memory:" }
    var opened: OpaquePointer?
    // No lock inside SQLite: the index has one around the connection.
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard let pointer = unsafe opened else {
      throw .database(code: code, message: "\(path): out of memory")
    }
    if code != SQLITE_OK {
      let message = unsafe Database.message(of: pointer, code, path)
      unsafe sqlite3_close_v2(pointer)
      throw .database(code: code, message: message)
    }
    unsafe self.pointer = pointer
    self.path = path
  }

  // SQLite closes the file when the last statement is finalized, which is right after this.
  deinit { unsafe sqlite3_close_v2(pointer) }

  /// Runs statements that need no values.
  func execute(_ sql: String) throws(StoreError) {
    try check(unsafe sqlite3_exec(pointer, sql, nil, nil, nil))
  }

  /// Does all of `body` or nothing.
  func transaction<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try execute("BEGIN")
    do throws(StoreError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // SQLite may have rolled back itself.
      if unsafe sqlite3_get_autocommit(pointer) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Prepares a statement at its first use; the text is never made of values.
  func statement(_ sql: String) throws(StoreError) -> Statement {
    if let known = statements[sql] { return known }
    var prepared: OpaquePointer?
    try check(
      unsafe sqlite3_prepare_v3(
        pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
    guard let prepared = unsafe prepared else {
      throw .database(code: SQLITE_INTERNAL, message: "no statement")
    }
    let statement = unsafe Statement(self, prepared)
    statements[sql] = statement
    return statement
  }

  /// The only place where a SQLite result becomes a Swift error.
  fileprivate func check(_ code: Int32) throws(StoreError) {
    if code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE { return }
    throw .database(code: code, message: unsafe Database.message(of: pointer, code, path))
  }

  /// What failed on which file, and the reason of a failed system call.
  private static func message(of pointer: OpaquePointer, _ code: Int32, _ path: String) -> String {
    // SQLite's text lives until the next call, and is copied here.
    let text = unsafe sqlite3_errmsg(pointer).map { unsafe String(cString: $0) }
    let error = FileError("use", path: path, code: unsafe sqlite3_system_errno(pointer))
    // If a file cannot be made, SQLite tries to read it, and finds none.
    let isCause =
      [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff) && error.code != 0
      && error.reason != .notFound
    let cause = isCause ? ": " + error.explanation : ""
    return "\(path): \(text ?? "unknown error")\(cause)"
  }
}

/// A prepared statement; its values and columns are bytes and integers.
@safe
final class Statement {
  enum Value {
    case bytes([UInt8])
    case number(Int64)
  }

  private let pointer: OpaquePointer
  private unowned let database: Database

  fileprivate init(_ database: Database, _ pointer: OpaquePointer) {
    self.database = database
    unsafe self.pointer = pointer
  }

  deinit { unsafe sqlite3_finalize(pointer) }

  /// Runs the statement with values for `?1`, `?2` and so on, and calls `row` for each row.
  func run(_ values: Value..., row: () -> Void = {}) throws(StoreError) {
    for (index, value) in values.enumerated() { try bind(Int32(index + 1), value) }
    defer { unsafe sqlite3_reset(pointer) }
    while true {
      let code = unsafe sqlite3_step(pointer)
      if code == SQLITE_DONE { return }
      try database.check(code)
      row()
    }
  }

  private func bind(_ index: Int32, _ value: Value) throws(StoreError) {
    let code =
      switch value {
      case .number(let number): unsafe sqlite3_bind_int64(pointer, index, number)
      // Without bytes SQLite would bind NULL.
      case .bytes(let bytes) where bytes.isEmpty:
        unsafe sqlite3_bind_zeroblob(pointer, index, 0)
      case .bytes(let bytes):
        // SQLITE_TRANSIENT: SQLite copies the bytes.
        unsafe sqlite3_bind_blob64(
          pointer, index, bytes, UInt64(bytes.count),
          unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      }
    try database.check(code)
  }

  /// A column of the current row.
  func bytes(_ column: Int32) -> [UInt8] {
    let start = unsafe sqlite3_column_blob(pointer, column)
    let count = Int(unsafe sqlite3_column_bytes(pointer, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// A column of the current row.
  func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }
}

/// A failure of the machine; damage in the store is not an error, since it only costs time.
package enum StoreError: Error, Hashable, Sendable {
  case file(FileError)
  /// The code is SQLite's.
  case database(code: Int32, message: String)

  package var explanation: String {
    switch self {
    case .file(let error): error.explanation
    case .database(_, let message): message
    }
  }

  static func closed(_ path: String) -> StoreError {
    .database(code: SQLITE_MISUSE, message: "\(path): closed")
  }

  /// The tables are not ours: SQLite's code for a file of another kind.
  static var wrongShape: StoreError {
    .database(code: SQLITE_NOTADB, message: "another version")
  }

  /// Whether the file is damaged, as opposed to a machine that fails.
  var isDamage: Bool {
    guard case .database(let code, _) = self else { return false }
    let damaged = [
      SQLITE_ERROR, SQLITE_INTERNAL, SQLITE_CORRUPT, SQLITE_NOTFOUND, SQLITE_SCHEMA,
      SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_FORMAT, SQLITE_NOTADB,
    ]
    let shortRead = SQLITE_IOERR | 2 << 8
    let corruptFileSystem = SQLITE_IOERR | 33 << 8
    return damaged.contains(code & 0xff) || code == shortRead || code == corruptFileSystem
  }

  /// Whether the machine failed, or rights are missing: SQLite cannot lock what it may only read.
  var isInputOutput: Bool {
    guard case .database(let code, _) = self else { return false }
    return code & 0xff == SQLITE_IOERR
  }

  /// Whether the file may be damaged, or rights may be missing: the code is the same.
  var isAmbiguous: Bool {
    guard case .database(let code, _) = self else { return false }
    return [SQLITE_CANTOPEN, SQLITE_READONLY].contains(code & 0xff)
  }
}
