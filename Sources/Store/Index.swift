package import Files

/// Records by key, in a file of the cache; what they mean is the callers' business.
///
/// Damage costs no more than what is in it: a record that does not verify counts as missing,
/// and a file that is broken, or of another version, is deleted and started anew. Threads may
/// share it.
package final class Index: Sendable {
  /// The connection is used by one thread at a time, under the lock.
  private struct State {
    var connection: IndexConnection?
    var wasReset = false
    var damaged = 0
  }

  private let kind: IndexFile
  private let cache: Folder
  private let state: Guarded<State>

  /// Opens the index in a cache folder, which must be ours and becomes private.
  ///
  /// Only for the holder of the folder's lock.
  package init(in cache: Folder, _ kind: IndexFile = .work) throws(StoreError) {
    self.kind = kind
    self.cache = cache
    try file { () throws(FileError) in try cache.makePrivate() }
    state = Guarded(State())
    try state.withLock { (state) throws(StoreError) in try open(&state) }
  }

  /// Whether there was an index that had to be thrown away, at the start or since.
  package var wasReset: Bool { state.withLock { $0.wasReset } }

  /// How many records turned out to be damaged.
  package var damaged: Int { state.withLock { $0.damaged } }

  // MARK: - Opening

  private func open(_ state: inout State) throws(StoreError) {
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
    } catch let error where error.isAmbiguous {
      // If we cannot open the files either, this tells why.
      try file { () throws(FileError) in
        for name in names { try cache.checkWritable(name) }
      }
    }
    do throws(StoreError) {
      return try IndexConnection(path, of: kind, isNew: false)
    } catch let error where error.isDamage || error.isAmbiguous {
      return nil
    }
  }

  private func erase() throws(StoreError) {
    try file { () throws(FileError) in
      for name in kind.names { try cache.removeTree(name) }
    }
  }

  /// Runs `body`, and once more on a fresh index if the file turns out to be broken.
  private func perform<Result: Sendable>(
    _ body: (IndexConnection, inout Int) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try state.withLock { (state) throws(StoreError) in
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
    try perform { (connection, damaged) throws(StoreError) in
      try key.withBytes { (key) throws(StoreError) in
        try Index.find(key, table, connection, &damaged)
      }
    }
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
            try Index.find(key, table, connection, &damaged)
          }
        }
      }
      return values
    }
  }

  private static func find(
    _ key: RawSpan, _ table: IndexTable, _ connection: IndexConnection, _ damaged: inout Int
  ) throws(StoreError) -> [UInt8]? {
    var value: [UInt8]?
    var broken = 0
    try connection.statements(table).get.run(key) { key, sealed in
      if RecordSeal.isIntact(sealed, table: table, key: key) {
        value = RecordSeal.value(of: sealed)
      } else {
        broken += 1
      }
    }
    damaged += broken
    return value
  }

  /// Visits all records of a table, sorted by the bytes of their keys.
  ///
  /// If the file turns out to be broken on the way, the visit ends early. The visitor must not
  /// use the index.
  package func forEach(
    _ table: IndexTable, _ visit: (_ key: RawSpan, _ value: RawSpan) -> Void
  ) throws(StoreError) {
    try perform { (connection, damaged) throws(StoreError) in
      try connection.statements(table).scan.run { key, sealed in
        if RecordSeal.isIntact(sealed, table: table, key: key) {
          visit(key, sealed.extracting(droppingLast: RecordSeal.byteCount))
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
    let batch = KeyBatch(records.lazy.map(\.key))
    try perform { (connection, _) throws(StoreError) in
      let put = connection.statements(table).put
      try connection.database.transaction { () throws(StoreError) in
        for index in batch.order {
          try batch.withKey(index) { (key) throws(StoreError) in
            let sealed = RecordSeal.seal(records[index].value, table: table, key: key)
            try put.run(key, unsafe sealed.span.bytes)
          }
        }
      }
    }
  }

  /// Forgets many keys, all of them or none.
  package func remove(_ table: IndexTable, _ keys: [some IndexKey]) throws(StoreError) {
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

  /// Forgets everything in a table.
  package func removeAll(_ table: IndexTable) throws(StoreError) {
    try perform { (connection, _) throws(StoreError) in
      try connection.statements(table).removeAll.run()
    }
  }
}
