import Bytes
import Files
import Plan
package import Store

/// Removes cached files that the site does not use, oldest first.
package struct Prune: Sendable {
  package struct Limits: Hashable, Sendable {
    /// The maximum age in seconds; 0 removes all unused files, and a negative value sets no limit.
    package var age: Int64
    /// The maximum size in bytes, including files in use; a negative value sets no limit.
    package var bytes: Int64

    package init(age: Int64, bytes: Int64) { (self.age, self.bytes) = (age, bytes) }
  }

  private let options: BuildOptions
  private let limits: Limits

  package init(_ options: BuildOptions, _ limits: Limits) {
    (self.options, self.limits) = (options, limits)
  }

  package func run() throws(BuildFailure) -> SharedStore.Pruned {
    try BuildFailure.mapping { try prune() }
  }

  private func prune() throws -> SharedStore.Pruned {
    try FolderRules.checkCache(options)
    guard let cache = try? Folder(opening: options.cache) else { return SharedStore.Pruned() }
    // Lock the folders, in the same order as a build, so that a running build's new files are kept.
    var output = try? Folder(opening: options.output)
    // Do not lock another program's folder: the lock would make it look like an output.
    if let folder = output, try !FolderRules.isOutput(folder) { output = nil }
    let outputLock = try output.map { try FolderRules.lock($0, called: "output") }
    let cacheLock = try FolderRules.lock(cache, called: "cache")
    defer { withExtendedLifetime((outputLock, cacheLock)) {} }

    func index(_ file: IndexFile) throws -> Index? {
      try cache.kind(of: file.rawValue) == nil
        ? nil : try Index(in: cache, file, now: options.fetching.now)
    }
    let (work, addresses) = (try index(.work), try index(.addresses))
    // Indexes must be closed before the locks are released.
    defer { for index in [work, addresses] { index?.close() } }
    var pruned = SharedStore.Pruned()
    var shown: Set<Digest> = []
    var stores = ["store", "originals"]
    if let output {
      shown = Set(try Ledger(in: output).entries.map(\.digest))
      if let parts = try work.flatMap({ try ShownParts.get(for: output, in: $0) }) {
        shown.formUnion(parts)
        _ = try work?.get(.facts, Array(parts))
      } else {
        // Keep all fetched files: without records, any of them may be in use.
        stores = ["store"]
      }
    }
    let removed = try removeBlobs(of: stores, in: cache, except: shown, &pruned)

    if let work {
      try markUsed(.renders, in: work, shown, removed) {
        (try? RenderRecord.render(of: $0)?.get())?.digest
      }
      try work.remove(.facts, Array(removed))
      try markUsed(.stamps, in: work, shown) {
        StampRecord.record(of: $0).map { $0.good ?? $0.digest }
      }
    }
    if let addresses {
      try markUsed(.fetches, in: addresses, shown, removed) {
        FetchRecord.record(of: $0)?.kept?.digest
      }
    }
    for index in [work, addresses].compactMap(\.self) {
      if limits.age >= 0 { try index.forget(unusedFor: Int(min(limits.age / 86_400, 90))) }
      try index.shrink()
    }
    return pruned
  }

  private func removeBlobs(
    of stores: [String], in cache: Folder, except shown: Set<Digest>,
    _ pruned: inout SharedStore.Pruned
  ) throws -> Set<Digest> {
    var removed: Set<Digest> = []
    var others: [(store: BlobStore, entry: BlobStore.Entry)] = []
    for name in stores where try cache.kind(of: name) == .folder {
      let store = try BlobStore(in: cache, called: name)
      for entry in try store.entries() {
        pruned.kept += 1
        pruned.keptBytes += entry.size
        if !shown.contains(entry.digest) { others.append((store, entry)) }
      }
    }
    // Directory order is undefined, so sort files with the same time by digest.
    others.sort {
      ($0.entry.written, $0.entry.digest) < ($1.entry.written, $1.entry.digest)
    }
    for (store, entry) in others {
      let isOld = limits.age >= 0 && options.fetching.now - entry.written >= limits.age
      let isTooMuch = limits.bytes >= 0 && pruned.keptBytes > limits.bytes
      guard isOld || isTooMuch else { break }
      try store.remove(entry.digest)
      removed.insert(entry.digest)
      pruned.kept -= 1
      pruned.keptBytes -= entry.size
      pruned.removed += 1
      pruned.removedBytes += entry.size
    }
    return removed
  }

  /// Reads the records in use, so that they do not expire, and drops the records of removed blobs.
  ///
  /// Builds of an up-to-date site do not read records, so they would otherwise expire.
  private func markUsed(
    _ table: IndexTable, in index: Index, _ shown: Set<Digest>, _ removed: Set<Digest> = [],
    _ digest: ([UInt8]) -> Digest?
  ) throws {
    var (used, dead): ([[UInt8]], [[UInt8]]) = ([], [])
    try index.forEach(table) { key, value in
      guard let digest = digest(value) else { return }
      if shown.contains(digest) {
        used.append(key)
      } else if removed.contains(digest) {
        dead.append(key)
      }
    }
    _ = try index.get(table, used)
    try index.remove(table, dead)
  }
}
