package import Files

/// Records by key, in a file of the cache; its callers decide what they mean.
///
/// Damage costs only the records that it hits: a record whose checksum is wrong counts as missing,
/// and a file that is broken, or of another version, is deleted and started anew. Threads may
/// share it.
///
/// Each record knows the day of its last use, so that unused ones can be forgotten.
package final class Index: Sendable {
  /// The connection is used by one thread at a time, under the lock.
  private struct State {
    var connection: IndexConnection?
    var isClosed = false
    var wasReset = false
    var damaged = 0
  }

  private let kind: IndexFile
  private let isReadOnly: Bool
  private let cache: Folder
  private let state: Guarded<State>
  /// Days since 1970.
  private let today: Int64

  /// Opens the index in a cache folder, which must be ours and becomes private.
  ///
  /// Only for the holder of the folder's lock.
  ///
  /// `now` is in seconds since 1970.
  package init(
    in cache: Folder, _ kind: IndexFile = .work, now: Int64 = FileStamp.now() / 1_000_000_000
  ) throws(StoreError) {
    self.kind = kind
    isReadOnly = false
    today = now / 86_400
    self.cache = cache
    try file { () throws(FileError) in try cache.makePrivate() }
    state = Guarded(State())
    try state.withLock { (state) throws(StoreError) in try open(&state) }
  }

  /// Opens the index of a cache folder that no build uses, and changes nothing: what is written is
  /// dropped, and damage, or no file, is an index without records.
  package init(
    reading cache: Folder, _ kind: IndexFile, now: Int64
  ) throws(StoreError) {
    self.kind = kind
    isReadOnly = true
    today = now / 86_400
    self.cache = cache
    state = Guarded(State())
    try state.withLock { (state) throws(StoreError) in try open(&state) }
  }

  /// Whether there was an index that had to be thrown away, at the start or since.
  package var wasReset: Bool { state.withLock { $0.wasReset } }

  /// How many records turned out to be damaged.
  package var damaged: Int { state.withLock { $0.damaged } }

  /// Closes the file, even if other threads still hold a reference; what they want of it fails.
  ///
  /// Called before the lock of the cache is released: who gets the lock needs the file alone.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      state.connection = nil
    }
  }

  // MARK: - Opening

  private func open(_ state: inout State) throws(StoreError) {
    if isReadOnly {
      let isThere = !state.wasReset && (try? cache.kind(of: kind.rawValue)) == .file
      state.connection =
        isThere ? try? IndexConnection(path, of: kind, isNew: false, isFrozen: true) : nil
      if state.connection == nil {
        state.connection = try IndexConnection("", of: kind, isNew: true)
      }
      return
    }
    let kinds = try file { () throws(FileError) in
      var kinds: [String: FileKind] = [:]
      for name in kind.names { kinds[name] = try cache.kind(of: name) }
      return kinds
    }
    if kinds[kind.rawValue] != nil {
      if kinds.values.allSatisfy({ $0 == .file }),
        let connection = try existing(Array(kinds.keys))
      {
        state.connection = connection
        return
      }
      state.wasReset = true
    }
    try erase()
    state.connection = try IndexConnection(path, of: kind, isNew: true)
  }

  private var path: String { cache.path + "/" + kind.rawValue }

  /// Opens the index that is there; nil when it is damaged.
  ///
  /// A machine that fails, now or for good, is no reason to throw an index away.
  private func existing(_ names: [String]) throws(StoreError) -> IndexConnection? {
    do throws(StoreError) {
      return try IndexConnection(path, of: kind, isNew: false)
    } catch let error where error.isDamage {
      return nil
    } catch let error where error.isAmbiguous || error.isInputOutput {
      // If we cannot open the files either, this tells why: as often as SQLite opens files for one.
      try file { () throws(FileError) in
        try cache.checkWritable((names + names + names + names)[...])
      }
      if error.isInputOutput { throw error }
    }
    do throws(StoreError) {
      return try IndexConnection(path, of: kind, isNew: false)
    } catch let error where error.isDamage || error.isAmbiguous {
      return nil
    }
  }

  private func erase() throws(StoreError) {
    if isReadOnly { return }
    try file { () throws(FileError) in
      for name in kind.names { try cache.removeTree(name) }
    }
  }

  /// Runs `body`, and once more on a fresh index if the file turns out to be broken.
  private func perform<Result: Sendable>(
    _ body: (IndexConnection, inout Int) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try state.withLock { (state) throws(StoreError) in
      if state.isClosed { throw .closed(path) }
      if let connection = state.connection {
        do throws(StoreError) {
          return try body(connection, &state.damaged)
        } catch let error where error.isDamage {
          state.wasReset = true
        }
      }
      // Closed before its file goes; and it stays closed if a new one cannot be made.
      state.connection = nil
      try erase()
      try open(&state)
      guard let connection = state.connection else { preconditionFailure("open or thrown") }
      return try body(connection, &state.damaged)
    }
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
    let batch = KeyBatch(keys)
    return try perform { (connection, damaged) throws(StoreError) in
      var values = [[UInt8]?](repeating: nil, count: keys.count)
      try connection.database.transaction { () throws(StoreError) in
        for index in batch.order {
          values[index] = try batch.withKey(index) { (key) throws(StoreError) in
            try find(key, table, connection, &damaged)
          }
        }
      }
      return values
    }
  }

  private func find(
    _ key: RawSpan, _ table: IndexTable, _ connection: IndexConnection, _ damaged: inout Int
  ) throws(StoreError) -> [UInt8]? {
    let statements = connection.statements(table)
    var found: [UInt8]?
    var broken = 0
    var lastUse = today
    try statements.get.run(key) { _, value, sum, used in
      if checksum(table, key, value) == sum {
        found = unsafe value.withUnsafeBytes { unsafe Array($0) }
        lastUse = used
      } else {
        broken += 1
      }
    }
    damaged += broken
    // At most once a week, since this makes a read write.
    if !isReadOnly, table != .meta, (today &- lastUse).magnitude >= Index.lag {
      try statements.touch.bind(2, today)
      try statements.touch.run(key)
    }
    return found
  }

  /// Visits all records of a table, sorted by the bytes of their keys.
  ///
  /// If the file turns out to be broken on the way, the visit ends early. The visitor must not
  /// use the index.
  package func forEach(
    _ table: IndexTable, _ visit: (_ key: [UInt8], _ value: [UInt8]) -> Void
  ) throws(StoreError) {
    try perform { (connection, damaged) throws(StoreError) in
      try connection.statements(table).scan.run { key, value, sum, _ in
        if checksum(table, key, value) == sum {
          visit(
            unsafe key.withUnsafeBytes { unsafe Array($0) },
            unsafe value.withUnsafeBytes { unsafe Array($0) })
        } else {
          damaged += 1
        }
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
    if isReadOnly { return }
    let batch = KeyBatch(records.lazy.map(\.key))
    try perform { (connection, _) throws(StoreError) in
      let put = connection.statements(table).put
      try connection.database.transaction { () throws(StoreError) in
        for index in batch.order {
          try batch.withKey(index) { (key) throws(StoreError) in
            let value = records[index].value
            try put.bind(3, checksum(table, key, unsafe value.span.bytes))
            try put.bind(4, today)
            try put.run(key, unsafe value.span.bytes)
          }
        }
      }
    }
  }

  /// Forgets many keys, all of them or none.
  package func remove(_ table: IndexTable, _ keys: [some IndexKey]) throws(StoreError) {
    if isReadOnly { return }
    let batch = KeyBatch(keys)
    try perform { (connection, _) throws(StoreError) in
      let remove = connection.statements(table).remove
      try connection.database.transaction { () throws(StoreError) in
        for index in batch.order {
          try batch.withKey(index) { (key) throws(StoreError) in try remove.run(key) }
        }
      }
    }
  }
}

// MARK: - Forgetting

extension Index {
  /// How many days the noted last use of a record may be behind.
  private static let lag: Int64 = 7

  /// Forgets what nothing has used for 90 days; looks only once a week, since that reads it all.
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

  /// Forgets what nothing has used for so many days, or up to a week more.
  ///
  /// A day of use that is as far in the future is from a wrong clock, and counts the same.
  package func forget(unusedFor days: Int) throws(StoreError) {
    let days = Int64(days) + Index.lag
    try perform { (connection, _) throws(StoreError) in
      for table in kind.tables where table != .meta {
        let forget = connection.statements(table).forget
        try forget.bind(1, today - days)
        try forget.bind(2, today + days)
        try forget.run()
      }
    }
  }

  /// Writes the file anew without the space of what was forgotten.
  package func shrink() throws(StoreError) {
    try perform { (connection, _) throws(StoreError) in
      try connection.database.execute("VACUUM")
    }
  }
}

/// 64-bit FNV-1a over a record: two inputs that differ in one byte never agree.
///
/// SQLite checks its own structure, but hands out a flipped bit of a key or a value as if it were
/// right; a wrong width or digest would be published. It guards against disks, not against people.
private func checksum(_ table: IndexTable, _ key: RawSpan, _ value: RawSpan) -> Int64 {
  var sum: UInt64 = 0xcbf2_9ce4_8422_2325
  func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
  for byte in table.rawValue.utf8 { add(byte) }
  // The length keeps a key's end apart from a value's start.
  add(UInt8(truncatingIfNeeded: key.byteCount))
  // Inside: every offset is less than the count.
  for i in 0..<key.byteCount { add(unsafe key.unsafeLoad(fromByteOffset: i, as: UInt8.self)) }
  for i in 0..<value.byteCount { add(unsafe value.unsafeLoad(fromByteOffset: i, as: UInt8.self)) }
  return Int64(bitPattern: sum)
}
