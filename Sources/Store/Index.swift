package import Bytes
package import Files

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
  /// Records of addresses, in a separate file so that a change of the other tables does not reset
  /// them.
  case addresses = "addresses.sqlite"

  package var tables: [IndexTable] {
    switch self {
    case .work: [.facts, .meta, .renders, .stamps]
    case .addresses: [.fetches, .meta]
    }
  }

  /// The names of the file, and of those that SQLite makes beside it.
  package var names: [String] { ["", "-wal", "-shm", "-journal"].map { rawValue + $0 } }
}

package protocol IndexKey { var keyBytes: [UInt8] { get } }

extension Digest: IndexKey { package var keyBytes: [UInt8] { bytes } }
extension Array: IndexKey where Element == UInt8 { package var keyBytes: [UInt8] { self } }
extension String: IndexKey { package var keyBytes: [UInt8] { Array(utf8) } }

/// Records by key, in a file of the cache.
///
/// 1. Damage costs only the records that it hits: a record with a wrong checksum counts as missing, and
///    a file that is broken, or has other tables, is deleted and started again. Versions differ in
///    their tables; the forms of records are numbered by those who write them.
/// 2. If the machine fails, now or for good, the file is kept.
/// 3. Each record has the day of its last use, so that unused ones can be forgotten.
/// 4. Threads may share an index.
package final class Index: Sendable {
  /// One thread at a time uses the connection, under the lock.
  private struct State {
    var database: Database?
    var isClosed = false
    var wasReset = false
    /// Why it had to be thrown away, unless it had other tables.
    var damage: String?

    mutating func note(_ error: StoreError) {
      wasReset = true
      if !error.hasOtherTables { damage = damage ?? error.explanation }
    }
  }

  /// How many days the noted last use of a record may be behind.
  private static let lag: Int64 = 7

  private let kind: IndexFile
  private let cache: Folder
  private let state = Locked(State())
  /// Days since 1970.
  private let today: Int64

  /// Opens the index in a cache folder, which must be ours and becomes private.
  ///
  /// Only for the holder of the folder's lock. `now` is in seconds since 1970.
  package init(
    in cache: Folder, _ kind: IndexFile = .work, now: Int64 = FileStamp.now() / 1_000_000_000
  ) throws {
    (self.cache, self.kind, today) = (cache, kind, now / 86_400)
    try cache.makePrivate()
    try state.withLock { try open(&$0) }
  }

  /// Whether an index had to be thrown away, at the start or since.
  package var wasReset: Bool { state.withLock(\.wasReset) }

  /// Closes the file, even if other threads still hold a reference; their calls then fail.
  ///
  /// Called before the lock of the cache is released, since the next holder needs the file alone.
  package func close() { state.withLock { ($0.isClosed, $0.database) = (true, nil) } }

  // MARK: - Opening

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

  /// Opens an existing index; nil if it is damaged.
  private func existing(_ names: [String], _ state: inout State) throws -> Database? {
    do {
      guard try names.allSatisfy({ try cache.kind(of: $0) == .file }) else {
        throw StoreError.unusable("\(path): not a file")
      }
      return try connect(isNew: false)
    } catch let error as StoreError where error.mayBeDamage {
      // This throws if rights are missing.
      if !error.isDamage { for name in names { try cache.checkWritable(name) } }
      state.note(error)
      return nil
    } catch let error as FileError {
      // SQLite cannot lock what it may only read, and then its reason says less.
      for name in names { try cache.checkWritable(name) }
      throw error
    }
  }

  /// Opens a file with these tables, or fills a new one.
  ///
  /// A file of another program, or of a version with other tables, counts as damaged.
  private func connect(isNew: Bool) throws -> Database {
    let database = try Database(path)
    // We hold the cache's lock, so the connection can be exclusive: it keeps its bookkeeping in
    // memory instead of a mapped file. A power cut costs only the last transactions, so nothing is
    // synced while building. Nothing in the file may run code.
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
    // SQLite would use the tables as a damaged file declares them.
    let found = try database.texts("SELECT sql FROM sqlite_schema ORDER BY name")
    if found.isEmpty { throw StoreError.unusable("\(path): it is empty") }
    guard found == schemas else {
      throw StoreError.unusable("\(path): other tables", hasOtherTables: true)
    }
    return database
  }

  private func erase() throws { for name in kind.names { try cache.removeTree(name) } }

  /// Runs `body`, and once more on a new index if the file turns out to be broken.
  private func perform<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    try state.withLock { state in
      if state.isClosed { throw StoreError.closed(path) }
      do {
        if let database = state.database { return try body(database) }
      } catch let error as StoreError where error.isDamage {
        state.note(error)
      }
      // Closed before its file goes; and it stays closed if a new one cannot be made.
      state.database = nil
      try erase()
      try open(&state)
      guard let database = state.database else { preconditionFailure("open or thrown") }
      return try body(database)
    }
  }
}

