import Bytes
import Files
import Foundation

/// Stamps of all inputs and outputs of the last build; if they match, the site is up to date.
///
/// This reduces a scheduled build of 100,000 users to one `stat` per file. It is valid because:
/// 1. It covers all files that affect the result: manifest, user lists, templates, the program and
/// its libraries, sources (including missing ones) and outputs.
/// 2. All stamps were trustworthy when taken. If not, the next build only avoids rereading outputs.
/// 3. The result depends only on these files. If a failure may be transient, such as a crash or a
/// timeout, the check is marked as incomplete.
/// 4. It expires when fetched data is no longer fresh, or an old picture must be removed.
struct UpToDateCheck: Sendable {
  static let fileName = "upToDate"
  private static let revision: UInt32 = 7

  /// Hash of the command line and the executable.
  var identity: Digest
  var isComplete: Bool
  /// Absolute paths.
  var inputs: StampedPaths
  /// Relative to the manifest's folder.
  var sources: StampedPaths
  /// All files in the ledger, and the ledger itself; a zero stamp means that the file must be read.
  var outputs: StampedPaths
  /// Seconds since 1970: when the last build ran, and when its result stops being fresh.
  var madeAt: Int64
  var freshUntil: Int64
  /// When the next old picture expires.
  var keptUntil: Int64
  /// The report and diagnostics as JSON, to be shown again.
  var result: [UInt8]

  /// Whether fetched data is still fresh and no old picture has expired.
  ///
  /// A time in the future was recorded before a clock correction, and is treated as expired.
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
}

// MARK: - Bytes

extension UpToDateCheck {
  /// Returns the bytes without their checksum; nil if they are missing or damaged.
  static func contents(in cache: Folder) -> [UInt8]? {
    guard let file = try? cache.open(beneath: Self.fileName),
      var bytes = try? file.readBytes(upTo: 2 << 30), bytes.count > Digest.byteCount
    else { return nil }
    let checksum = Digest(bytes: Array(bytes.suffix(Digest.byteCount)))
    bytes.removeLast(Digest.byteCount)
    return Digest(of: bytes) == checksum ? bytes : nil
  }

  /// Reads the last check; nil if it is missing, damaged or from another version.
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
