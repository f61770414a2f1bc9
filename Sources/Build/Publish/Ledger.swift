import Bytes
package import Files
package import Plan

/// The contents of `.sitegen-files`: the output files that sitegen wrote and may remove.
///
/// Each line contains a size, a SHA-256 digest and a path; lines are sorted by path. Before
/// publishing, a build writes the union of the old and new ledgers, to claim its files in case it
/// is killed. In a union, a changed file has two lines, old before new, and the final line is
/// `unfinished`.
package struct Ledger: Sendable, Equatable {
  package static let fileName = FolderRules.ledgerName
  static let header = Array("sitegen-files 1\n".utf8)

  /// The files, sorted by path; each path occurs once.
  package private(set) var entries: [Site.File] = []
  /// The old versions of changed files; empty unless the ledger is a union.
  package private(set) var earlier: [Site.File] = []
  /// Whether the ledger is the union written before publishing, whose files may be missing.
  package private(set) var isUnfinished = false
  /// Whether all lines are valid and in order.
  package private(set) var isIntact = true

  /// Creates a ledger of files in any order; for a repeated path, the last file is used.
  package init(_ files: [Site.File] = []) {
    if zip(files, files.dropFirst()).allSatisfy({ $0.path < $1.path }) {
      entries = files
      return
    }
    for file in files.sorted(by: { $0.path < $1.path }) {
      if entries.last?.path == file.path { entries.removeLast() }
      entries.append(file)
    }
  }

  package init(parsing bytes: [UInt8]) {
    let body = bytes.dropFirst(Self.header.count)
    // Without a final line break, the last path may be truncated.
    guard bytes.starts(with: Self.header), let end = body.lastIndex(of: UInt8(ascii: "\n")) else {
      self.init()
      isIntact = bytes == Self.header
      return
    }
    var lines = body[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let isUnfinished = lines.last?.elementsEqual(Self.unfinishedMark) == true
    if isUnfinished { lines.removeLast() }
    let files = lines.compactMap(Self.file)
    self.init(files)
    if isUnfinished {
      let last = Set(entries)
      (self.isUnfinished, earlier) = (true, files.filter { !last.contains($0) })
    }
    isIntact = files.count == lines.count && files == self.files && body[end...].count == 1
  }

  package init(in output: Folder) throws(FileError) {
    do throws(FileError) {
      self.init(parsing: try output.open(beneath: Self.fileName).readBytes(upTo: 1 << 30))
    } catch  where error.reason == .notFound {
      self.init()
    }
  }

  private static func file(_ line: ArraySlice<UInt8>) -> Site.File? {
    let parts = line.split(
      separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let size = Int64(String(decoding: parts[0], as: UTF8.self)),
      let digest = Digest(hex: String(decoding: parts[1], as: UTF8.self)), isInside(parts[2])
    else { return nil }
    return Site.File(path: String(decoding: parts[2], as: UTF8.self), size: size, digest: digest)
  }

  private static func isInside(_ path: ArraySlice<UInt8>) -> Bool {
    !path.contains(0)
      && path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
        part in !["", ".", ".."].contains { part.elementsEqual($0.utf8) }
      }
  }

  package var bytes: [UInt8] {
    var bytes = Self.header
    for file in files {
      bytes.append(contentsOf: "\(file.size) \(file.digest.hex) \(file.path)\n".utf8)
    }
    return isUnfinished ? bytes + Self.unfinishedMark + [UInt8(ascii: "\n")] : bytes
  }

  private static let unfinishedMark = Array("unfinished".utf8)

  /// The files on all lines, sorted by path; for equal paths, the old version comes first.
  private var files: [Site.File] {
    earlier.isEmpty ? entries : (earlier + entries).sorted { $0.path < $1.path }
  }

  package func unfinished(until new: Ledger) -> Ledger {
    var union = merging(new)
    union.earlier = earlier.filter { union[$0.path] != $0 } + changed(since: union)
    union.isUnfinished = true
    return union
  }

  subscript(path: String) -> Site.File? { index(of: path).map { entries[$0] } }

  /// Returns the index of a path, trying `guess` before a binary search.
  private func index(of path: String, guess: Int = 0) -> Int? {
    if guess < entries.count, entries[guess].path == path { return guess }
    var range = entries.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let found = entries[middle].path
      if found == path { return middle }
      range = found < path ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// Returns a merged ledger; for paths in both ledgers, it contains the newer files.
  package func merging(_ newer: Ledger) -> Ledger { Ledger(entries + newer.entries) }

  package func changed(since other: Ledger) -> [Site.File] {
    zip(entries, other.indices(of: entries)).filter { $1.map { other.entries[$0] } != $0 }.map(\.0)
  }

  package func subtracting(_ other: Ledger) -> [Site.File] {
    zip(entries, other.indices(of: entries)).filter { $1 == nil }.map(\.0)
  }

  /// Returns the index of each file's path; this is fast if the files are sorted and most are found.
  func indices(of files: some Sequence<Site.File>) -> [Int?] {
    var next = 0
    return files.map { file in
      let index = index(of: file.path, guess: next)
      if let index { next = index + 1 }
      return index
    }
  }
}

extension Folder {
  /// Removes a file, or returns false if the path is missing, a folder, or behind a symlink.
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
