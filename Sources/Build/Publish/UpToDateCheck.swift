import Bytes
import Files
import Foundation
import Plan

/// What the last build read and left behind, as stamps: if all of them hold, nothing is to do.
///
/// This is what makes a scheduled build of 100,000 users cost one sweep of `stat` calls and not a
/// parse of the manifest. It is right under three conditions:
/// 1. Every file that could change the outcome is listed: manifest, user lists, templates, the
///    program and its libraries, sources (also those that were missing), outputs.
/// 2. Every stamp was trustworthy when it was taken; one that was not keeps the whole list from
///    being written.
/// 3. The outcome followed from those files alone: a build in which something failed that may
///    work next time (a crash, a time limit) leaves no list.
/// 4. What was fetched need not be asked for again before a certain moment.
struct UpToDateCheck: Sendable {
  static let fileName = "standing"
  private static let revision: UInt32 = 2

  /// Of what was typed and what program ran; another identity is another build.
  var identity: Digest
  /// Absolute paths.
  var inputs: StampedPaths
  /// Relative to the manifest's folder.
  var sources: StampedPaths
  /// Relative to `output`, sorted by bytes.
  var outputs: StampedPaths
  /// When this was found out, and until when what was fetched counts, in seconds since 1970.
  var madeAt: Int64
  var freshUntil: Int64
  /// The report and the diagnostics, to be told again.
  var verdict: [UInt8]
}

// MARK: - Holding

extension UpToDateCheck {
  /// Whether nothing that was fetched must be asked for again.
  ///
  /// A list from the future is that of a clock which has been put right since.
  func isFresh(at now: Int64) -> Bool {
    freshUntil == .max || (now < freshUntil && madeAt <= now + 60)
  }

  /// Whether every file is as it was.
  func holds(manifestFolder: Folder, output: Folder, root: Folder, queue: WorkQueue) -> Bool {
    holds(inputs, in: root, followingLinks: true, queue)
      && holds(sources, in: manifestFolder, followingLinks: true, queue)
      && holds(outputs, in: output, followingLinks: false, queue)
  }

  private func holds(
    _ stamped: StampedPaths, in folder: Folder, followingLinks: Bool, _ queue: WorkQueue
  ) -> Bool {
    var holds = true
    queue.map(Chunks(of: stamped.stamps.indices, size: 8192)) { range in
      var equal = true
      folder.sweep(stamped.paths, range, followingLinks: followingLinks) { index, stamp in
        equal = equal && (stamp ?? StampedPaths.absent) == stamped.stamps[index]
      }
      return equal
    } receive: { _, result in
      holds = holds && (try? result.get()) == true
    }
    return holds
  }

  /// The stamp of the ledger, which is listed last.
  var ledgerStamp: FileStamp? {
    outputs.paths.count > 0 && outputs.paths[outputs.paths.count - 1] == Ledger.fileName
      ? outputs.stamps.last : nil
  }

  /// The stamp of an output, for a publish that must look at each file anyway.
  ///
  /// - Parameters:
  ///   - index: Of the file in the ledger that this list was made from.
  ///   - path: Its path: nil if that ledger was another one.
  /// - Returns: What the file's stamp was when it held the bytes of its entry.
  func outputStamp(_ index: Int, path: String) -> FileStamp? {
    guard index < outputs.stamps.count, outputs.paths[index] == path else { return nil }
    return outputs.stamps[index]
  }
}

// MARK: - Bytes

extension UpToDateCheck {
  /// Nil when there is none, or it is damaged, or of another version.
  init?(in cache: Folder, identity: Digest) {
    guard let file = try? cache.open(beneath: Self.fileName),
      let bytes = try? file.readBytes(upTo: 2 << 30), bytes.count > 32
    else { return nil }
    let body = bytes.dropLast(32)
    guard Digest(of: Array(body)) == Digest(bytes: Array(bytes.suffix(32))) else { return nil }
    var reader = RecordParser(Array(body))
    guard reader.read(UInt32.self) == Self.revision, reader.readDigest() == identity,
      let inputs = reader.readStamped(), let sources = reader.readStamped(),
      let outputs = reader.readStamped(), let madeAt = reader.read(Int64.self),
      let freshUntil = reader.read(Int64.self), let verdict = reader.readBytes(), reader.isAtEnd
    else { return nil }
    self.init(
      identity: identity, inputs: inputs, sources: sources, outputs: outputs, madeAt: madeAt,
      freshUntil: freshUntil, verdict: verdict)
  }

  func write(in cache: Folder) throws {
    var writer = RecordWriter()
    writer.write(Self.revision)
    writer.write(identity)
    writer.write(inputs)
    writer.write(sources)
    writer.write(outputs)
    writer.write(madeAt)
    writer.write(freshUntil)
    writer.write(blob: verdict)
    let body = writer.bytes
    try cache.write(body + Digest(of: body).bytes, to: Self.fileName)
  }
}

extension RecordWriter {
  fileprivate mutating func write(_ stamped: StampedPaths) {
    write(blob: stamped.paths.packed)
    for stamp in stamped.stamps { write(stamp) }
  }
}

extension RecordParser {
  fileprivate mutating func readStamped() -> StampedPaths? {
    guard let packed = readBytes() else { return nil }
    var stamped = StampedPaths()
    stamped.paths = PathList(packed: packed)
    stamped.stamps.reserveCapacity(stamped.paths.count)
    for _ in 0..<stamped.paths.count {
      guard let stamp = readStamp() else { return nil }
      stamped.stamps.append(stamp)
    }
    return stamped
  }
}
