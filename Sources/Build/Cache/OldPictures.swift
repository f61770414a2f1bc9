import Bytes
import Files
import Plan
import Store

/// `meta`: since when an output keeps pictures that nothing names any more, for pages that are still in
/// caches.
///
/// Only the cache has the dates, so nothing that is published depends on the day.
struct OldPictures: Sendable {
  private let index: Index
  private let key: String
  /// How long they stay, and the moment now, in seconds.
  private let time: Int64
  private let now: Int64
  /// Whether this cache has built the output before: then a picture without a date was shown until now.
  private let isKnown: Bool
  /// Seconds since 1970.
  private var since: [Digest: Int64]

  /// Made before a build writes down what the output is made of.
  init(of output: Folder, in index: Index, keptFor time: Int64, now: Int64) throws {
    (self.index, self.time, self.now) = (index, time, now)
    key = "old pictures of \(Inputs.fromRoot(output.path))"
    since = try index.get(.meta, key).flatMap(Self.dates) ?? [:]
    isKnown = try time > 0 && ShownParts.get(for: output, in: index) != nil
  }

  /// Whether a file that nothing names any more may stay.
  func keeps(_ file: Site.File) -> Bool {
    guard time > 0, file.isNamedByContent, let date = date(of: file) else { return false }
    return date + time > now
  }

  /// A date in the future is that of a clock which has been put right since.
  private func date(of file: Site.File) -> Int64? {
    since[file.digest].map { min($0, now) } ?? (isKnown ? now : nil)
  }

  /// Forgets what is not among these files before it is published again: it is not old any more.
  mutating func forget(allBut files: [Site.File]) throws {
    let digests = Set(files.map(\.digest))
    try put(since.filter { digests.contains($0.key) })
  }

  /// Writes down all that is old, once nothing that is published names it.
  mutating func note(_ files: [Site.File]) throws {
    try put(Dictionary(files.map { ($0.digest, date(of: $0) ?? now) }) { first, _ in first })
  }

  /// When the first of them has to go.
  var end: Int64 { since.values.min().map { $0 + time } ?? .max }

  private mutating func put(_ dates: [Digest: Int64]) throws {
    guard dates != since else { return }
    since = dates
    if dates.isEmpty { return try index.remove(.meta, [key]) }
    var writer = ByteWriter()
    for (digest, date) in dates.sorted(by: { $0.key < $1.key }) {
      writer.write(digest)
      writer.write(date)
    }
    try index.put(.meta, key, writer.bytes)
  }

  private static func dates(_ bytes: [UInt8]) -> [Digest: Int64]? {
    ByteReader.all(of: bytes) { reader throws(ByteReader.Malformed) in
      var dates: [Digest: Int64] = [:]
      while !reader.isAtEnd { dates[try reader.readDigest()] = try reader.read(Int64.self) }
      return dates
    }
  }
}
