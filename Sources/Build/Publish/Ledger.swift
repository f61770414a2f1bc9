package import Bytes
package import Files

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
    // What a ledger or a site says is sorted already, and may have a million lines.
    if zip(entries, entries.dropFirst()).allSatisfy({ $0.path < $1.path }) {
      self.entries = entries
      return
    }
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
    self.init(parsing: bytes, sharing: EmptyCollection<String>())
  }

  /// Where an entry has one of the paths, which are sorted, it is not held a second time: most files
  /// of a large site were there before.
  private init(parsing bytes: [UInt8], sharing paths: some Sequence<String>) {
    // Behind the last line break there is nothing, or a line that has lost its end.
    let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0
    var lines = bytes[..<end].split(separator: UInt8(ascii: "\n"))[...]
    guard let first = lines.popFirst(), first.elementsEqual(Self.header.utf8) else {
      self.init()
      return
    }
    var others = paths.makeIterator()
    var shared = others.next()
    self.init(
      lines.compactMap { line in
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard parts.count == 3, let size = Int64(String(decoding: parts[0], as: UTF8.self)),
          let digest = Digest(hex: String(decoding: parts[1], as: UTF8.self)),
          Self.isInside(parts[2])
        else { return nil }
        while let path = shared, path.utf8.lexicographicallyPrecedes(parts[2]) {
          shared = others.next()
        }
        let path =
          shared.flatMap { $0.utf8.elementsEqual(parts[2]) ? $0 : nil }
          ?? String(decoding: parts[2], as: UTF8.self)
        return Entry(path: path, size: size, digest: digest)
      })
  }

  /// Whether a path can be that of a file beneath the folder, links aside.
  private static func isInside(_ path: ArraySlice<UInt8>) -> Bool {
    var start = path.startIndex
    for (index, byte) in zip(path.indices, path) where byte == UInt8(ascii: "/") || byte == 0 {
      guard byte != 0, isName(path[start..<index]) else { return false }
      start = index + 1
    }
    return isName(path[start...])
  }

  /// One part of a path: neither nothing nor one of the folders that are other names of folders.
  private static func isName(_ part: ArraySlice<UInt8>) -> Bool {
    !part.isEmpty && (part.count > 2 || !part.allSatisfy { $0 == UInt8(ascii: ".") })
  }

  /// The ledger of a folder; empty when there is none.
  package init(in output: Folder) throws(FileError) {
    try self.init(in: output, sharing: EmptyCollection())
  }

  /// Likewise, holding paths that are held already only once; those are sorted.
  init(in output: Folder, sharing paths: some Sequence<String>) throws(FileError) {
    do throws(FileError) {
      let bytes = try output.open(beneath: Self.fileName).readBytes(upTo: 1 << 30)
      self.init(parsing: bytes, sharing: paths)
    } catch  where error.reason == .notFound {
      self.init()
    }
  }

  /// The entry of a path.
  subscript(path: String) -> Entry? {
    var range = entries.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if entries[middle].path == path { return entries[middle] }
      range =
        entries[middle].path < path
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write { bytes += $0 }
    return bytes
  }

  /// SiteImage by site image: a large site has a hundred megabytes of it.
  func write<Failure>(_ emit: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    var bytes = Array(Self.header.utf8)
    bytes.append(UInt8(ascii: "\n"))
    for entry in entries {
      bytes.append(contentsOf: "\(entry.size) \(entry.digest.hex) \(entry.path)\n".utf8)
      if bytes.count > 1 << 16 {
        try emit(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    try emit(bytes)
  }

  /// All that either has; of two with one path the newer wins.
  package func merging(_ newer: Ledger) -> Ledger {
    var merged: [Entry] = []
    merged.reserveCapacity(max(entries.count, newer.entries.count))
    var next = 0
    for entry in newer.entries {
      while next < entries.count, entries[next].path < entry.path {
        merged.append(entries[next])
        next += 1
      }
      if next < entries.count, entries[next].path == entry.path { next += 1 }
      merged.append(entry)
    }
    return Ledger(merged + entries[next...])
  }

  /// The paths of all that only one of them has, or that has other bytes in the other.
  func differences(from other: Ledger) -> [String] {
    var paths = other.subtracting(self).map(\.path)
    let others = other.entries
    var next = 0
    for entry in entries {
      while next < others.count, others[next].path < entry.path { next += 1 }
      let isSame = next < others.count && others[next] == entry
      if !isSame { paths.append(entry.path) }
    }
    return paths
  }

  /// The entries whose paths `other` does not have.
  package func subtracting(_ other: Ledger) -> [Entry] {
    let others = other.entries
    var next = 0
    return entries.filter { entry in
      while next < others.count, others[next].path < entry.path { next += 1 }
      return next == others.count || others[next].path != entry.path
    }
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
