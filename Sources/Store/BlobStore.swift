package import Bytes
package import Files
package import Foundation

/// Content-addressed files in a cache folder, named after their SHA-256 in hex (`ab/abcd…`).
///
/// An output file may be a hard link to a blob, so every read verifies the digest. A damaged blob
/// is removed and treated as missing. The store is thread-safe.
package final class BlobStore: Sendable {
  package static let sizeLimit = 1 << 30

  private let cache: Folder
  private let name: String
  private let current: Locked<Folder>
  private let rights: UInt32
  /// Blobs that this process wrote and has not linked to an output, so they cannot have changed.
  private let fresh = Locked<[Digest: FileStamp]>([:])
  /// The maximum number of `fresh` blobs; other blobs are verified before they are linked.
  private static let freshLimit = 1 << 18
  /// Locks that serialize writers of the same bytes; a half-written blob would look damaged.
  private let writing = (0..<16).map { _ in Locked(()) }
  /// The last output folder, and the traits of its new files (nil if new blobs have other traits).
  private let linking = Locked<(output: Folder, traits: FileTraits?)?>(nil)

  /// Opens the store in a cache folder; throws unless this user owns the folder.
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

  /// Stores bytes unless they are already stored; computes their digest if `known` is nil.
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
        try folder.write(bytes, to: name, mode: rights)
      }
    } catch {
      guard error.isObstacle else { throw error }
      try clear(name)
      // The store may have been deleted. A missing cache folder is not recreated, because its lock
      // was deleted with it.
      let fresh = try BlobStore.open(self.name, in: cache)
      current.withLock { $0 = fresh }
      try fresh.write(bytes, to: name, mode: rights)
    }
  }

  package func get(_ digest: Digest) throws(FileError) -> Data? {
    try find(digest) { bytes, _ in bytes }
  }

  /// Stages a blob for an output path; returns nil if the blob is missing or damaged.
  ///
  /// With `linking`, a hard link is preferred. The blob is verified first, unless this process
  /// wrote it.
  package func stage(
    _ digest: Digest, into output: Folder, at path: String, linking: Bool = false
  ) throws(FileError) -> StagedFile? {
    let name = BlobStore.name(of: digest)
    let traits = linking ? try traits(ofFilesIn: output, at: path) : nil
    if traits != nil, let stamp = fresh.withLock({ $0.removeValue(forKey: digest) }) {
      return output.stage(linkTo: name, in: folder, stamp: stamp, to: path)
    }
    let staged = try find(digest) { bytes, source in
      // Wrap the error, so that a failed output is not mistaken for a damaged blob.
      Result { () throws(FileError) in
        if let traits, try source.traits() == traits {
          return output.stage(linkTo: name, in: folder, stamp: source.stamp, to: path)
        }
        return try output.stage(bytes, to: path)
      }
    }
    return try staged?.get()
  }

  /// Returns the traits of new output files, such as their owner; nil if new blobs have others.
  private func traits(ofFilesIn output: Folder, at path: String) throws(FileError) -> FileTraits? {
    try linking.withLock { (known) throws(FileError) in
      if let known, known.output === output { return known.traits }
      let theirs = try output.traitsOfNewFile(at: path)
      let ours = try? folder.traitsOfNewFile(at: "00/probe")
      known = (output, ours == theirs ? theirs : nil)
      return known?.traits
    }
  }

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

  package struct Entry: Hashable, Sendable {
    package let digest: Digest
    package let size: Int64
    /// The time of writing, in seconds since 1970.
    package let written: Int64
  }

  /// Returns all blobs, ignoring files with other names.
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

  package static func name(of digest: Digest) -> String {
    let hex = digest.hex
    return "\(hex.prefix(2))/\(hex)"
  }

  package static func digest(at path: String) -> Digest? {
    Digest(hex: String(path.dropFirst(3))).flatMap { name(of: $0) == path ? $0 : nil }
  }

  private func clear(_ name: String) throws(FileError) {
    let parent = String(name.prefix(2))
    let kind = try folder.kind(of: parent)
    try folder.removeTree(kind == nil || kind == .folder ? name : parent)
  }
}

extension FileError {
  fileprivate var isObstacle: Bool {
    switch reason {
    case .notFound, .outside, .linked, .notRegular, .tooLarge: true
    case .denied: operation == "open"
    case .badName, .full, .foreign: false
    case .other: [EEXIST, ENOTEMPTY, EIO, EBADMSG, ESTALE].contains(code)
    }
  }
}
