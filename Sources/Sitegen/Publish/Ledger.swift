package import Files
package import Store

/// `.sitegen-files`: every file in `output` that is ours; we never remove anything else.
///
/// One line a file, sorted by path: size, SHA-256, path. Written before a publish as the union of
/// old and new, so that a build that is killed has claimed what it left behind.
package struct Ledger: Sendable, Equatable {
  package static let fileName = ".sitegen-files"
  private static let header = "sitegen-files 1"

  package struct Entry: Sendable, Hashable {
    package var path: String
    package var size: Int64
    package var digest: Digest

    package init(path: String, size: Int64, digest: Digest) {
      self.path = path
      self.size = size
      self.digest = digest
    }
  }

  /// Sorted by path, distinct.
  package private(set) var entries: [Entry]

  /// - Parameter entries: In any order; of two with one path the later wins.
  package init(_ entries: [Entry] = []) {
    var sorted = entries.enumerated().sorted { left, right in
      left.element.path == right.element.path
        ? left.offset < right.offset
        : left.element.path < right.element.path
    }.map(\.element)
    var kept = 0
    for index in sorted.indices {
      if kept > 0, sorted[kept - 1].path == sorted[index].path {
        sorted[kept - 1] = sorted[index]
      } else {
        sorted[kept] = sorted[index]
        kept += 1
      }
    }
    sorted.removeSubrange(kept...)
    self.entries = sorted
  }

  /// Reads what a build wrote; lines that make no sense claim nothing.
  package init(parsing bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
    guard let first = lines.popFirst(), first.elementsEqual(Self.header.utf8) else {
      self.init()
      return
    }
    self.init(
      lines.compactMap { line in
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard parts.count == 3, let size = Int64(String(decoding: parts[0], as: UTF8.self)),
          let digest = Digest(hex: String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        return Entry(path: String(decoding: parts[2], as: UTF8.self), size: size, digest: digest)
      })
  }

  /// The ledger of a folder; empty when there is none.
  package init(in output: Folder) throws(FileError) {
    do throws(FileError) {
      self.init(parsing: try output.open(beneath: Self.fileName).readBytes(upTo: 1 << 30))
    } catch  where error.reason == .notFound {
      self.init()
    }
  }

  package var bytes: [UInt8] {
    var bytes = Array(Self.header.utf8)
    bytes.append(UInt8(ascii: "\n"))
    for entry in entries {
      bytes.append(contentsOf: "\(entry.size) \(entry.digest.hex) \(entry.path)\n".utf8)
    }
    return bytes
  }

  package func merging(_ newer: Ledger) -> Ledger {
    Ledger(entries + newer.entries)
  }

  /// The entries whose paths `other` does not have.
  package func subtracting(_ other: Ledger) -> [Entry] {
    let kept = Set(other.entries.map(\.path))
    return entries.filter { !kept.contains($0.path) }
  }
}
