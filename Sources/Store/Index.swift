package import Bytes
package import Files

package enum IndexTable: String, CaseIterable, Hashable, Sendable {
  case facts
  case fetches
  /// A table whose records never expire.
  case meta
  case renders
  case stamps
}

package enum IndexFile: String, Hashable, Sendable {
  /// Records that a build can recompute.
  case work = "index.sqlite"
  /// Records about URLs, in a separate file, so that they survive schema changes to other tables.
  case addresses = "addresses.sqlite"

  package var tables: [IndexTable] {
    switch self {
    case .work: [.facts, .meta, .renders, .stamps]
    case .addresses: [.fetches, .meta]
    }
  }

  package var names: [String] { ["", "-wal", "-shm", "-journal"].map { rawValue + $0 } }
}

package protocol IndexKey { var keyBytes: [UInt8] { get } }

extension Digest: IndexKey { package var keyBytes: [UInt8] { bytes } }
extension Array: IndexKey where Element == UInt8 { package var keyBytes: [UInt8] { self } }
extension String: IndexKey { package var keyBytes: [UInt8] { Array(utf8) } }

/// Key-value records in a SQLite file in the cache.
///
/// 1. A record with an incorrect checksum is treated as missing. A file that is damaged or has a
///    different schema is deleted and recreated. Callers version the record formats.
/// 2. After other errors, such as a full disk, the file is kept.
/// 3. Each record contains the day of its last use, so that unused records can be removed.
/// 4. The index is thread-safe.
package final class Index: Sendable {
  private struct State {
    var database: Database?
    var isClosed = false
    var wasReset = false
    /// Why the file was deleted; nil if only its schema was different.
    var damage: String?

    mutating func note(_ error: StoreError) {
      wasReset = true
      if !error.hasOtherTables { damage = damage ?? error.explanation }
    }
  }

  /// How many days the recorded last use may lag behind, to save writes.
  private static let lag: Int64 = 7

  private let kind: IndexFile
  private let cache: Folder
  private let state = Locked(State())
  private let today: Int64

  /// Opens the index in a private cache folder.
  ///
  /// The caller must hold the folder's lock. `now` is in seconds since 1970.
  package init(
    in cache: Folder, _ kind: IndexFile = .work, now: Int64 = FileStamp.now() / 1_000_000_000
  ) throws {
    (self.cache, self.kind, today) = (cache, kind, now / 86_400)
    try cache.makePrivate()
    try state.withLock { try open(&$0) }
  }

  /// Whether the index was recreated because of damage or a different schema, on opening or later.
  package var wasReset: Bool { state.withLock(\.wasReset) }

  /// Closes the file, so that later calls fail even if other threads still hold a reference.
  ///
  /// Must be called before the cache lock is released, because the connection is exclusive.
  package func close() { state.withLock { ($0.isClosed, $0.database) = (true, nil) } }

  private var path: String { cache.path + "/" + kind.rawValue }

  private func open(_ state: inout State) throws {
    let names = try kind.names.filter { try cache.kind(of: $0) != nil }
    if names.contains(kind.rawValue) {
      state.database = try existing(names, &state)
      if state.database != nil { return }
    }
    try erase()
    state.database = try connect(isNew: true)
  }

  private func existing(_ names: [String], _ state: inout State) throws -> Database? {
    do {
      guard try names.allSatisfy({ try cache.kind(of: $0) == .file }) else {
        throw StoreError.unusable("\(path): not a file")
      }
      return try connect(isNew: false)
    } catch let error as StoreError where error.mayBeDamage {
      // Missing permissions can look like damage, so check them first.
      if !error.isDamage { for name in names { try cache.checkWritable(name) } }
      state.note(error)
      return nil
    } catch let error as FileError {
      // For a read-only file, SQLite's error is less precise, so check the permissions first.
      for name in names { try cache.checkWritable(name) }
      throw error
    }
  }

  private func connect(isNew: Bool) throws -> Database {
    let database = try Database(path)
    // The cache lock permits exclusive mode, which uses heap memory instead of a shared-memory
    // file. A power failure may lose the last transactions, because builds do not sync. Triggers
    // and views in the file must not run code.
    try database.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; PRAGMA mmap_size = 0;
      PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      """)
    let schemas = kind.tables.map(\.rawValue).sorted().map { table in
      "CREATE TABLE \(table) (key BLOB NOT NULL PRIMARY KEY, value BLOB NOT NULL, "
        + "checksum INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID"
    }
    if isNew {
      try database.transaction {
        for schema in schemas { try database.execute(schema) }
      }
    }
    // A damaged file could declare other tables, which SQLite would use.
    let found = try database.texts("SELECT sql FROM sqlite_schema ORDER BY name")
    if found.isEmpty { throw StoreError.unusable("\(path): it is empty") }
    guard found == schemas else {
      throw StoreError.unusable("\(path): unexpected tables", hasOtherTables: true)
    }
    return database
  }

  private func erase() throws { for name in kind.names { try cache.removeTree(name) } }

  /// Runs `body`; retries once with a new index if the file is damaged.
  private func perform<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    try state.withLock { state in
      if state.isClosed { throw StoreError.closed(path) }
      do {
        if let database = state.database { return try body(database) }
      } catch let error as StoreError where error.isDamage {
        state.note(error)
      }
      // Close the database before deleting its file. If recreation fails, the index stays closed.
      state.database = nil
      try erase()
      try open(&state)
      guard let database = state.database else { preconditionFailure("open or thrown") }
      return try body(database)
    }
  }
}

extension Index {
  package func get(_ table: IndexTable, _ key: some IndexKey) throws -> [UInt8]? {
    try get(table, [key])[0]
  }

  package func get(_ table: IndexTable, _ keys: [some IndexKey]) throws -> [[UInt8]?] {
    let keys = keys.map(\.keyBytes)
    let select = "SELECT value, checksum, used FROM \(table) WHERE key = ?1"
    let touch = "UPDATE \(table) SET used = ?2 WHERE key = ?1"
    return try perform { database in
      var values = [[UInt8]?](repeating: nil, count: keys.count)
      try database.transaction {
        for index in order(of: keys) {
          let key = keys[index]
          var lastUse = today
          try database.run(select, .bytes(key)) { row in
            let value = row.bytes(0)
            guard checksum(table, key, value) == row.number(1) else { return }
            values[index] = value
            lastUse = row.number(2)
          }
          // Update the day of last use rarely: each update turns a read into a write.
          if table != .meta, (today &- lastUse).magnitude >= Self.lag {
            try database.run(touch, .bytes(key), .number(today))
          }
        }
      }
      return values
    }
  }

  /// Visits all records in a table, sorted by key.
  ///
  /// Stops early if the file is damaged. The visitor must not use the index.
  package func forEach(
    _ table: IndexTable, _ visit: (_ key: [UInt8], _ value: [UInt8]) -> Void
  ) throws {
    try perform { database in
      try database.run("SELECT key, value, checksum FROM \(table) ORDER BY key") { row in
        let (key, value) = (row.bytes(0), row.bytes(1))
        if checksum(table, key, value) == row.number(2) { visit(key, value) }
      }
    }
  }
}

extension Index {
  /// Reads the whole file and removes damaged records.
  ///
  /// - Returns: A description of the damage, including damage found on opening, or nil.
  @discardableResult
  package func removeDamage() throws -> String? {
    var removed = 0
    try perform { database in
      let structure = try database.texts("PRAGMA quick_check(1)")
      guard structure == ["ok"] else {
        throw StoreError.unusable(
          structure.joined().replacing("*** in database main ***\n", with: ""))
      }
      for table in kind.tables {
        var wrong: [Int64] = []
        try database.run("SELECT key, value, checksum FROM \(table)") { row in
          let sum = row.number(2)
          if checksum(table, row.bytes(0), row.bytes(1)) != sum { wrong.append(sum) }
        }
        // The key may be damaged, so delete by checksum.
        let sums = wrong.map(String.init).joined(separator: ",")
        try database.execute("DELETE FROM \(table) WHERE CAST(checksum AS INTEGER) IN (\(sums))")
        removed += wrong.count
      }
    }
    return state.withLock(\.damage)
      ?? (removed == 0 ? nil : "records with an incorrect checksum: \(removed)")
  }

  package func put(_ table: IndexTable, _ key: some IndexKey, _ value: [UInt8]) throws {
    try put(table, [(key, value)])
  }

  /// Stores many records in one transaction; if a key repeats, the last record wins.
  package func put<Key: IndexKey>(
    _ table: IndexTable, _ records: [(key: Key, value: [UInt8])]
  ) throws {
    let keys = records.map(\.key.keyBytes)
    let sql = "REPLACE INTO \(table) (key, value, checksum, used) VALUES (?1, ?2, ?3, ?4)"
    try perform { database in
      try database.transaction {
        for index in order(of: keys) {
          let (key, value) = (keys[index], records[index].value)
          try database.run(
            sql, .bytes(key), .bytes(value), .number(checksum(table, key, value)), .number(today))
        }
      }
    }
  }

  package func remove(_ table: IndexTable, _ keys: [some IndexKey]) throws {
    let keys = keys.map(\.keyBytes)
    let sql = "DELETE FROM \(table) WHERE key = ?1"
    try perform { database in
      try database.transaction {
        for index in order(of: keys) { try database.run(sql, .bytes(keys[index])) }
      }
    }
  }

  /// Removes records unused for 90 days, but only once a week, because it reads every table.
  ///
  /// Call this method after a build has read all the records that it needs. This does not shrink
  /// the file, but new records reuse the freed space.
  package func forgetUnused() throws {
    let name = "forgotten on day"
    let last = try get(.meta, name).flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
    guard (today &- last).magnitude >= Self.lag else { return }
    try forget(unusedFor: 90)
    try put(.meta, name, Array("\(today)".utf8))
  }

  /// Removes records unused for this many days; the lag can delay removal by up to a week.
  ///
  /// Also removes records whose last use is far in the future because the system clock was wrong.
  package func forget(unusedFor days: Int) throws {
    let days = Int64(days) + Self.lag
    try perform { database in
      for table in kind.tables where table != .meta {
        try database.run(
          "DELETE FROM \(table) WHERE used NOT BETWEEN ?1 AND ?2", .number(today - days),
          .number(today + days))
      }
    }
  }

  package func shrink() throws { try perform { try $0.execute("VACUUM") } }
}

/// Returns indices sorted by key, keeping equal keys in their original order.
///
/// Writing in the file's order makes large batches several times faster.
private func order(of keys: [[UInt8]]) -> [Int] {
  keys.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
}

/// Computes a record's 64-bit FNV-1a hash, which differs after any change to a single byte.
///
/// SQLite does not detect flipped bits in keys or values. Without the checksum, an incorrect digest
/// could be published. The checksum detects disk errors, not tampering.
private func checksum(_ table: IndexTable, _ key: [UInt8], _ value: [UInt8]) -> Int64 {
  var sum: UInt64 = 0xcbf2_9ce4_8422_2325
  func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
  for byte in table.rawValue.utf8 { add(byte) }
  // The key's length separates the key from the value.
  add(UInt8(truncatingIfNeeded: key.count))
  for byte in key { add(byte) }
  for byte in value { add(byte) }
  return Int64(bitPattern: sum)
}
