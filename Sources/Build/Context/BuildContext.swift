import Bytes
import Diagnostics
import Files
import Foundation
import Store
import Workers

/// State shared by all stages of a build: the locked folders, the store, the queue and the workers.
///
/// Lock order: output first, then cache.
struct BuildContext {
  let options: BuildOptions
  let cancellation: Cancellation
  let progress: @Sendable (ProgressEvent) -> Void
  let tally = Tally()
  let manifestFolder: Folder
  let output: Folder
  let cache: Folder
  let store: BlobStore
  let originals: BlobStore
  let network: FetchSession
  let shared: SharedStore?
  let index: Index
  /// The index of fetched URLs, opened on first use, because most sites do not fetch anything.
  private let addressIndex = Locked<Index?>(nil)
  let queue: WorkQueue
  let pool: WorkerPool
  let earlierWorkers: Int
  private let isRebuild: Bool
  private let locks: [FileLock]
  private let deletions: PendingDeletions
  /// The temporary folder for a shard's output, or for the output and cache of a dry or cold run.
  private let scratch: Scratch?

  /// Creates a context: locks the folders, and opens the stores and the index.
  ///
  /// If `pool` and `network` are given, they stay open after the build. If `isCold`, the context
  /// ignores the results of earlier builds and writes only to temporary folders.
  init(
    _ options: BuildOptions, cancellation: Cancellation,
    pool warm: WorkerPool? = nil, network: FetchSession? = nil, isCold: Bool = false,
    progress: @escaping @Sendable (ProgressEvent) -> Void
  ) throws {
    self.options = options
    self.cancellation = cancellation
    self.progress = progress
    (manifestFolder, _) = try FolderRules.manifest(options)
    if options.shard == nil { try FolderRules.checkOutput(options) }
    try FolderRules.checkCache(options)
    let writesNothing = options.dryRun || isCold
    var locked: [(folder: Folder, lock: FileLock)] = []
    if writesNothing || options.shard != nil {
      // Several shards of a site may run in parallel, so a shard does not lock the output.
      let scratch = try Scratch()
      self.scratch = scratch
      output = try Folder(making: scratch.path + "/output")
    } else {
      scratch = nil
      output = try Folder(making: options.output)
      locked.append((output, try FolderRules.lock(output, called: "output")))
    }
    if let scratch, writesNothing {
      cache = try Folder(making: scratch.path + "/cache")
      try Self.copyRecords(from: options.cache, to: cache)
    } else {
      cache = try Folder(making: options.cache, mode: 0o700)
      let isMarked = try cache.kind(of: FolderRules.lockName) != nil
      locked.append((cache, try FolderRules.lock(cache, called: "cache")))
      // Sync the lock file, which must still identify the folder as a cache after a power failure.
      if !isMarked { try cache.sync() }
    }
    locks = locked.map(\.lock)
    deletions = try PendingDeletions(in: locked)
    store = try BlobStore(in: cache)
    originals = try BlobStore(in: cache, called: "originals", rights: 0o600)
    self.network = network ?? FetchSession()
    // Dry and cold runs must not write to the shared store.
    shared = writesNothing ? nil : options.store.map { SharedStore($0) }
    index = try Index(in: isCold ? output : cache, .work, now: options.fetching.now)
    if options.fetching.ignoringCache { try index.removeDamage() }
    queue = WorkQueue(name: "sitegen", width: options.jobs, cancellation: cancellation)
    pool =
      warm
      ?? WorkerPool(
        program: options.programs.worker, width: options.jobs, memory: options.memory,
        requiresSandbox: options.requiresSandbox)
    earlierWorkers = pool.workersStarted
    isRebuild = warm != nil
  }

  /// Copies the records from earlier builds, so that a dry run does not report everything as new.
  static func copyRecords(from path: String, to cache: Folder) throws {
    guard let source = try? Folder(opening: path) else { return }
    for name in IndexFile.work.names + IndexFile.addresses.names
    where try source.kind(of: name) == .file {
      // A running build may be writing to these files; unreadable records are recomputed.
      try? FileManager.default.copyItem(
        atPath: source.path + "/" + name, toPath: cache.path + "/" + name)
    }
  }

  var now: Int64 { options.fetching.now }

  func addresses() throws -> Index {
    try addressIndex.withLock { index in
      if let index { return index }
      let opened = try Index(in: cache, .addresses, now: now)
      if options.fetching.ignoringCache { try opened.removeDamage() }
      index = opened
      return opened
    }
  }

  func lastIndex() throws -> Index { try Index(in: cache, .work, now: now) }

  /// Returns fetched bytes; a dry run also looks in the site's cache, without changing it.
  func original(_ digest: Digest) throws -> Data? {
    if let own = try originals.get(digest) { return own }
    let path = "originals/" + BlobStore.name(of: digest)
    guard scratch != nil,
      let bytes = try? Folder(opening: options.cache).open(beneath: path).read(
        upTo: BlobStore.sizeLimit)
    else { return nil }
    return Digest(of: bytes) == digest ? bytes : nil
  }

  /// Removes long-unused records; call this after the build has read all records that it needs.
  func forgetUnusedRecords() throws {
    try index.forgetUnused()
    if try cache.kind(of: IndexFile.addresses.rawValue) != nil { try addresses().forgetUnused() }
  }

  /// Throws if a lock was removed or replaced: publishing without it could mix two sites.
  func checkLocks() throws {
    guard let lost = locks.first(where: { !$0.isHeld }) else { return }
    throw BuildFailure.locked(
      Diagnostic(
        .error, .lockLost, "\(lost.path) was removed while this build was running",
        note: "without this lock, another build could run at the same time, so this one stopped",
        help: "build again; remove a cache or an output only while no build is running"))
  }

  /// Marks the locks as abandoned, so that the next build deletes this build's staged files.
  func leaveTemporaries() {
    for lock in locks { lock.abandon() }
  }

  func close() {
    if !isRebuild {
      pool.stop()
      network.close()
    }
    index.close()
    addressIndex.withLock { $0 }?.close()
    for lock in locks.reversed() { lock.release() }
    deletions.finish()
  }
}
