import CLinux
import Foundation
import Glibc

/// What `stat` says about a file; equal stamps mean equal bytes, if they can be trusted.
package struct FileStamp: Codable, Hashable, Sendable, BitwiseCopyable {
  package var inode: UInt64
  package var size: Int64
  /// Nanoseconds since 1970, like `changed`.
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

  /// Whether a file that still has this stamp has the bytes that were read at `moment`.
  ///
  /// Clocks of file systems tick in steps of up to 2 s (FAT): two edits within one step and with
  /// the same size have the same stamp.
  package func isTrustworthy(takenAt moment: Int64) -> Bool {
    let (age, overflow) = moment.subtractingReportingOverflow(modified)
    return overflow ? moment > modified : age >= 3_000_000_000
  }

  /// The current time, in nanoseconds since 1970.
  package static func now() -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  /// Wraps around outside the years 1678 to 2262, but the same time gives the same number.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// What a name in a folder stands for.
package enum FileKind: Hashable, Sendable {
  case file
  case folder
  case link
  /// A pipe, a socket or a device.
  case other

  init(mode: mode_t) {
    // The macro S_IFMT is declared twice, here and by CLinux; its value is part of the ABI.
    switch mode & 0o170000 {
    case 0o100000: self = .file
    case 0o040000: self = .folder
    case 0o120000: self = .link
    default: self = .other
    }
  }
}

extension Folder {
  /// The stamp of the file that `open(beneath:)` would open; nil if nothing has that name.
  ///
  /// The file is not opened for reading, so its rights do not matter, and it does not wait for a pipe.
  package func stamp(
    beneath name: String, allowOutside: Bool = false
  ) throws(FileError) -> FileStamp? {
    try unlessMissing { () throws(FileError) in
      let descriptor = try Folder.open(
        self.descriptor.number, name, flags: linux_O_PATH,
        resolve: RESOLVE_NO_MAGICLINKS | (allowOutside ? 0 : RESOLVE_BENEATH),
        shown: shown(name))
      return FileStamp(
        try descriptor.regularStatus(allowOutside: allowOutside, path: shown(name)))
    }
  }

  /// The stamp of a regular file, inside or outside the folder; nil for anything else.
  package func stamp(of name: String, followingLinks: Bool = true) throws(FileError) -> FileStamp? {
    guard let status = try status(of: name, followingLinks: followingLinks),
      FileKind(mode: status.st_mode) == .file
    else { return nil }
    return FileStamp(status)
  }

  /// What a name stands for, without following a link; nil if there is nothing.
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

  /// The stamps of many files, with one system call for each: nil for a file that cannot be inspected,
  /// and for a folder unless `folders` is set.
  package func stamps(
    of paths: some Sequence<String>, followingLinks: Bool = true, folders: Bool = false
  ) -> [FileStamp?] {
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    var status = stat()
    return paths.map { path in
      // The empty path is that of no file.
      let path = path.utf8.contains(0) ? "" : path
      let isThere = unsafe fstatat(descriptor.number, path, &status, flags) == 0
      let kind = isThere ? FileKind(mode: status.st_mode) : nil
      return kind == .file || folders && kind == .folder ? FileStamp(status) : nil
    }
  }
}

/// Paths and their stamps; a stamp of zeros stands for a missing file.
package struct StampedPaths: Sendable {
  package var paths: [String] = []
  package var stamps: [FileStamp] = []

  package static let absent = FileStamp(inode: 0, size: 0, modified: 0, changed: 0)

  package init() {}

  package mutating func append(_ path: String, _ stamp: FileStamp?) {
    paths.append(path)
    stamps.append(stamp ?? Self.absent)
  }

  /// Whether each file of a range still has its stamp; a range lets threads share the work.
  package func hold(
    _ range: Range<Int>, in folder: Folder, followingLinks: Bool = true, folders: Bool = false
  ) -> Bool {
    folder.stamps(of: paths[range], followingLinks: followingLinks, folders: folders)
      .elementsEqual(stamps[range]) { ($0 ?? Self.absent) == $1 }
  }
}

/// The files that a build read beside its sources, with the stamps they had.
package struct Inputs: Sendable {
  package private(set) var stamped = StampedPaths()
  /// False if some file was so young that its stamp proves nothing.
  package private(set) var areTrustworthy = true

  package init() {}

  /// Notes a file or folder that was read after `moment`, or, without a stamp, a missing one.
  package mutating func add(
    _ path: String, _ stamp: FileStamp?, takenAt moment: Int64 = FileStamp.now()
  ) {
    if let stamp { areTrustworthy = areTrustworthy && stamp.isTrustworthy(takenAt: moment) }
    stamped.append(Self.fromRoot(path), stamp)
  }

  /// Notes that files that are not listed may count.
  package mutating func distrust() { areTrustworthy = false }

  package var hold: Bool {
    guard let root = try? Folder(opening: "/") else { return false }
    return stamped.hold(stamped.stamps.indices, in: root, folders: true)
  }

  /// The path without its leading slash, as the root folder wants it.
  package static func fromRoot(_ path: String) -> String {
    let absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    return String(absolute.drop { $0 == "/" })
  }
}

// MARK: - Marks

/// What a name stands for, in enough detail to see a change.
package struct FileMark: Hashable, Sendable {
  package let kind: FileKind
  /// Of a link its own stamp, not its target's; of a folder only the inode.
  ///
  /// The times of a folder change with every name in it.
  package let stamp: FileStamp
  /// Of the file that a link leads to; nil if there is none.
  package let target: FileStamp?
}

extension Folder {
  /// What a name stands for; nil if there is nothing.
  package func mark(of name: String) throws(FileError) -> FileMark? {
    guard let status = try status(of: name, followingLinks: false) else { return nil }
    let kind = FileKind(mode: status.st_mode)
    // A link to nothing, or to itself, is still a link.
    let target = kind == .link ? try? stamp(of: name) : nil
    var stamp = FileStamp(status)
    if kind == .folder {
      stamp = FileStamp(inode: stamp.inode, size: 0, modified: 0, changed: 0)
    }
    return FileMark(kind: kind, stamp: stamp, target: target)
  }
}
