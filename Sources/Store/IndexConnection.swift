/// An open index file of the current version, with a statement for each thing that is done to it.
///
/// Sendable: `Index` keeps it behind its lock, and hands it only to closures that run under it.
final class IndexConnection: @unchecked Sendable {
  let database: Database
  private let tables: [IndexTable: Statements]

  struct Statements {
    let get: Statement
    let put: Statement
    let touch: Statement
    let remove: Statement
    let forget: Statement
    let scan: Statement
  }

  /// Opens a file that is there, or fills one that is not.
  ///
  /// A file of another version, or of someone else, counts as damaged.
  init(
    _ path: String, of kind: IndexFile, isNew: Bool, isFrozen: Bool = false
  ) throws(StoreError) {
    let database = try Database(path, isFrozen: isFrozen)
    // The lock of the cache is ours, so an exclusive connection is right: it keeps its bookkeeping
    // in memory instead of a mapped file. A power cut costs the last transactions only, so nothing
    // is synced while building. Nothing in the file may run code.
    try database.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; PRAGMA mmap_size = 0;
      PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      """)
    if isNew { try IndexConnection.fill(database, kind) }
    try IndexConnection.verify(database, kind)
    var tables: [IndexTable: Statements] = [:]
    for table in kind.tables {
      // The names are our own words.
      let (name, columns) = (table.rawValue, "key, value, checksum, used")
      tables[table] = Statements(
        get: try Statement(database, "SELECT \(columns) FROM \(name) WHERE key = ?1"),
        put: try Statement(database, "REPLACE INTO \(name) (\(columns)) VALUES (?1, ?2, ?3, ?4)"),
        touch: try Statement(database, "UPDATE \(name) SET used = ?2 WHERE key = ?1"),
        remove: try Statement(database, "DELETE FROM \(name) WHERE key = ?1"),
        forget: try Statement(database, "DELETE FROM \(name) WHERE used NOT BETWEEN ?1 AND ?2"),
        scan: try Statement(database, "SELECT \(columns) FROM \(name) ORDER BY key"))
    }
    self.database = database
    self.tables = tables
  }

  func statements(_ table: IndexTable) -> Statements {
    guard let statements = tables[table] else {
      preconditionFailure("\(table) is in another file")
    }
    return statements
  }

  // MARK: - Shape

  private static func schema(_ table: IndexTable) -> String {
    "CREATE TABLE \(table) (key BLOB NOT NULL PRIMARY KEY, value BLOB NOT NULL, "
      + "checksum INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID"
  }

  private static func fill(_ database: Database, _ kind: IndexFile) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      for table in kind.tables { try Statement(database, schema(table)).run() }
      try Statement(database, "PRAGMA user_version = \(kind.version)").run()
    }
  }

  /// SQLite would use the tables as a damaged file declares them.
  private static func verify(_ database: Database, _ kind: IndexFile) throws(StoreError) {
    var found: [String] = []
    for words in [
      "SELECT user_version, '', 0, 0 FROM pragma_user_version",
      "SELECT sql, '', 0, 0 FROM sqlite_schema ORDER BY name",
    ] {
      try Statement(database, words).run { text, _, _, _ in
        unsafe text.withUnsafeBytes { unsafe found.append(String(decoding: $0, as: UTF8.self)) }
      }
    }
    let expected =
      ["\(kind.version)"]
      + kind.tables.sorted { $0.rawValue < $1.rawValue }.map(IndexConnection.schema)
    guard found == expected else {
      throw .database(code: Database.wrongShape, message: "another version")
    }
  }
}
