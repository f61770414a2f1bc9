import Bytes
import Files
import Plan
import Store

/// Unused pictures that are kept for some time: pages in web caches may still refer to them.
///
/// Dates are stored only in the `meta` table, so that output files do not depend on the build date.
struct OldPictures: Sendable {
  private let index: Index
  private let key: String
  /// The retention time, in seconds.
  private let time: Int64
  private let now: Int64
  /// Whether the last build was recorded; if so, pictures without a date have just become unused.
  private let isKnown: Bool
  /// When each picture became unused, in seconds since 1970.
  private var since: [Digest: Int64]

  /// Reads the dates; call this before the build updates `ShownParts`.
  init(of output: Folder, in index: Index, keptFor time: Int64, now: Int64) throws {
    (self.index, self.time, self.now) = (index, time, now)
    key = "old pictures of \(Inputs.fromRoot(output.path))"
    since = try index.get(.meta, key).flatMap(Self.dates) ?? [:]
    isKnown = try time > 0 && ShownParts.get(for: output, in: index) != nil
  }

  func keeps(_ file: Site.File) -> Bool {
    guard time > 0, file.isNamedByContent, let date = date(of: file) else { return false }
    return date + time > now
  }

  /// A future date was recorded while the clock was wrong, so it is replaced with `now`.
  private func date(of file: Site.File) -> Int64? {
    since[file.digest].map { min($0, now) } ?? (isKnown ? now : nil)
  }

  mutating func forget(allBut files: [Site.File]) throws {
    let digests = Set(files.map(\.digest))
    try put(since.filter { digests.contains($0.key) })
  }

  mutating func note(_ files: [Site.File]) throws {
    try put(Dictionary(files.map { ($0.digest, date(of: $0) ?? now) }) { first, _ in first })
  }

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
