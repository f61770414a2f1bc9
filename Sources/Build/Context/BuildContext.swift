import Bytes
import Diagnostics
import Files
import Foundation
import Store
import Workers

/// What a build works with: the folders it has locked, the store, the queue, the workers.
///
/// Order of locks: output first, then cache.
struct BuildContext {
  let options: BuildOptions
  let cancellation: Cancellation
  private(set) var progress: @Sendable (ProgressEvent) -> Void
  let tally = Tally()
  let costs = FetchLedger()
  /// Where the manifest lies; sources are beneath it.
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
  /// The cache whose records a dry run reads where they are; else they are in `cache`.
  private let frozen: Folder?
  /// Opened when it is first needed: most sites fetch nothing.
  private let addressIndex = Guarded<Index?>(nil)
  let queue: WorkQueue
  let pool: WorkerPool
  /// How many workers had been started before this build.
  let earlierWorkers: Int
  /// Whether the workers and the connections serve the next build too.
  private let isRebuild: Bool
  private let locks: [FileLock]
  /// What earlier runs left, deleted while this one works.
  private let leftovers: Leftovers
  /// Output and cache of a dry run; thrown away.
  private let scratch: Scratch?

  static let lockName = ".sitegen-lock"
  /// Of the list of files in the output.
  static let ledgerName = ".sitegen-files"

  /// Locks the folders, and opens what is in them.
  ///
  /// A `pool` and a `network` that are given stay open after the build. One that `isCold` knows
  /// nothing of what was made before, and writes only to folders that are thrown away.
  ///
  /// - Throws: `BuildFailure` when a folder is not ours, or is locked.
  init(
    _ options: BuildOptions, cancellation: Cancellation,
    pool warm: WorkerPool? = nil, network: FetchSession? = nil, isCold: Bool = false,
    progress: @escaping @Sendable (ProgressEvent) -> Void
  ) throws {
    self.options = options
    self.cancellation = cancellation
    self.progress = progress
    (manifestFolder, _) = try Self.manifest(options)
    try Self.refuseForeignPaths(options)
    if options.dryRun || isCold {
      let scratch = try Scratch()
      self.scratch = scratch
      locks = []
      leftovers = Leftovers([])
      output = try Folder(making: scratch.path + "/output")
      cache = try Folder(making: scratch.path + "/cache")
      frozen = try Self.frozen(options.cache, orCopiedTo: cache)
    } else if options.shard != nil {
      // Without an output and its lock: several shards may run in one site.
      let scratch = try Scratch()
      self.scratch = scratch
      frozen = nil
      output = try Folder(making: scratch.path + "/output")
      cache = try Folder(making: options.cache, mode: 0o700)
      locks = [try Self.lock(cache, called: "cache")]
      leftovers = try Self.leftovers(in: [cache], locks)
    } else {
      scratch = nil
      frozen = nil
      output = try Folder(making: options.output)
      let outputLock = try Self.lock(output, called: "output")
      cache = try Folder(making: options.cache, mode: 0o700)
      let isMarked = try cache.kind(of: Self.lockName) != nil
      locks = [outputLock, try Self.lock(cache, called: "cache")]
      // A power cut must not leave a cache without the file that says whose it is.
      if !isMarked { try cache.sync() }
      leftovers = try Self.leftovers(in: [output, cache], locks)
    }
    store = try BlobStore(in: cache)
    originals = try BlobStore(in: cache, called: "originals", rights: 0o600)
    self.network = network ?? FetchSession()
    // What is made cold, and what is thrown away, is of no use to others.
    shared = options.dryRun || isCold ? nil : options.store.map { SharedStore($0) }
    index =
      try isCold
      ? Index(reading: output, .work, now: options.fetching.now)
      : Self.index(.work, in: cache, frozen, options)
    queue = WorkQueue(
      name: "sitegen", width: options.jobs, cancellation: cancellation)
    pool =
      warm
      ?? WorkerPool(
        program: options.programs.worker, width: options.jobs, memory: options.memory,
        requiresJail: options.requiresJail)
    earlierWorkers = pool.workersStarted
    isRebuild = warm != nil
  }

  /// The records of addresses on the network.
  func addresses() throws -> Index {
    try addressIndex.withLock { index in
      if let index { return index }
      let opened = try Self.index(.addresses, in: cache, frozen, options)
      index = opened
      return opened
    }
  }

  /// The same, if something was ever fetched.
  func knownAddresses() throws -> Index? {
    try (frozen ?? cache).kind(of: IndexFile.addresses.rawValue) == nil ? nil : try addresses()
  }

