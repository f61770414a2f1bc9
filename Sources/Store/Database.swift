import Bytes
import CSQLite
import Files

/// Owns one connection to a SQLite file; not for two threads at once.
@safe
final class Database {
  let pointer: OpaquePointer
  private let path: String

  /// Opens or makes a file, or memory without a path.
  ///
  /// A frozen file is only read, without a lock, and nothing is made beside it.
  ///
  /// The corresponding C function is `sqlite3_open_v2`.
  init(_ path: String, isFrozen: Bool = false) throws(StoreError) {
    // Some builds of SQLite take `file:` for a URI, and `:memory:` is no file.
    var name = path.hasPrefix("/") ? path : "./" + path
    if path.isEmpty { name = ":memory:" }
    if isFrozen {
      name = "file:" + name.utf8.map { "%" + Hex.text(of: [$0]) }.joined() + "?immutable=1"
    }
    var opened: OpaquePointer?
    // No lock inside SQLite: the index has one around the connection.
    let flags =
      (isFrozen
        ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
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

  deinit {
    unsafe sqlite3_close_v2(pointer)
  }

  /// Runs statements that need no values.
  ///
  /// The corresponding C function is `sqlite3_exec`.
  func execute(_ sql: StaticString) throws(StoreError) {
    let code = unsafe sqlite3_exec(
      pointer, UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self), nil, nil, nil)
    try check(code)
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

  /// The only door from a SQLite result to a Swift error.
  func check(_ code: Int32) throws(StoreError) {
    if code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE { return }
    throw .database(code: code, message: unsafe Database.message(of: pointer, code, path))
  }

  /// What failed on which file, and for a system call why.
  private static func message(of pointer: OpaquePointer, _ code: Int32, _ path: String) -> String {
    // SQLite's text lives until the next call, and is copied here.
    let words = unsafe sqlite3_errmsg(pointer).map { unsafe String(cString: $0) }
    let error = FileError("use", path: path, code: unsafe sqlite3_system_errno(pointer))
    // Where a file cannot be made, SQLite tries to read it, and finds none.
    let isCause =
      [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff) && error.code != 0
      && error.reason != .notFound
    let cause = isCause ? ": " + error.explanation : ""
    return "\(path): \(words ?? "unknown error")\(cause)"
  }

  /// The code for a file whose tables are not ours: SQLite's code for a file of another kind.
  static let wrongShape = SQLITE_NOTADB
}

extension StoreError {
  /// Somebody wants something of an index that is closed.
  static func closed(_ path: String) -> StoreError {
    .database(code: SQLITE_MISUSE, message: "\(path): closed")
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

  /// Whether the file may be damaged, or rights may be missing: SQLite does not tell.
  var isAmbiguous: Bool {
    guard case .database(let code, _) = self else { return false }
    return [SQLITE_CANTOPEN, SQLITE_READONLY].contains(code & 0xff)
  }
}
