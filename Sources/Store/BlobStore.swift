package import Bytes
package import Files
package import Foundation

/// Bytes by their digest, one file each: `ab/` and the 64 digits, in a folder of the cache.
///
/// A picture of the output may be the same file under another name. So every read is verified, and a
/// blob without its digest is removed and counts as missing. Threads may share a store.
package final class BlobStore: Sendable {
  /// The largest blob; a larger file is damage.
  package static let sizeLimit = 1 << 30

  private let cache: Folder
  private let name: String
  private let current: Locked<Folder>
  private let rights: UInt32
  /// Blobs that this process has written and that are not yet linked to an output: unchanged.
  private let fresh = Locked<[Digest: FileStamp]>([:])
  /// Bounds memory; what does not fit is read before it is published.
  private static let freshLimit = 1 << 18
  /// One of these is locked while a blob is written: another thread with the same bytes would take a
  /// part of them for damage.
  private let writing = (0..<16).map { _ in Locked(()) }
  /// The output asked for last, and what blobs and its files both have, if that is the same.
  private let linking = Locked<(output: Folder, traits: FileTraits?)?>(nil)

  /// Opens the store in a cache folder, which must be ours and becomes private.
  package init(
    in cache: Folder, called name: String = "store", rights: UInt32 = 0o666
  ) throws(FileError) {
    self.cache = cache
    self.name = name
    self.rights = rights
    current = Locked(try BlobStore.open(name, in: cache))
  }

  private static func open(_ name: String, in cache: Folder) throws(FileError) -> Folder {
    try cache.makePrivate()
    let folder = try cache.folder(
      name, making: true, mode: 0o700, openDirectories: min(256, DescriptorLimit.current / 4))
    try folder.makePrivate()
    return folder
  }

  private var folder: Folder { current.withLock { $0 } }

  // MARK: - Keeping

  /// Keeps bytes unless they are there already; `known` is their digest.
  @discardableResult
  package func put(_ bytes: Data, as known: Digest? = nil) throws(FileError) -> Digest {
    let digest = known ?? Digest(of: bytes)
    try writing[Int(digest.words.0 % 16)].withLock { (_) throws(FileError) in
      try write(bytes, as: digest)
    }
    return digest
  }

  private func write(_ bytes: Data, as digest: Digest) throws(FileError) {
    let name = BlobStore.name(of: digest)
    do throws(FileError) {
      if let stamp = try folder.create(bytes, at: name, mode: rights) {
        fresh.withLock { if $0.count < Self.freshLimit { $0[digest] = stamp } }
      } else if try find(digest, { _, _ in true }) == nil {
        // It was damaged.
        try folder.write(bytes, to: name, mode: rights)
      }
    } catch {
      guard error.isObstacle else { throw error }
      try clear(name)
      // The whole store may have been deleted. A missing cache is not made again: its lock is gone
      // with it.
      let fresh = try BlobStore.open(self.name, in: cache)
      current.withLock { $0 = fresh }
      try fresh.write(bytes, to: name, mode: rights)
    }
  }

  // MARK: - Finding

  /// The bytes with that digest, or nil.
  package func get(_ digest: Digest) throws(FileError) -> Data? {
    try find(digest) { bytes, _ in bytes }
  }

  /// Stages a blob for a path in another folder; nil when it is missing or damaged.
  ///
  /// With `linking` the blob itself gets another name if possible. It is verified before, unless this
  /// process has just written it.
  package func stage(
    _ digest: Digest, into output: Folder, at path: String, linking: Bool = false
  ) throws(FileError) -> StagedFile? {
    let name = BlobStore.name(of: digest)
    let traits = linking ? try traits(ofFilesIn: output, at: path) : nil
    if traits != nil, let stamp = fresh.withLock({ $0.removeValue(forKey: digest) }) {
      return output.stage(linkTo: name, in: folder, stamp: stamp, to: path)
    }
    let staged = try find(digest) { bytes, source in
      // Result, since a failure of the output must not be taken for damage of the store.
      Result { () throws(FileError) in
        if let traits, try source.traits() == traits {
          return output.stage(linkTo: name, in: folder, stamp: source.stamp, to: path)
        }
        return try output.stage(bytes, to: path)
      }
    }
    return try staged?.get()
  }

  /// What blobs and new files of an output have, if it is the same; asked once for each output.
  private func traits(
    ofFilesIn output: Folder, at path: String
  ) throws(FileError) -> FileTraits? {
    try linking.withLock { (known) throws(FileError) in
      if let known, known.output === output { return known.traits }
      let theirs = try output.traitsOfNewFile(at: path)
      // Nil if the store was deleted.
      let ours = try? folder.traitsOfNewFile(at: "00/probe")
      known = (output, ours == theirs ? theirs : nil)
      return known?.traits
    }
  }

  /// Reads a blob, and gives it to `body` if it is what it should be.
  private func find<Result>(
    _ digest: Digest, _ body: (Data, borrowing OpenFile) -> Result
  ) throws(FileError) -> Result? {
    let name = BlobStore.name(of: digest)
    do throws(FileError) {
      let source = try folder.open(beneath: name, followingLinks: false)
      let bytes = try source.read(upTo: BlobStore.sizeLimit)
      if Digest(of: bytes) == digest { return body(bytes, source) }
    } catch {
      if error.reason == .notFound { return nil }
      guard error.isObstacle else { throw error }
    }
    _ = fresh.withLock { $0.removeValue(forKey: digest) }
    try clear(name)
    return nil
  }

  package func remove(_ digest: Digest) throws(FileError) {
    _ = fresh.withLock { $0.removeValue(forKey: digest) }
    try folder.remove(BlobStore.name(of: digest))
  }

  // MARK: - Listing

  /// A blob, its size, and when it was written.
  package struct Entry: Hashable, Sendable {
    package let digest: Digest
    package let size: Int64
    /// When it was written, in seconds since 1970.
    package let written: Int64
  }

  /// Every blob; files with other names are left out.
  package func entries() throws(FileError) -> [Entry] {
    var entries: [Entry] = []
    let folder = folder
    try folder.walk { (entry) throws(FileError) in
      guard entry.kind == .file, let digest = BlobStore.digest(at: entry.path),
        let stamp = try folder.stamp(of: entry.path)
      else { return }
      entries.append(
        Entry(digest: digest, size: stamp.size, written: stamp.modified / 1_000_000_000))
    }
    return entries
  }

  // MARK: - Names

  package static func name(of digest: Digest) -> String {
    let hex = digest.hex
    return "\(hex.prefix(2))/\(hex)"
  }

  /// Nil for a path that no blob has.
  package static func digest(at path: String) -> Digest? {
    Digest(hex: String(path.dropFirst(3))).flatMap { name(of: $0) == path ? $0 : nil }
  }

  /// Removes anything that takes the place of a blob or its folder.
  private func clear(_ name: String) throws(FileError) {
    let parent = String(name.prefix(2))
    let kind = try folder.kind(of: parent)
    try folder.removeTree(kind == nil || kind == .folder ? name : parent)
  }
}

extension FileError {
  /// Whether something else is in the place of a blob, or a piece of disk is broken; it can be removed.
  fileprivate var isObstacle: Bool {
    switch reason {
    case .notFound, .outside, .linked, .notRegular, .tooLarge: true
    case .denied: operation == "open"
    case .badName, .full, .foreign: false
    case .other: [EEXIST, ENOTEMPTY, EIO, EBADMSG, ESTALE].contains(code)
    }
  }
}
