import Bytes
import Files
import Foundation
import Plan

/// What the last build read and left behind, as stamps: if all of them hold, nothing is to do.
///
/// This is what makes a scheduled build of 100,000 users cost one sweep of `stat` calls and not a
/// parse of the manifest. It is right under four conditions:
/// 1. Every file that could change the outcome is listed: manifest, user lists, templates, the
///    program and its libraries, sources (also those that were missing), outputs.
/// 2. Every stamp was trustworthy when it was taken. Where one was not, the list says only which files
///    of the output need not be read again.
/// 3. The outcome followed from those files alone: a build in which something failed that may
///    work next time (a crash, a time limit) leaves no list.
/// 4. What was fetched need not be asked for again, and what is old need not go, before a certain
///    moment.
struct UpToDateCheck: Sendable {
  static let fileName = "standing"
  private static let revision: UInt32 = 5

  /// Of what was typed and what program ran; another identity is another build.
  var identity: Digest
  /// Whether it proves that nothing is to do.
  var isComplete: Bool
  /// Absolute paths.
  var inputs: StampedPaths
  /// Relative to the manifest's folder.
  var sources: StampedPaths
  var outputs: OutputStamps
  /// When this was found out, and until when what was fetched counts, in seconds since 1970.
  var madeAt: Int64
  var freshUntil: Int64
  /// When the output has to lose a picture.
  var keptUntil: Int64
  /// The report and the diagnostics as JSON, to be told again.
  var result: [UInt8]
}

/// Stamps of the ledger and of the files that it names, in its order: the paths are not kept again.
///
/// A stamp of zeros says that the file must be read.
struct OutputStamps: Sendable {
  var ledger: FileStamp
  private var isLedgerTrustworthy = false
  var files: [FileStamp]

  init(ledger: FileStamp, files: [FileStamp]) {
    self.ledger = ledger
    self.files = files
  }
}

extension OutputStamps {
  /// Of every file, and of a ledger that is old enough.
  var areComplete: Bool { isLedgerTrustworthy && !files.contains(StampedPaths.absent) }

  /// Adds the stamp of the next file, if its bytes were right after `moment`.
  mutating func add(_ stamp: FileStamp?, since moment: Int64) {
    files.append(
      stamp.flatMap { $0.isTrustworthy(takenAt: moment) ? $0 : nil } ?? StampedPaths.absent)
  }

  mutating func note(ledger stamp: FileStamp?, since moment: Int64) {
    ledger = stamp ?? StampedPaths.absent
    isLedgerTrustworthy = stamp?.isTrustworthy(takenAt: moment) == true
  }

  /// Takes over the stamps of some of the files of a ledger.
  mutating func replace(_ all: Ledger, _ some: Ledger, _ stamps: OutputStamps) {
    var index = 0
    for (file, stamp) in zip(some.entries, stamps.files) {
      while !all.entries[index].hasPath(of: file) { index += 1 }
      files[index] = stamp
    }
  }

  /// Takes the times of change of pictures with these digests, if nothing else of them has changed.
  mutating func lookAgain(at digests: Set<Digest>, _ all: Ledger, in output: Folder) {
    guard !digests.isEmpty else { return }
    let found = all.entries.indices.filter { index in
      let file = all.entries[index]
      return (file.isNamedByContent || file.isAlias) && digests.contains(file.digest)
    }
    var paths = PathList()
    for index in found { paths.append(all.entries[index].path) }
    output.sweep(paths, 0..<found.count, followingLinks: false) { number, stamp in
      var known = files[found[number]]
      if let stamp, known != StampedPaths.absent { known.changed = stamp.changed }
      files[found[number]] = stamp == known ? known : StampedPaths.absent
    }
  }