  /// What earlier builds have made, for a cold context.
  func lastIndex() throws -> Index { try Self.index(.work, in: cache, frozen, options) }

  /// What was fetched; a run that writes nothing has it where the cache is, and leaves that as it is.
  func original(_ digest: Digest) throws -> Data? {
    if let own = try originals.get(digest) { return own }
    let path = "originals/" + BlobStore.name(of: digest)
    guard scratch != nil,
      let bytes = try? Folder(opening: options.cache).open(beneath: path).read(
        upTo: BlobStore.sizeLimit)
    else { return nil }
    return Digest(of: bytes) == digest ? bytes : nil
  }

  private static func index(
    _ kind: IndexFile, in cache: Folder, _ frozen: Folder?, _ options: BuildOptions
  ) throws -> Index {
    let now = options.fetching.now
    return try frozen.map { try Index(reading: $0, kind, now: now) }
      ?? Index(in: cache, kind, now: now)
  }

  /// Called at the end of a build, which has read all records that it needs.
  func forgetUnusedRecords() throws {
    try index.forgetUnused()
    try knownAddresses()?.forgetUnused()
  }

  /// Seconds since 1970.
  var now: Int64 { options.fetching.now }

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
    leftovers.finish()
  }

  /// Publishing without the locks could mix two sites.
  ///
  /// - Throws: When somebody has removed or replaced a lock.
  func checkLocks() throws {
    guard let lost = locks.first(where: { !$0.isHeld }) else { return }
    throw BuildFailure.locked(
      Diagnostic(
        .error, .lockLost, "\(lost.path) was removed while this build was at work",
        note: "without it another build may be at work too, so this one has stopped",
        help: "build again; remove a cache or an output only when no build is at work"))
  }

  /// Lets the next build remove what this one staged: what made it fail may have kept it from that.
  func leaveTemporaries() {
    for lock in locks { lock.abandon() }
  }

  /// Begins to delete what earlier runs have left.
  ///
  /// A clean may leave whole folders under temporary names, which are deleted in the background. A
  /// killed build may leave single files where this build works. They are deleted first, so that no
  /// folder is kept for one of them, and nothing is staged under a name that is deleted.
  private static func leftovers(in folders: [Folder], _ locks: [FileLock]) throws -> Leftovers {
    var names: [(folder: Folder, names: [String])] = []
    for (folder, lock) in zip(folders, locks) {
      let retired = try folder.retired()
      if lock.wasAbandoned { try folder.sweepTemporaries(sparing: retired + [Shard.cachesName]) }
      names.append((folder, retired))
    }
    return Leftovers(names)
  }

  /// The cache for a dry run, without whose records everything would look new.
  ///
  /// - Returns: Nil where there is none, or where records are copied: beside a log that a build at
  ///   work has, or a killed one has left, the files do not have all of them.
  private static func frozen(_ cache: String, orCopiedTo scratch: Folder) throws -> Folder? {
    guard let cache = try? Folder(opening: cache) else { return nil }
    let names = IndexFile.work.names + IndexFile.addresses.names
    guard try names.contains(where: { try $0.hasSuffix("-wal") && cache.kind(of: $0) != nil })
    else { return cache }
    for name in names where try cache.kind(of: name) == .file {
      try? FileManager.default.copyItem(
        atPath: cache.path + "/" + name, toPath: scratch.path + "/" + name)
    }
    return nil
  }

  /// Whether a build would have to make one of its folders.
  static func isNew(_ options: BuildOptions) -> Bool {
    [options.output, options.cache].contains { (try? Folder(opening: $0)) == nil }
  }

  /// The folder of the manifest, and its name there.
  static func manifest(_ options: BuildOptions) throws -> (Folder, String) {
    do throws(FileError) {
      return try split(options.manifest)
    } catch {
      throw BuildFailure.unreadableManifest(options.manifest, error)
    }
  }

  static func lock(_ folder: Folder, called name: String) throws -> FileLock {
    switch try FileLock.acquire(lockName, in: folder) {
    case .acquired(let lock):
      return lock
    case .held(let holder):
      throw BuildFailure.locked(
        Diagnostic(
          .error, .locked,
          "another build is at work in \(folder.path): \(holder) holds the lock of the \(name)",
          help: "wait for it to end; a lock is never left behind by a build that died"))
    }
  }
}

extension BuildContext {
  /// The folder that a path leads to, and the last name.
  static func split(_ path: String) throws(FileError) -> (folder: Folder, name: String) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    return (try Folder(opening: folder), name)
  }
}

