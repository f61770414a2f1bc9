import Bytes
package import Files
package import Plan

/// `.sitegen-files`: every file in `output` that is ours; we never remove anything else.
///
/// One line a file, sorted by path: size, SHA-256, path. Written before a publish as the union of
/// old and new, so that a build that is killed has claimed what it left behind.
package struct Ledger: Sendable, Equatable {
  package static let fileName = BuildContext.ledgerName
  static let header = Array("sitegen-files 1\n".utf8)

  /// Sorted by path, distinct.
  package private(set) var entries: [Site.File] = []
  /// False for one that was read from lines that no build has written, or in another order.
  private(set) var isIntact = true

  /// - Parameter files: In any order; of two with one path the later wins.
  package init(_ files: [Site.File] = []) {
    // What a ledger or a site says is sorted already, and may have a million lines.
    if zip(files, files.dropFirst()).allSatisfy({ $0.precedes($1) }) {
      entries = files
      return
    }
    let sorted = files.enumerated().sorted { left, right in
      left.element.hasPath(of: right.element)
        ? left.offset < right.offset : left.element.precedes(right.element)
    }
    for (_, file) in sorted {
      if entries.last?.hasPath(of: file) == true { entries.removeLast() }
      entries.append(file)
    }
  }

  /// Reads what a build wrote; lines that make no sense claim nothing.
  package init(parsing bytes: [UInt8]) {
    var lines = LedgerLines { $0 == 0 ? bytes : [] }
    self = (try? Self(&lines)) ?? Self()
  }

  /// The ledger of a folder; empty when there is none.
  package init(in output: Folder) throws(FileError) {
    do throws(FileError) {
      let file = try output.open(beneath: Self.fileName)
      var lines = LedgerLines { offset throws(FileError) in try file.readChunk(at: offset) }
      try self.init(&lines)
    } catch  where error.reason == .notFound {
      self.init()
    }
  }

  private init(_ lines: inout LedgerLines) throws(FileError) {
    var files: [Site.File] = []
    var count = 0
    while let piece = try lines.next() {
      for line in piece.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        count += 1
        let parts = line.split(
          separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let size = Int64(String(decoding: parts[0], as: UTF8.self)),
          let digest = Digest(hex: String(decoding: parts[1], as: UTF8.self)),
          Self.isInside(parts[2])
        else { continue }
        let path = String(decoding: parts[2], as: UTF8.self)
        files.append(Site.File(path: path, size: size, digest: digest))
      }
    }
    self.init(files)
    isIntact = files.count == count && files == entries
  }

  /// Whether a path can be that of a file beneath the folder, links aside.
  private static func isInside(_ path: ArraySlice<UInt8>) -> Bool {
    !path.contains(0)
      && path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
        part in !["", ".", ".."].contains { part.elementsEqual($0.utf8) }
      }
  }

  /// The entry of a path.
  subscript(path: String) -> Site.File? { index(of: path).map { entries[$0] } }

  func index(of path: String) -> Int? {
    var range = entries.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let found = entries[middle].path
      if found == path { return middle }
      range = found < path ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write { bytes += $0 }
    return bytes
  }

  /// Piece by piece: a large site has a hundred megabytes of it.
  func write<Failure>(_ emit: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    var bytes = Self.header
    for file in entries {
      bytes.append(contentsOf: "\(file.size) \(file.digest.hex) \(file.path)\n".utf8)
      if bytes.count > 1 << 16 {
        try emit(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    try emit(bytes)
  }

  /// All that either has; of two with one path the newer wins.
  package func merging(_ newer: Ledger) -> Ledger {
    var merged: [Site.File] = []
    merged.reserveCapacity(max(entries.count, newer.entries.count))
    var next = 0
    for file in newer.entries {
      while next < entries.count, entries[next].precedes(file) {
        merged.append(entries[next])
        next += 1
      }
      if next < entries.count, entries[next].hasPath(of: file) { next += 1 }
      merged.append(file)
    }
    merged += entries[next...]
    return Ledger(merged)
  }

  /// The paths of all that only one of them has, or that has other bytes in the other.
  func differences(from other: Ledger) -> [String] {
    other.subtracting(self).map(\.path) + changed(since: other)
  }

  /// The paths of what `other` lacks or has with other bytes.
  package func changed(since other: Ledger) -> [String] {
    let others = other.entries
    var next = 0
    return entries.filter { file in
      while next < others.count, others[next].precedes(file) { next += 1 }
      return next == others.count || others[next] != file
    }.map(\.path)
  }

  /// The entries whose paths `other` does not have.
  package func subtracting(_ other: Ledger) -> [Site.File] {
    let others = other.entries
    var next = 0
    return entries.filter { file in
      while next < others.count, others[next].precedes(file) { next += 1 }
      return next == others.count || !others[next].hasPath(of: file)
    }
  }
}

/// The lines of a ledger, some hundred at a time.
struct LedgerLines {
  /// Gives the next bytes of the file from an offset on; none at its end.
  private let read: (_ offset: Int64) throws(FileError) -> [UInt8]
  private var offset: Int64 = 0
  /// The beginning of a line.
  private var rest: ArraySlice<UInt8> = []

  init(_ read: @escaping (_ offset: Int64) throws(FileError) -> [UInt8]) {
    self.read = read
  }

  /// Whole lines, without the last break; nil at the end, and for what is no ledger.
  ///
  /// Behind the last line break there is nothing, or a line that has lost its end.
  mutating func next() throws(FileError) -> ArraySlice<UInt8>? {
    while true {
      let chunk = try read(offset)
      if chunk.isEmpty || (offset == 0 && !chunk.starts(with: Ledger.header)) { return nil }
      rest += chunk.dropFirst(offset == 0 ? Ledger.header.count : 0)
      offset += Int64(chunk.count)
      if let end = rest.lastIndex(of: UInt8(ascii: "\n")) {
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
      }
      // No path is that long: instead of it stands a line that claims nothing.
      if rest.count >= 1 << 20 { rest = [0] }
    }
  }

  /// The paths in whole lines of a ledger that a build has written.
  static func paths(in lines: ArraySlice<UInt8>) -> PathList {
    var packed: [UInt8] = []
    packed.reserveCapacity(lines.count)
    var rest = lines
    while !rest.isEmpty {
      // Behind the size, and a digest between two spaces.
      let path = rest.drop { $0 != UInt8(ascii: " ") }.dropFirst(2 * Digest.byteCount + 2)
      let end = path.firstIndex(of: UInt8(ascii: "\n")) ?? path.endIndex
      packed += path[..<end]
      packed.append(0)
      rest = rest[end...].dropFirst()
    }
    return PathList(packed: packed)
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

extension OpenFile {
  /// Of all bytes, which are read piece by piece.
  borrowing func digest() throws(FileError) -> Digest {
    var stream = DigestStream()
    var offset: Int64 = 0
    while true {
      let chunk = try readChunk(at: offset)
      if chunk.isEmpty { return stream.finish() }
      stream.update(chunk)
      offset += Int64(chunk.count)
    }
  }
}
