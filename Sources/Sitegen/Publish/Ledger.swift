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
    // Behind the last line break there is nothing, or a line that has lost its end.
    let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0
    var lines = bytes[..<end].split(separator: UInt8(ascii: "\n"))[...]
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
        let path = String(decoding: parts[2], as: UTF8.self)
        return Self.isInside(path) ? Entry(path: path, size: size, digest: digest) : nil
      })
  }

  /// Whether a path can be that of a file beneath the folder, links aside.
  private static func isInside(_ path: String) -> Bool {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) && !$0.contains(0)
    }
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

extension Folder {
  /// Removes a file that a ledger names.
  ///
  /// - Returns: False when there is nothing, or what cannot be ours: a folder, or something that
  ///   is reached through a link.
  func removeOurs(_ path: String) throws(FileError) -> Bool {
    guard let kind = try kind(of: path), kind != .folder else { return false }
    do throws(FileError) {
      return try remove(path)
    } catch  where error.reason == .linked || error.reason == .outside {
      return false
    }
  }
}
