package import Files
import Manifest

/// What `serve` has to know of the output: which files are the site's.
package enum ServedOutput {
  /// Whether the ledger of a folder names a file.
  ///
  /// A ledger is sorted by path, so few of its pieces are read, and each time the newest ledger.
  package static func names(_ path: String, in output: Folder) -> Bool {
    guard let file = try? output.open(beneath: Ledger.fileName, followingLinks: false),
      (try? file.readChunk(at: 0, count: Ledger.header.count)) == Ledger.header
    else { return false }
    let piece = 1 << 14
    var low = Int64(Ledger.header.count)
    var high = file.size
    while low < high {
      let middle = high - low <= Int64(piece) ? low : low + (high - low) / 2
      guard let bytes = try? file.readChunk(at: middle, count: piece) else { return false }
      // From the middle on, the first whole lines.
      var lines = bytes[...]
      if middle > low {
        guard let end = lines.firstIndex(of: UInt8(ascii: "\n")) else { return false }
        lines = lines[(end + 1)...]
      }
      guard let end = lines.lastIndex(of: UInt8(ascii: "\n")) else { return false }
      let whole = lines[..<end].split(separator: UInt8(ascii: "\n"))
      guard let first = whole.first.map(Self.path), let last = whole.last.map(Self.path) else {
        return false
      }
      if path < first {
        // A line that is longer than a piece would not let it end.
        let before = middle + Int64(lines.startIndex)
        guard middle > low, before < high else { return false }
        high = before
      } else if path > last {
        low = middle + Int64(end) + 1
      } else {
        return whole.contains { Self.path($0) == path }
      }
    }
    return false
  }

  private static func path(_ line: ArraySlice<UInt8>) -> String {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    return parts.count == 3 ? String(decoding: parts[2], as: UTF8.self) : ""
  }

  /// The ids that the last build has made of names.
  static func madeIDs(in path: String) -> MadeIDs {
    guard let output = try? Folder(opening: path), names(MadeIDs.fileName, in: output),
      let file = try? output.open(beneath: MadeIDs.fileName, followingLinks: false),
      let bytes = try? file.readBytes(upTo: 64 << 20)
    else { return MadeIDs() }
    return MadeIDs(parsing: String(decoding: bytes, as: UTF8.self))
  }
}
