import CLinux
import Foundation
import Glibc

/// File metadata from `stat`: if two trustworthy stamps are equal, the file has not changed.
package struct FileStamp: Codable, Hashable, Sendable, BitwiseCopyable {
  package var inode: UInt64
  package var size: Int64
  /// The modification time in nanoseconds since 1970.
  package var modified: Int64
  package var changed: Int64

  package init(inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
    (self.inode, self.size, self.modified, self.changed) = (inode, size, modified, changed)
  }

  init(_ status: stat) {
    self.init(
      inode: UInt64(status.st_ino), size: Int64(status.st_size),
      modified: FileStamp.nanoseconds(status.st_mtim),
      changed: FileStamp.nanoseconds(status.st_ctim))
  }

  /// Returns whether an unchanged stamp proves that the bytes read at `moment` are still current.
  ///
  /// Timestamps can be as coarse as 2 s (FAT), so two edits within 2 s may have the same stamp.
  package func isTrustworthy(takenAt moment: Int64) -> Bool {
    let (age, overflow) = moment.subtractingReportingOverflow(modified)
    return overflow ? moment > modified : age >= 3_000_000_000
  }

  package static func now() -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  /// Converts to nanoseconds since 1970; wraps around outside the years 1678 to 2262.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

package enum FileKind: Hashable, Sendable {
  case file
  case folder
  case link
  case other

  init(mode: mode_t) {
    // Use the value of S_IFMT: the name is ambiguous, because both Glibc and CLinux declare it.
    switch mode & 0o170000 {
    case 0o100000: self = .file
    case 0o040000: self = .folder
    case 0o120000: self = .link
    default: self = .other
    }
  }
}

extension Folder {
  /// Returns the stamp of the file that `open(beneath:)` would open; nil if it does not exist.
  ///
  /// Uses `O_PATH`, which does not require read permission and does not block on a pipe.
  package func stamp(
    beneath name: String, allowOutside: Bool = false
  ) throws(FileError) -> FileStamp? {
    try unlessMissing { () throws(FileError) in
      let descriptor = try Folder.open(
        self.descriptor.number, name, flags: linux_O_PATH,
        resolve: RESOLVE_NO_MAGICLINKS | (allowOutside ? 0 : RESOLVE_BENEATH),
        shown: shown(name))
      return FileStamp(try descriptor.regularStatus(allowOutside: allowOutside, path: shown(name)))
    }
  }

  /// Returns the stamp of a regular file, even outside the folder; nil for anything else.
  package func stamp(of name: String, followingLinks: Bool = true) throws(FileError) -> FileStamp? {
    guard let status = try status(of: name, followingLinks: followingLinks),
      FileKind(mode: status.st_mode) == .file
    else { return nil }
    return FileStamp(status)
  }

  package func kind(of name: String) throws(FileError) -> FileKind? {
    try status(of: name, followingLinks: false).map { FileKind(mode: $0.st_mode) }
  }

  func status(of name: String, followingLinks: Bool) throws(FileError) -> stat? {
    guard !name.utf8.contains(0) else { return nil }
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    return try unlessMissing { () throws(FileError) in
      var status = stat()
      try call("inspect", shown(name)) {
        unsafe fstatat(descriptor.number, name, &status, flags)
      }
      return status
    }
  }

  package func touch(_ name: String) throws(FileError) {
    try call("touch", shown(name)) {
      unsafe utimensat(descriptor.number, name, nil, AT_SYMLINK_NOFOLLOW)
    }
  }

  package func stamps(of paths: some Sequence<String>) -> [FileStamp?] {
    paths.map { unsafe stamp(of: $0.utf8.contains(0) ? "" : $0, false, false) }
  }

  fileprivate func stamp(
    of path: UnsafePointer<CChar>, _ followingLinks: Bool, _ folders: Bool
  ) -> FileStamp? {
    var status = stat()
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    guard unsafe fstatat(descriptor.number, path, &status, flags) == 0 else { return nil }
    let kind = FileKind(mode: status.st_mode)
    return kind == .file || folders && kind == .folder ? FileStamp(status) : nil
  }
}

/// Paths with their stamps; a stamp of zeros marks a missing file.
package struct StampedPaths: Sendable {
  /// The paths as C strings in one buffer, because 100,000 separate strings are slow to check.
  package private(set) var text: [UInt8] = []
  private var starts: [Int] = []
  package private(set) var stamps: [FileStamp] = []

  package static let absent = FileStamp(inode: 0, size: 0, modified: 0, changed: 0)

  package init() {}

  package init?(text: [UInt8], stamps: [FileStamp]) {
    guard text.count(where: { $0 == 0 }) == stamps.count, text.last ?? 0 == 0 else { return nil }
    (self.text, self.stamps) = (text, stamps)
    starts = ([0] + text.indices.filter { text[$0] == 0 }.map { $0 + 1 }).dropLast()
  }

  package mutating func append(_ path: String, _ stamp: FileStamp?) {
    starts.append(text.count)
    if !path.utf8.contains(0) { text += path.utf8 }
    text.append(0)
    stamps.append(stamp ?? Self.absent)
  }

  package var paths: [String] {
    text.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns whether the files in a range match their stamps; ranges can be checked in parallel.
  package func hold(
    _ range: Range<Int>, in folder: Folder, followingLinks: Bool = true, folders: Bool = false
  ) -> Bool {
    unsafe text.withUnsafeBytes { text in
      range.allSatisfy { index in
        let path = unsafe UnsafeRawBufferPointer(rebasing: text[starts[index]...])
          .assumingMemoryBound(to: CChar.self).baseAddress
        let stamp = unsafe path.flatMap { unsafe folder.stamp(of: $0, followingLinks, folders) }
        return stamp ?? Self.absent == stamps[index]
      }
    }
  }
}

/// Files that a build read in addition to its sources, with their stamps.
package struct Inputs: Sendable {
  package private(set) var stamped = StampedPaths()
  /// Whether comparing the stamps is enough to detect changes.
  package private(set) var areTrustworthy = true

  package init() {}

  /// Records a path that was read after `moment`; the stamp is nil if the file was missing.
  package mutating func add(
    _ path: String, _ stamp: FileStamp?, takenAt moment: Int64 = FileStamp.now()
  ) {
    if let stamp { areTrustworthy = areTrustworthy && stamp.isTrustworthy(takenAt: moment) }
    stamped.append(Self.fromRoot(path), stamp)
  }

  /// Records that the build depends on unknown files, so checking stamps is not enough.
  package mutating func distrust() { areTrustworthy = false }

  package var hold: Bool {
    guard let root = try? Folder(opening: "/") else { return false }
    return stamped.hold(stamped.stamps.indices, in: root, folders: true)
  }

  package static func fromRoot(_ path: String) -> String {
    let absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    return String(absolute.drop { $0 == "/" })
  }
}

package struct FileMark: Hashable, Sendable {
  package let kind: FileKind
  /// The entry's stamp; for a folder, only the inode is set, because its times often change.
  package let stamp: FileStamp
  /// The stamp of a symlink's target; nil if the target is missing or the entry is not a symlink.
  package let target: FileStamp?
}

extension Folder {
  package func mark(of name: String) throws(FileError) -> FileMark? {
    guard let status = try status(of: name, followingLinks: false) else { return nil }
    let kind = FileKind(mode: status.st_mode)
    let target = kind == .link ? try? stamp(of: name) : nil
    let inode = FileStamp(inode: UInt64(status.st_ino), size: 0, modified: 0, changed: 0)
    return FileMark(kind: kind, stamp: kind == .folder ? inode : FileStamp(status), target: target)
  }
}
