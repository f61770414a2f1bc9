import Bytes
import Files
import Plan
import Store

/// Removes from the cache what the site does not show, the oldest first.
///
/// If a removed picture is wanted again, it is rendered or fetched again.
package struct Prune: Sendable {
  package struct Limits: Hashable, Sendable {
    /// Seconds since it was written; 0 for everything that is not shown, negative for no limit.
    package var age: Int64
    /// Bytes of all that is kept, what is shown included; negative for no limit.
    package var bytes: Int64
    /// Whether the output loses what `keepOld` keeps there.
    package var takesOld: Bool

    package init(age: Int64, bytes: Int64, takesOld: Bool = false) {
      (self.age, self.bytes, self.takesOld) = (age, bytes, takesOld)
    }
  }

  package struct Pruned: Hashable, Sendable {
    package var removed = 0
    package var removedBytes: Int64 = 0
    package var kept = 0
    package var keptBytes: Int64 = 0
    /// Pictures that the output has lost.
    package var old = 0
  }

  private let options: BuildOptions
  private let limits: Limits

  package init(_ options: BuildOptions, _ limits: Limits) {
    self.options = options
    self.limits = limits
  }

  package func run() throws(BuildFailure) -> Pruned {
    do {
      return try prune()
    } catch {
      throw BuildFailure(error, Cancellation())
    }
  }

  private func prune() throws -> Pruned {
    try FolderRules.checkCache(options)
    guard let cache = try? Folder(opening: options.cache) else { return Pruned() }
    // Locked in the order of a build, whose new files must not be removed.
    var output = try? Folder(opening: options.output)
    // A lock in the folder of somebody else would make it look like ours.
    if let folder = output, try !FolderRules.isOutput(folder) { output = nil }
    let outputLock = try output.map { try FolderRules.lock($0, called: "output") }
    let cacheLock = try FolderRules.lock(cache, called: "cache")
    defer { withExtendedLifetime((outputLock, cacheLock)) {} }

    var records = try Records(in: cache, now: options.fetching.now)
    // Before the locks are released.
    defer { records.close() }
    var parts: Set<Digest> = []
    var shown: Set<Digest> = []
    var pruned = Pruned()
    if let output, limits.takesOld { pruned.old = try records.removeOld(from: output) }
    if let output {
      shown = Set(try Ledger(in: output).entries.map(\.digest))
      if !shown.isEmpty { parts = try records.parts(of: output) }
      shown.formUnion(parts)
    }
    try prune(cache, shown, &pruned, &records)
    try records.forget(
      shown: shown, parts, unusedFor: limits.age < 0 ? nil : Int(min(limits.age / 86_400, 90)))
    return pruned
  }

  /// Removes blobs.
  private func prune(
    _ cache: Folder, _ shown: Set<Digest>, _ pruned: inout Pruned, _ records: inout Records
  ) throws {
    var others: [(store: BlobStore, entry: BlobStore.Entry)] = []
    for name in ["store", "originals"] where try cache.kind(of: name) == .folder {
      let store = try BlobStore(in: cache, called: name)
      for entry in try store.entries() {
        pruned.kept += 1
        pruned.keptBytes += entry.size
        records.blobs.insert(entry.digest)
        if !shown.contains(entry.digest) { others.append((store, entry)) }
      }
    }
    // Files of the same second are sorted by name, since folders have no order.
    others.sort {
      ($0.entry.written, $0.entry.digest) < ($1.entry.written, $1.entry.digest)
    }
    let now = options.fetching.now
    for (store, entry) in others {
      let isOld = limits.age >= 0 && now - entry.written >= limits.age
      let isTooMuch = limits.bytes >= 0 && pruned.keptBytes > limits.bytes
      // All that follow are younger.
      guard isOld || isTooMuch else { break }
      try store.remove(entry.digest)
      records.blobs.remove(entry.digest)
      records.removed.append(entry.digest)
      pruned.kept -= 1
      pruned.keptBytes -= entry.size
      pruned.removed += 1
      pruned.removedBytes += entry.size
    }
  }
}

/// The records of a cache that is pruned.
private struct Records {
  /// Nil where there is no such file.
  private let index: Index?
  private let addresses: Index?
  /// The blobs in the cache, and those that were removed.
  var blobs: Set<Digest> = []
  var removed: [Digest] = []

  init(in cache: Folder, now: Int64) throws {
    func index(_ file: IndexFile) throws -> Index? {
      try cache.kind(of: file.rawValue) == nil ? nil : try Index(in: cache, file, now: now)
    }
    self.index = try index(.work)
    addresses = try index(.addresses)
  }

  func close() {
    index?.close()
    addresses?.close()
  }

  /// Removes from an output the pictures that nothing names any more.
  func removeOld(from output: Folder) throws -> Int {
    guard let index else { return 0 }
    var old = try OldPictures(of: output, in: index)
    let ledger = try Ledger(in: output)
    let gone = ledger.entries.filter(old.knows)
    for file in gone where try output.removeOurs(file.path) {
      try output.removeEmptyParents(of: file.path)
    }
    if !gone.isEmpty {
      try output.write(Ledger(ledger.subtracting(Ledger(gone))).bytes, to: Ledger.fileName)
    }
    try old.note([])
    return gone.count
  }

  /// The blobs that an output is made of; everything fetched where that was not written down.
  func parts(of output: Folder) throws -> Set<Digest> {
    if let index, let shown = try ShownParts.get(for: output, in: index) { return shown }
    var kept: Set<Digest> = []
    try addresses?.forEach(.fetches) { _, value in
      if let digest = FetchRecord.record(of: value)?.kept?.digest { kept.insert(digest) }
    }
    return kept
  }

  /// Forgets records of blobs that are gone and records that nothing has used for so many days, and
  /// gives their space back.
  ///
  /// Records of what is shown stay: builds in which nothing changes do not read them.
  func forget(shown: Set<Digest>, _ parts: Set<Digest>, unusedFor days: Int?) throws {
    if let index {
      try forget(in: index, .renders, shown: shown) { value in
        if case .success(let render) = RenderRecord.render(of: value) {
          render.asset.digest
        } else {
          nil
        }
      }
      try forget(in: index, .stamps, shown: shown, others: false) {
        StampRecord($0).map { $0.good ?? $0.digest }
      }
      _ = try index.get(.facts, Array(parts))
      try index.remove(.facts, removed)
    }
    if let addresses {
      try forget(in: addresses, .fetches, shown: shown) {
        FetchRecord.record(of: $0)?.kept?.digest
      }
    }
    for file in [index, addresses].compactMap(\.self) {
      if let days { try file.forget(unusedFor: days) }
      try file.shrink()
    }
  }

  /// Marks the records of what is shown as used, and forgets those of blobs that are gone.
  private func forget(
    in index: Index, _ table: IndexTable, shown: Set<Digest>, others: Bool = true,
    named: ([UInt8]) -> Digest?
  ) throws {
    var used: [[UInt8]] = []
    var dead: [[UInt8]] = []
    try index.forEach(table) { key, value in
      guard let digest = named(value) else { return }
      if shown.contains(digest) {
        used.append(key)
      } else if others, !blobs.contains(digest) {
        dead.append(key)
      }
    }
    _ = try index.get(table, used)
    try index.remove(table, dead)
  }
}
