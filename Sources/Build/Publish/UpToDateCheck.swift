import Bytes
import Files
import Foundation

/// Stamps of all inputs and outputs of the last build; if they match, the site is up to date.
///
/// Even with 100,000 users, the check costs only one `stat` per file. It is reliable because:
/// 1. The check covers all files that affect the result: manifest, lists, templates, program,
/// libraries, sources (including missing ones) and outputs.
/// 2. All stamps were trustworthy when taken. Otherwise, the check is marked as incomplete.
/// 3. The result depends only on these files. If a failure may be transient, such as a crash or a
/// timeout, the check is also marked as incomplete.
/// 4. The check expires when fetched data becomes stale, or when an old picture must be removed.
struct UpToDateCheck: Sendable {
  static let fileName = "upToDate"
  private static let revision: UInt32 = 7

  /// The digest of the options that affect the result.
  var identity: Digest
  var isComplete: Bool
  /// The input files, with absolute paths.
  var inputs: StampedPaths
  /// The sources, with paths relative to the manifest's folder.
  var sources: StampedPaths
  /// The files in the ledger and the ledger itself; a file with a zero stamp must be read.
  var outputs: StampedPaths
  /// When the last build ran, in seconds since 1970.
  var madeAt: Int64
  var freshUntil: Int64
  /// When the next old picture expires, in seconds since 1970.
  var keptUntil: Int64
  /// The last build's report and diagnostics as JSON.
  var result: [UInt8]

  /// Returns whether the result is still valid; a check dated in the future is treated as expired.
  func isFresh(at now: Int64, offline: Bool) -> Bool {
    let end = offline ? keptUntil : min(freshUntil, keptUntil)
    return end == .max || (now < end && madeAt <= now + 60)
  }

  func holds(manifestFolder: Folder, output: Folder, queue: WorkQueue) -> Bool {
    guard isComplete, let root = try? Folder(opening: "/") else { return false }
    return Self.hold(inputs, in: root, folders: true, queue)
      && Self.hold(sources, in: manifestFolder, queue)
      && Self.hold(outputs, in: output, followingLinks: false, queue)
  }

  private static func hold(
    _ stamped: StampedPaths, in folder: Folder, followingLinks: Bool = true, folders: Bool = false,
    _ queue: WorkQueue
  ) -> Bool {
    var hold = true
    queue.map(stamped.stamps.indices.chunks(of: 8192)) { range in
      stamped.hold(range, in: folder, followingLinks: followingLinks, folders: folders)
    } receive: { _, result in
      hold = hold && (try? result.get()) == true
    }
    return hold
  }

  /// Returns the file's bytes without the checksum; nil if the file is missing or damaged.
  static func contents(in cache: Folder) -> [UInt8]? {
    guard let file = try? cache.open(beneath: Self.fileName),
      var bytes = try? file.readBytes(upTo: 2 << 30), bytes.count > Digest.byteCount
    else { return nil }
    let checksum = Digest(bytes: Array(bytes.suffix(Digest.byteCount)))
    bytes.removeLast(Digest.byteCount)
    return Digest(of: bytes) == checksum ? bytes : nil
  }

  static func last(in cache: Folder, identity: Digest) -> Self? {
    guard let bytes = contents(in: cache) else { return nil }
    return ByteReader.all(of: bytes) { reader throws(ByteReader.Malformed) -> Self? in
      guard try reader.read(UInt32.self) == Self.revision, try reader.readDigest() == identity
      else { return nil }
      return Self(
        identity: identity, isComplete: try reader.read(UInt8.self) == 1,
        inputs: try reader.readStamped(), sources: try reader.readStamped(),
        outputs: try reader.readStamped(),
        madeAt: try reader.read(Int64.self), freshUntil: try reader.read(Int64.self),
        keptUntil: try reader.read(Int64.self), result: Array(try reader.readCounted()))
    }
  }

  func write(in cache: Folder) throws {
    var writer = ByteWriter()
    writer.write(Self.revision)
    writer.write(identity)
    writer.write(UInt8(isComplete ? 1 : 0))
    for stamped in [inputs, sources, outputs] {
      writer.write(counted: stamped.text)
      writer.write(UInt32(stamped.stamps.count))
      for stamp in stamped.stamps { writer.write(stamp) }
    }
    writer.write(madeAt)
    writer.write(freshUntil)
    writer.write(keptUntil)
    writer.write(counted: result)
    writer.write(Digest(of: writer.bytes))
    try cache.write(writer.bytes, to: Self.fileName)
  }
}

extension ByteReader {
  fileprivate mutating func readStamped() throws(Malformed) -> StampedPaths {
    let text = Array(try readCounted())
    var stamps: [FileStamp] = []
    for _ in 0..<(try read(UInt32.self)) { stamps.append(try readStamp()) }
    guard let stamped = StampedPaths(text: text, stamps: stamps) else { throw Malformed() }
    return stamped
  }
}
