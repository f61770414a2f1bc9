import Glibc

/// What `stat` says about a file's identity; equal stamps mean, with care, equal bytes.
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
  /// Clocks of file systems tick in steps of up to 2 s (FAT): two edits within one step that
  /// leave the size as it was cannot be told apart.
  package static let safetyGap: Int64 = 3_000_000_000

  /// Whether a later file with this same stamp surely has the bytes that were read at `moment`.
  ///
  /// Never for a file that claims to be from the future.
  ///
  /// - Parameter moment: When the bytes were read, in nanoseconds since 1970.
  /// - Returns: False means that the bytes must be read again, which is always right.
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

  /// Wraps around for the years outside 1678 to 2262: odd, but still the same for the same time.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
