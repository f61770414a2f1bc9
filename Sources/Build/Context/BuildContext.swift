import Bytes
import Diagnostics
import Files
import Foundation
import Store
import Workers

/// What all stages of a build share: the folders that it has locked, the store, the queue, the workers.
///
/// Order of locks: output first, then cache.
struct BuildContext {
  let options: BuildOptions
  let cancellation: Cancellation
  let progress: @Sendable (ProgressEvent) -> Void
  let tally = Tally()
  /// The folder of the manifest; sources are beneath it.
  let manifestFolder: Folder
  let output: Folder
  let cache: Folder
  let store: BlobStore
  /// Fetched bytes.
  let originals: BlobStore
  let network: FetchSession
  /// What other machines have rendered and fetched; nil without `--store`.
  let shared: SharedStore?
  let index: Index
  /// Opened when it is first needed: most sites fetch nothing.
  private let addressIndex = Locked<Index?>(nil)
  let queue: WorkQueue
  let pool: WorkerPool
  /// How many workers had been started before this build.
  let earlierWorkers: Int
  /// Whether the workers and the connections serve the next build too.
  private let isRebuild: Bool
  private let locks: [FileLock]
  /// What earlier runs left, deleted while this one works.
  private let deletions: PendingDeletions
  /// Output and cache of a run that writes nothing, and the output of a shard.
  private let scratch: Scratch?

  /// Locks the folders, and opens what is in them.
  ///
  /// A `pool` and a `network` that are given stay open after the build. A context that `isCold` ignores
  /// what earlier builds have made, and writes only to folders that are removed with it.
  ///
  /// - Throws: `BuildFailure` if a folder is not sitegen's, or is locked.
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
      // Several shards of a site may run at once, so a shard does not lock the output.
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
      // A power cut must not leave a cache without the file that marks it.
      if !isMarked { try cache.sync() }
    }
    locks = locked.map(\.lock)
    deletions = try PendingDeletions(in: locked)
    store = try BlobStore(in: cache)
    originals = try BlobStore(in: cache, called: "originals", rights: 0o600)
    self.network = network ?? FetchSession()
    // What is made cold, and what is thrown away, is of no use to others.
    shared = writesNothing ? nil : options.store.map { SharedStore($0) }
    index = try Index(in: isCold ? output : cache, .work, now: options.fetching.now)
    if options.fetching.ignoringCache { try index.removeDamage() }
    queue = WorkQueue(name: "sitegen", width: options.jobs, cancellation: cancellation)
    pool =
      warm
      ?? WorkerPool(
        program: options.programs.worker, width: options.jobs, memory: options.memory,
        requiresJail: options.requiresJail)
    earlierWorkers = pool.workersStarted
    isRebuild = warm != nil
  }

  /// Without the records of earlier builds, everything would look new to a run that writes nothing.
  static func copyRecords(from path: String, to cache: Folder) throws {
    guard let source = try? Folder(opening: path) else { return }
    for name in IndexFile.work.names + IndexFile.addresses.names
    where try source.kind(of: name) == .file {
      // A build may be at work: records that cannot be read are made again.
      try? FileManager.default.copyItem(
        atPath: source.path + "/" + name, toPath: cache.path + "/" + name)
    }
  }

  /// Seconds since 1970.
  var now: Int64 { options.fetching.now }

  /// The records of addresses on the network.
  func addresses() throws -> Index {
    try addressIndex.withLock { index in
      if let index { return index }
      let opened = try Index(in: cache, .addresses, now: now)
      if options.fetching.ignoringCache { try opened.removeDamage() }
      index = opened
      return opened
    }
  }

  /// What earlier builds have made, for a cold context.
  func lastIndex() throws -> Index { try Index(in: cache, .work, now: now) }

  /// What was fetched; a run that writes nothing reads it from the cache, and leaves that as it is.
  func original(_ digest: Digest) throws -> Data? {
    if let own = try originals.get(digest) { return own }
    let path = "originals/" + BlobStore.name(of: digest)
    guard scratch != nil,
      let bytes = try? Folder(opening: options.cache).open(beneath: path).read(
        upTo: BlobStore.sizeLimit)
    else { return nil }
    return Digest(of: bytes) == digest ? bytes : nil
  }

  /// Called at the end of a build, which has read all records that it needs.
  func forgetUnusedRecords() throws {
    try index.forgetUnused()
    if try cache.kind(of: IndexFile.addresses.rawValue) != nil { try addresses().forgetUnused() }
  }

  /// Publishing without the locks could mix two sites.
  ///
  /// - Throws: If another program has removed or replaced a lock.
  func checkLocks() throws {
    guard let lost = locks.first(where: { !$0.isHeld }) else { return }
    throw BuildFailure.locked(
      Diagnostic(
        .error, .lockLost, "\(lost.path) was removed while this build was at work",
        note: "without it another build may be at work too, so this one has stopped",
        help: "build again; remove a cache or an output only when no build is at work"))
  }

  /// Lets the next build remove the staged files of this one, which may have been unable to.
  func leaveTemporaries() {
    for lock in locks { lock.abandon() }
  }

  /// Ends the workers unless they serve the next build too, closes the index, releases the locks, and
  /// waits until everything that earlier runs left is deleted.
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