// A path on the command line may lead to something that is not ours. That is found out before
// anything is made or changed.
extension BuildContext {
  /// - Throws: When the cache or the output cannot be ours, or the report would replace something else.
  static func refuseForeignPaths(_ options: BuildOptions) throws {
    if options.shard == nil { try refuseForeignOutput(options) }
    try refuseForeignCache(options)
    if let report = options.report { try refuseForeignReport(report) }
  }

  /// Files in the cache have plain names such as `store`, and are replaced and removed without
  /// asking: so the cache must be a folder of its own.
  static func refuseForeignCache(_ options: BuildOptions) throws {
    // What lies in the output is published.
    if try lies(options.cache, in: options.output) {
      throw BuildFailure.usage(
        Diagnostic(
          .error, .cacheNotOurs,
          "the cache \(options.cache) is the output or lies in it",
          help: "name another folder with --cache"))
    }
    guard let cache = try? Folder(opening: options.cache) else { return }
    // A shard may have been the first to run.
    let entries = try cache.entries().filter { $0.name != Shard.cachesName }
    guard try !entries.isEmpty && !isCache(cache) else { return }
    throw BuildFailure.usage(
      Diagnostic(
        .error, .cacheNotOurs,
        "\(options.cache) is no cache: there are files in it, and sitegen did not make it",
        help: "name an empty folder with --cache, or one that does not exist"))
  }

  /// A first build that was killed and a `clean` among foreign files leave a lock and no ledger; so
  /// does a cache, which has an index.
  static func isOutput(_ folder: Folder) throws -> Bool {
    if try folder.kind(of: ledgerName) == .file { return true }
    return try folder.kind(of: lockName) == .file
      && folder.kind(of: IndexFile.work.rawValue) == nil
  }

  /// A folder with a ledger is an output, perhaps of another site.
  static func isCache(_ folder: Folder) throws -> Bool {
    try folder.kind(of: lockName) == .file && folder.kind(of: ledgerName) == nil
  }

  private static func lies(_ path: String, in other: String) throws -> Bool {
    let (inner, outer) = (try Folder.nearest(to: path), try Folder.nearest(to: other))
    // Where such a path leads is known only when its folders are made.
    if (inner.missing + outer.missing).contains("..") { return true }
    if outer.missing.isEmpty {
      return try Folder.chain(from: inner.folder.path).contains {
        try $0.isSame(as: outer.folder)
      }
    }
    return try inner.missing.starts(with: outer.missing) && inner.folder.isSame(as: outer.folder)
  }

  /// A slip of the keyboard must not spread a site among the files of somebody else.
  static func refuseForeignOutput(_ options: BuildOptions) throws {
    guard let output = try? Folder(opening: options.output) else { return }
    let home = try? Folder(opening: ProcessInfo.processInfo.environment["HOME"] ?? "")
    // Without a manifest the build says so.
    var sources: [Folder] = []
    do throws(FileError) {
      if let (folder, _) = try? manifest(options) { sources = try Folder.chain(from: folder.path) }
    } catch {
      throw BuildFailure.unreadableManifest(options.manifest, error)
    }
    for (folders, words) in [
      ([home].compactMap(\.self), "is a home"), (sources, "has the manifest in it"),
    ]
    where try folders.contains(where: { try $0.isSame(as: output) }) {
      throw BuildFailure.usage(
        Diagnostic(
          .error, .outputNotOurs, "\(options.output) \(words), and cannot be the output",
          help: "name a folder of its own with --output"))
    }
    guard try !options.adopt && !isOutput(output), let first = try output.entries().first else {
      return
    }
    throw BuildFailure.machine(
      Diagnostic(
        .error, .outputNotOurs,
        "there are files in \(options.output) that sitegen did not write, such as "
          + "\(options.output)/\(first.name)",
        help: "choose another --output, move the files away, or share the folder with --adopt"))
  }

  /// Writing a report replaces the file: a pipe, a device or a link would be lost.
  private static func refuseForeignReport(_ path: String) throws {
    let (folder, name) = try split(path)
    if name.isEmpty {
      throw BuildFailure.usage(
        Diagnostic(
          .error, .reportUnwritable, "\(path) names a folder and no report",
          help: "name a file with --report"))
    }
    guard let kind = try folder.kind(of: name), kind != .file else { return }
    throw BuildFailure.machine(
      Diagnostic(
        .error, .machineFailed, "cannot write the report \(path)",
        note: "it is not a regular file", help: "name another file with --report"))
  }
}