  /// Whether the ledger and every file that it names are as they were.
  fileprivate func hold(in output: Folder, _ queue: WorkQueue) -> Bool {
    guard let file = try? output.open(beneath: Ledger.fileName, followingLinks: false),
      file.stamp == ledger
    else { return false }
    var ledger = LedgerLines { offset throws(FileError) in try file.readChunk(at: offset) }
    var count = 0
    let pieces = AnyIterator<(first: Int, lines: ArraySlice<UInt8>)> {
      guard let lines = try? ledger.next() else { return nil }
      defer { count += lines.count { $0 == UInt8(ascii: "\n") } + 1 }
      return (count, lines)
    }
    var hold = true
    queue.map(pieces) { piece in
      let paths = LedgerLines.paths(in: piece.lines)
      let stamps = files.dropFirst(piece.first).prefix(paths.count)
      var equal = stamps.count == paths.count
      guard equal else { return false }
      output.sweep(paths, 0..<paths.count, followingLinks: false) { index, stamp in
        equal = equal && stamp == stamps[stamps.startIndex + index]
      }
      return equal
    } receive: { _, result in
      hold = hold && (try? result.get()) == true
    }
    return hold && count == files.count
  }
}

// MARK: - Holding

extension UpToDateCheck {
  /// Whether nothing that was fetched must be asked for again, and nothing that is old must go.
  ///
  /// A list from the future is that of a clock which has been put right since.
  func isFresh(at now: Int64, offline: Bool) -> Bool {
    let end = offline ? keptUntil : min(freshUntil, keptUntil)
    return end == .max || (now < end && madeAt <= now + 60)
  }

  /// Whether every file is as it was.
  func holds(manifestFolder: Folder, output: Folder, root: Folder, queue: WorkQueue) -> Bool {
    isComplete && holds(inputs, in: root, folders: true, queue)
      && holds(sources, in: manifestFolder, queue) && outputs.hold(in: output, queue)
  }

  private func holds(
    _ stamped: StampedPaths, in folder: Folder, folders: Bool = false, _ queue: WorkQueue
  ) -> Bool {
    var holds = true
    queue.map(Chunks(of: stamped.stamps.indices, size: 8192)) { range in
      var equal = true
      folder.sweep(stamped.paths, range, folders: folders) { index, stamp in
        equal = equal && (stamp ?? StampedPaths.absent) == stamped.stamps[index]
      }
      return equal
    } receive: { _, result in
      holds = holds && (try? result.get()) == true
    }
    return holds
  }
}

// MARK: - Bytes

extension UpToDateCheck {
  /// Nil when there is none, or it is damaged, or of another version.
  init?(in cache: Folder, identity: Digest) {
    guard let file = try? cache.open(beneath: Self.fileName),
      var bytes = try? file.readBytes(upTo: 2 << 30), bytes.count > Digest.byteCount
    else { return nil }
    let checksum = Digest(bytes: Array(bytes.suffix(Digest.byteCount)))
    bytes.removeLast(Digest.byteCount)
    guard Digest(of: bytes) == checksum else { return nil }
    let check = ByteReader.all(of: bytes) { reader throws(ByteReader.Malformed) -> Self? in
      guard try reader.read(UInt32.self) == Self.revision, try reader.readDigest() == identity
      else { return nil }
      return Self(
        identity: identity, isComplete: try reader.read(UInt8.self) == 1,
        inputs: try reader.readStamped(), sources: try reader.readStamped(),
        outputs: OutputStamps(
          ledger: try reader.readStamp(),
          files: try reader.readStamps(Int(try reader.read(UInt32.self)))),
        madeAt: try reader.read(Int64.self), freshUntil: try reader.read(Int64.self),
        keptUntil: try reader.read(Int64.self), result: Array(try reader.readCounted()))
    }
    guard let check else { return nil }
    self = check
  }

  func write(in cache: Folder) throws {
    var writer = ByteWriter()
    writer.write(Self.revision)
    writer.write(identity)
    writer.write(UInt8(isComplete ? 1 : 0))
    for stamped in [inputs, sources] {
      writer.write(counted: stamped.paths.packed)
      for stamp in stamped.stamps { writer.write(stamp) }
    }
    writer.write(outputs.ledger)
    writer.write(UInt32(outputs.files.count))
    for stamp in outputs.files { writer.write(stamp) }
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
    var stamped = StampedPaths()
    stamped.paths = PathList(packed: Array(try readCounted()))
    stamped.stamps = try readStamps(stamped.paths.count)
    return stamped
  }

  fileprivate mutating func readStamps(_ count: Int) throws(Malformed) -> [FileStamp] {
    var stamps: [FileStamp] = []
    for _ in 0..<count { stamps.append(try readStamp()) }
    return stamps
  }
}
