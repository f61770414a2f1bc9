import CSQLite
import Files
import Glibc

/// A SQLite connection, for one thread at a time.
@safe
final class Database {
  enum Value {
    case bytes([UInt8])
    case number(Int64)
  }

  @safe
  struct Row {
    fileprivate let statement: OpaquePointer

    func bytes(_ column: Int32) -> [UInt8] {
      let start = unsafe sqlite3_column_blob(statement, column)
      let count = Int(unsafe sqlite3_column_bytes(statement, column))
      return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }
  }

  private let pointer: OpaquePointer
  private let path: String
  private var statements: [String: Row] = [:]

  init(_ path: String) throws {
    // Some SQLite builds treat `file:` as a URI and `:memory:` as an in-memory database.
    let name = path.hasPrefix("/") ? path : "./" + path
    // SQLite does not need a mutex: `Index` serializes access to the connection.
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard let pointer = unsafe opened else {
      throw StoreError(code: code, explanation: "\(path): out of memory")
    }
    unsafe self.pointer = pointer
    self.path = path
    try check(code)
  }

  deinit {
    for row in statements.values { unsafe sqlite3_finalize(row.statement) }
    unsafe sqlite3_close_v2(pointer)
  }

  func execute(_ sql: String) throws { try check(unsafe sqlite3_exec(pointer, sql, nil, nil, nil)) }

  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // This fails if SQLite has already rolled back.
      try? execute("ROLLBACK")
      throw error
    }
  }

  func run(_ sql: String, _ values: Value..., row: (Row) -> Void = { _ in }) throws {
    let statement = try prepared(sql)
    let pointer = unsafe statement.statement
    for (index, value) in zip(Int32(1)..., values) {
      switch value {
      case .number(let number): try check(unsafe sqlite3_bind_int64(pointer, index, number))
      // SQLite would bind an empty array as NULL.
      case .bytes([]): try check(unsafe sqlite3_bind_zeroblob(pointer, index, 0))
      case .bytes(let bytes):
        // -1 is SQLITE_TRANSIENT: SQLite copies the bytes.
        try check(
          unsafe sqlite3_bind_blob64(
            pointer, index, bytes, UInt64(bytes.count),
            unsafeBitCast(-1, to: sqlite3_destructor_type.self)))
      }
    }
    defer { unsafe sqlite3_reset(pointer) }
    while true {
      let code = unsafe sqlite3_step(pointer)
      if code == SQLITE_DONE { return }
      try check(code)
      row(statement)
    }
  }

  func texts(_ sql: String) throws -> [String] {
    var texts: [String] = []
    try run(sql) { texts.append(String(decoding: $0.bytes(0), as: UTF8.self)) }
    return texts
  }

  /// Returns a cached statement, because most statements run thousands of times.
  private func prepared(_ sql: String) throws -> Row {
    if let known = statements[sql] { return known }
    var prepared: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    try check(unsafe sqlite3_prepare_v3(pointer, sql, -1, flags, &prepared, nil))
    guard let prepared = unsafe prepared else {
      throw StoreError(code: SQLITE_INTERNAL, explanation: "\(path): no statement")
    }
    let row = unsafe Row(statement: prepared)
    statements[sql] = row
    return row
  }

  private func check(_ code: Int32) throws {
    if [SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(code) { return }
    // SQLite's message is valid until the next call.
    let text = unsafe sqlite3_errmsg(pointer).map { unsafe String(cString: $0) } ?? ""
    let error = StoreError(code: code, explanation: "\(path): \(text)")
    let cause = unsafe sqlite3_system_errno(pointer)
    let isOfSystem =
      code & 0xff == SQLITE_CANTOPEN
      ? [EMFILE, ENFILE].contains(cause) : code & 0xff == SQLITE_IOERR && cause != 0
    if isOfSystem, !error.isDamage { throw FileError("use", path: path, code: cause) }
    throw error
  }
}

package struct StoreError: Error, Hashable, Sendable {
  let code: Int32
  package let explanation: String

  static func closed(_ path: String) -> StoreError {
    StoreError(code: SQLITE_MISUSE, explanation: "\(path): closed")
  }

  static func unusable(_ explanation: String, hasOtherTables: Bool = false) -> StoreError {
    StoreError(code: hasOtherTables ? SQLITE_FORMAT : SQLITE_CORRUPT, explanation: explanation)
  }

  var hasOtherTables: Bool { code == SQLITE_FORMAT }

  var isDamage: Bool {
    let damaged = [
      SQLITE_ERROR, SQLITE_INTERNAL, SQLITE_CORRUPT, SQLITE_NOTFOUND, SQLITE_SCHEMA,
      SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_FORMAT, SQLITE_NOTADB,
    ]
    let shortRead = SQLITE_IOERR | 2 << 8
    let corruptFileSystem = SQLITE_IOERR | 33 << 8
    return damaged.contains(code & 0xff) || code == shortRead || code == corruptFileSystem
  }

  /// Whether the code may mean damage; some of these codes can also mean missing permissions.
  var mayBeDamage: Bool {
    isDamage || [SQLITE_CANTOPEN, SQLITE_READONLY].contains(code & 0xff)
  }
}
