package import Diagnostics
package import Files

/// What `serve` has to know of the output: which files are the site's, and whether it has a site.
package enum ServedOutput {
  /// A folder with one of these files is an output or a cache.
  package static let markers: Set<Substring> = [
    Substring(BuildContext.lockName), Substring(Ledger.fileName), "CACHEDIR.TAG",
  ]

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
      let paths = lines[..<end].split(separator: UInt8(ascii: "\n")).map { line in
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        return parts.count == 3 ? String(decoding: parts[2], as: UTF8.self) : ""
      }
      guard let first = paths.first, let last = paths.last else { return false }
      if path < first {
        high = middle + Int64(lines.startIndex)
        if middle == low { return false }
      } else if path > last {
        low = middle + Int64(end) + 1
      } else {
        return paths.contains(path)
      }
    }
    return false
  }

  /// - Throws: When the output has files, but no site of ours; an empty one gets its site.
  package static func refuseForeign(_ options: BuildOptions) throws(Diagnostic) {
    guard !options.adopt, let output = try? Folder(opening: options.output),
      let entries = try? output.entries(),
      entries.contains(where: { !$0.name.hasPrefix(".sitegen-") })
    else { return }
    if let file = try? output.open(beneath: Ledger.fileName, followingLinks: false),
      (try? file.readChunk(at: 0, count: Ledger.header.count)) == Ledger.header
    {
      return
    }
    throw Diagnostic(
      .error, .outputNotOurs, "\(options.output) has files, but no site that sitegen has made",
      help: "name another folder with --output; to publish among these files, run "
        + "`sitegen build --output \(options.output) --adopt` first")
  }
}
