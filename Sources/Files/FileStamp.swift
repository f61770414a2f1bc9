import Glibc

/// What `stat` says about a file; equal stamps mean equal bytes, if they can be trusted.
package struct FileStamp: Hashable, Sendable, BitwiseCopyable {
  package var inode: UInt64
  package var size: Int64
  /// Nanoseconds since 1970.
  package var modified: Int64
  /// Nanoseconds since 1970.
  package var changed: Int64

  package init(inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }
}

// MARK: - Trust

extension FileStamp {
  /// How old a file must be before its stamp is believed: 3 s in nanoseconds.
  ///
  /// Clocks of file systems tick in steps of up to 2 s (FAT): two edits within one step and with
  /// the same size have the same stamp.
  package static let safetyGap: Int64 = 3_000_000_000

  /// Whether a file that still has this stamp has the bytes that were read at `moment`, in
  /// nanoseconds since 1970; false for a file from the future.
  package func isTrustworthy(takenAt moment: Int64) -> Bool {
    let (age, overflow) = moment.subtractingReportingOverflow(modified)
    if overflow { return moment > modified }
    return age >= FileStamp.safetyGap
  }

  /// The moment now, in nanoseconds since 1970.
  ///
  /// The corresponding C function is `clock_gettime`.
  package static func now() -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }
}

// MARK: - From stat

extension FileStamp {
  init(_ status: stat) {
    self.init(
      inode: UInt64(status.st_ino), size: Int64(status.st_size),
      modified: FileStamp.nanoseconds(status.st_mtim),
      changed: FileStamp.nanoseconds(status.st_ctim))
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