// MARK: - Reading

extension Index {
  /// The value of a key, or nil.
  package func get(_ table: IndexTable, _ key: some IndexKey) throws -> [UInt8]? {
    try get(table, [key])[0]
  }

  /// The values of many keys, in the order of the keys.
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
          // At most once a week, since this makes a read write.
          if table != .meta, (today &- lastUse).magnitude >= Self.lag {
            try database.run(touch, .bytes(key), .number(today))
          }
        }
      }
      return values
    }
  }

  /// Visits all records of a table, sorted by the bytes of their keys.
  ///
  /// If the file turns out to be broken on the way, the visit ends early. The visitor must not
  /// use the index.
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

// MARK: - Writing

extension Index {
  /// Reads the whole file and removes what is damaged.
  ///
  /// - Returns: What was damaged, here or when the file was opened; nil for a sound file.
  @discardableResult
  package func removeDamage() throws -> String? {
    var removed = 0
    try perform { database in
      let structure = try database.texts("SELECT quick_check FROM pragma_quick_check(1)")
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
        // Not by the key, which may be what is damaged.
        let sums = wrong.map(String.init).joined(separator: ",")
        try database.execute("DELETE FROM \(table) WHERE CAST(checksum AS INTEGER) IN (\(sums))")
        removed += wrong.count
      }
    }
    return state.withLock(\.damage)
      ?? (removed == 0 ? nil : "records with a wrong checksum: \(removed)")
  }

  /// Keeps a value, replacing an earlier one of the same key.
  package func put(_ table: IndexTable, _ key: some IndexKey, _ value: [UInt8]) throws {
    try put(table, [(key, value)])
  }

  /// Keeps many values, all of them or none; of two with the same key the later.
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

  /// Forgets many keys, all of them or none.
  package func remove(_ table: IndexTable, _ keys: [some IndexKey]) throws {
    let keys = keys.map(\.keyBytes)
    let sql = "DELETE FROM \(table) WHERE key = ?1"
    try perform { database in
      try database.transaction {
        for index in order(of: keys) { try database.run(sql, .bytes(keys[index])) }
      }
    }
  }

  /// Forgets what has not been used for 90 days; looks only once a week, since that reads it all.
  ///
  /// For the end of a build that has read every record that it needs. The file does not shrink,
  /// but the next records take the space.
  package func forgetUnused() throws {
    let name = "forgotten on day"
    let last = try get(.meta, name).flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
    guard (today &- last).magnitude >= Self.lag else { return }
    try forget(unusedFor: 90)
    try put(.meta, name, Array("\(today)".utf8))
  }

  /// Forgets what has not been used for so many days, or up to a week more.
  ///
  /// A day of use that is as far in the future is from a wrong clock, and counts the same.
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

  /// Rewrites the file without the space of what was forgotten.
  package func shrink() throws { try perform { try $0.execute("VACUUM") } }
}

/// The order of the file, which makes a large batch several times faster.
///
/// Equal keys stay in the order in which they came.
private func order(of keys: [[UInt8]]) -> [Int] {
  keys.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
}

/// 64-bit FNV-1a over a record: two inputs that differ in one byte never agree.
///
/// SQLite checks its own structure, but hands out a flipped bit of a key or a value as if it were
/// right; a wrong width or digest would be published. It guards against disks, not against people.
private func checksum(_ table: IndexTable, _ key: [UInt8], _ value: [UInt8]) -> Int64 {
  var sum: UInt64 = 0xcbf2_9ce4_8422_2325
  func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
  for byte in table.rawValue.utf8 { add(byte) }
  // The length keeps a key's end apart from a value's start.
  add(UInt8(truncatingIfNeeded: key.count))
  for byte in key { add(byte) }
  for byte in value { add(byte) }
  return Int64(bitPattern: sum)
}
