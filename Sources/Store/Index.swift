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

  /// Raised when its tables, or the records in them, change their shape.
  fileprivate var version: Int { 2 }

  /// The names of the file, and of those that SQLite makes beside it.
  package var names: [String] { ["", "-wal", "-shm", "-journal"].map { rawValue + $0 } }
}

/// A key of a record: a digest, a text, or bytes.
package protocol IndexKey {
  var keyBytes: [UInt8] { get }
}

extension Digest: IndexKey {
  package var keyBytes: [UInt8] { bytes }
}

extension Array: IndexKey where Element == UInt8 {
  package var keyBytes: [UInt8] { self }
}

extension String: IndexKey {
  package var keyBytes: [UInt8] { Array(utf8) }
}

/// Records by key, in a file of the cache.
///
/// Damage costs only the records that it hits: a record whose checksum is wrong counts as missing,
/// and a file that is broken, or of another version, is deleted and started again. Threads may
/// share it.
///
/// Each record knows the day of its last use, so that unused ones can be forgotten.
package final class Index: Sendable {
  /// One thread at a time uses the connection, under the lock.
  private struct State {
    var database: Database?
    var isClosed = false
    var wasReset = false
  }

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
  ) throws(StoreError) {
    (self.cache, self.kind, today) = (cache, kind, now / 86_400)
    try file { () throws(FileError) in try cache.makePrivate() }
    try state.withLock { (state) throws(StoreError) in try open(&state) }
  }

  /// Whether an index had to be thrown away, at the start or since.
  package var wasReset: Bool { state.withLock { $0.wasReset } }

  /// Closes the file, even if other threads still hold a reference; their calls then fail.
  ///
  /// Called before the lock of the cache is released, since the next holder needs the file alone.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      state.database = nil
    }
  }

  // MARK: - Opening

  private var path: String { cache.path + "/" + kind.rawValue }

  private func open(_ state: inout State) throws(StoreError) {
    var kinds: [String: FileKind] = [:]
    for name in kind.names {
      kinds[name] = try file { () throws(FileError) in try cache.kind(of: name) }
    }
    if kinds[kind.rawValue] != nil {
      if kinds.values.allSatisfy({ $0 == .file }), let database = try existing(Array(kinds.keys)) {
        state.database = database
        return
      }
      state.wasReset = true
    }
    try erase()
    state.database = try connect(path, isNew: true)
  }

  /// Opens an existing index; nil if it is damaged.
  ///
  /// If the machine fails, now or for good, the index is kept.
  private func existing(_ names: [String]) throws(StoreError) -> Database? {
    do throws(StoreError) {
      return try connect(path, isNew: false)
    } catch let error where error.isDamage {
      return nil
    } catch let error where error.isAmbiguous || error.isInputOutput {
      // Missing rights, or too few descriptors: this throws the reason. SQLite opens each file up
      // to four times.
      try file { () throws(FileError) in
        try cache.checkWritable((names + names + names + names)[...])
      }
      if error.isInputOutput { throw error }
      // What was missing may be there again.
      return try? connect(path, isNew: false)
    }
  }

  /// Opens a file of the current version, or fills a new one.
  ///
  /// A file of another version, or of another program, counts as damaged.
  private func connect(_ path: String, isNew: Bool) throws(StoreError) -> Database {
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
    let schemas = kind.tables.sorted { $0.rawValue < $1.rawValue }.map { table in
      "CREATE TABLE \(table) (key BLOB NOT NULL PRIMARY KEY, value BLOB NOT NULL, "
        + "checksum INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID"
    }
    if isNew {
      try database.transaction { () throws(StoreError) in
        for schema in schemas { try database.execute(schema) }
        try database.execute("PRAGMA user_version = \(kind.version)")
      }
    }
    // SQLite would use the tables as a damaged file declares them.
    var found: [String] = []
    for sql in [
      "SELECT user_version FROM pragma_user_version", "SELECT sql FROM sqlite_schema ORDER BY name",
    ] {
      let statement = try database.statement(sql)
      try statement.run { found.append(String(decoding: statement.bytes(0), as: UTF8.self)) }
    }
    guard found == ["\(kind.version)"] + schemas else { throw .wrongShape }
    return database
  }

  private func erase() throws(StoreError) {
    try file { () throws(FileError) in
      for name in kind.names { try cache.removeTree(name) }
    }
  }

  /// Runs `body`, and once more on a new index if the file turns out to be broken.
  private func perform<Result: Sendable>(
    _ body: (Database) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try state.withLock { (state) throws(StoreError) in
      if state.isClosed { throw .closed(path) }
      if let database = state.database {
        do throws(StoreError) {
          return try body(database)
        } catch let error where error.isDamage {
          state.wasReset = true
        }
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

/// Calls `Files`, and turns its errors into ours.
private func file<Result>(
  _ body: () throws(FileError) -> Result
) throws(StoreError) -> Result {
  do throws(FileError) {
    return try body()
  } catch {
    throw .file(error)
  }
}

// MARK: - Reading

extension Index {
  /// The value of a key, or nil.
  package func get(_ table: IndexTable, _ key: some IndexKey) throws(StoreError) -> [UInt8]? {
    try get(table, [key])[0]
  }

  /// The values of many keys, in the order of the keys.
  package func get(
    _ table: IndexTable, _ keys: [some IndexKey]
  ) throws(StoreError) -> [[UInt8]?] {
    let keys = keys.map(\.keyBytes)
    return try perform { (database) throws(StoreError) in
      let get = try database.statement(
        "SELECT value, checksum, used FROM \(table) WHERE key = ?1")
      let touch = try database.statement("UPDATE \(table) SET used = ?2 WHERE key = ?1")
      var values = [[UInt8]?](repeating: nil, count: keys.count)
      try database.transaction { () throws(StoreError) in
        for index in order(of: keys) {
          let key = keys[index]
          var lastUse = today
          try get.run(.bytes(key)) {
            let value = get.bytes(0)
            guard checksum(table, key, value) == get.number(1) else { return }
            values[index] = value
            lastUse = get.number(2)
          }
          // At most once a week, since this makes a read write.
          if table != .meta, (today &- lastUse).magnitude >= Index.lag {
            try touch.run(.bytes(key), .number(today))
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
  ) throws(StoreError) {
    try perform { (database) throws(StoreError) in
      let scan = try database.statement("SELECT key, value, checksum FROM \(table) ORDER BY key")
      try scan.run {
        let (key, value) = (scan.bytes(0), scan.bytes(1))
        if checksum(table, key, value) == scan.number(2) { visit(key, value) }
      }
    }
  }
}

// MARK: - Writing

extension Index {
  /// Keeps a value, replacing an earlier one of the same key.
  package func put(
    _ table: IndexTable, _ key: some IndexKey, _ value: [UInt8]
  ) throws(StoreError) {
    try put(table, [(key, value)])
  }

  /// Keeps many values, all of them or none; of two with the same key the later.
  package func put<Key: IndexKey>(
    _ table: IndexTable, _ records: [(key: Key, value: [UInt8])]
  ) throws(StoreError) {
    let keys = records.map(\.key.keyBytes)
    try perform { (database) throws(StoreError) in
      let put = try database.statement(
        "REPLACE INTO \(table) (key, value, checksum, used) VALUES (?1, ?2, ?3, ?4)")
      try database.transaction { () throws(StoreError) in
        for index in order(of: keys) {
          let (key, value) = (keys[index], records[index].value)
          try put.run(
            .bytes(key), .bytes(value), .number(checksum(table, key, value)), .number(today))
        }
      }
    }
  }

  /// Forgets many keys, all of them or none.
  package func remove(_ table: IndexTable, _ keys: [some IndexKey]) throws(StoreError) {
    let keys = keys.map(\.keyBytes)
    try perform { (database) throws(StoreError) in
      let remove = try database.statement("DELETE FROM \(table) WHERE key = ?1")
      try database.transaction { () throws(StoreError) in
        for index in order(of: keys) { try remove.run(.bytes(keys[index])) }
      }
    }
  }
}

// MARK: - Forgetting

extension Index {
  /// How many days the noted last use of a record may be behind.
  private static let lag: Int64 = 7

  /// Forgets what has not been used for 90 days; looks only once a week, since that reads it all.
  ///
  /// For the end of a build that has read every record that it needs. The file does not shrink,
  /// but the next records take the space.
  package func forgetUnused() throws(StoreError) {
    let name = "forgotten on day"
    let last = try get(.meta, name).flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
    guard (today &- last).magnitude >= Index.lag else { return }
    try forget(unusedFor: 90)
    try put(.meta, name, Array("\(today)".utf8))
  }

  /// Forgets what has not been used for so many days, or up to a week more.
  ///
  /// A day of use that is as far in the future is from a wrong clock, and counts the same.
  package func forget(unusedFor days: Int) throws(StoreError) {
    let days = Int64(days) + Index.lag
    try perform { (database) throws(StoreError) in
      for table in kind.tables where table != .meta {
        try database.statement("DELETE FROM \(table) WHERE used NOT BETWEEN ?1 AND ?2")
          .run(.number(today - days), .number(today + days))
      }
    }
  }

  /// Rewrites the file without the space of what was forgotten.
  package func shrink() throws(StoreError) {
    try perform { (database) throws(StoreError) in try database.execute("VACUUM") }
  }
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
