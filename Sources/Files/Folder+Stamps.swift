import CLinux
import Glibc

extension Folder {
  /// The stamp of the file that `open(beneath:)` would open, found in the same way.
  ///
  /// Three system calls and no allocation. The file is not opened for reading, so its rights are
  /// not asked, and a pipe is not waited for.
  /// The corresponding C functions are `openat2(O_PATH)` and `fstat`.
  ///
  /// - Parameters:
  ///   - name: A path relative to the folder.
  ///   - allowOutside: Lets `..`, absolute paths and links leave the folder.
  /// - Throws: With the reason: outside, linked, not a regular file, denied, a bad name.
  /// - Returns: The stamp, or nil when there is nothing.
  package func stamp(
    beneath name: String, allowOutside: Bool = false
  ) throws(FileError) -> FileStamp? {
    do {
      let descriptor = try Folder.open(
        self.descriptor.number, name, flags: linux_O_PATH,
        resolve: RESOLVE_NO_MAGICLINKS | (allowOutside ? 0 : RESOLVE_BENEATH),
        shown: shown(name))
      return FileStamp(
        try descriptor.regularStatus(allowOutside: allowOutside, path: shown(name)))
    } catch let error where error.reason == .notFound {
      return nil
    }
  }

  /// The stamp of a file; nil when there is nothing, or something that is no regular file.
  ///
  /// The corresponding C function is `fstatat`.
  ///
  /// - Parameters:
  ///   - name: A path relative to the folder. It is looked at, not opened, and may lead outside.
  ///   - followingLinks: Whether the stamp of a link is that of its target, or nil.
  /// - Throws: When the system cannot tell.
  /// - Returns: The stamp.
  package func stamp(of name: String, followingLinks: Bool = true) throws(FileError) -> FileStamp? {
    guard let status = try status(of: name, followingLinks: followingLinks),
      FileKind(mode: status.st_mode) == .file
    else { return nil }
    return FileStamp(status)
  }

  /// What a name stands for, not following it if it is a link; nil when there is nothing.
  ///
  /// The corresponding C function is `fstatat`.
  package func kind(of name: String) throws(FileError) -> FileKind? {
    try status(of: name, followingLinks: false).map { FileKind(mode: $0.st_mode) }
  }

  func status(of name: String, followingLinks: Bool) throws(FileError) -> stat? {
    guard !name.utf8.contains(0) else { return nil }
    var status = stat()
    do {
      try call("inspect", shown(name)) {
        unsafe fstatat(
          descriptor.number, name, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
      }
      return status
    } catch let error where error.reason == .notFound {
      return nil
    }
  }

  /// The stamps of many files, with one system call and no allocation for each.
  ///
  /// Whatever cannot be inspected is nil: it is looked at closely later, and the reason found.
  /// The corresponding C function is `fstatat`.
  ///
  /// - Parameters:
  ///   - paths: The files, relative to the folder.
  ///   - range: Which of them; callers divide the work between threads by this.
  ///   - followingLinks: Whether the stamp of a link is that of its target, or nil.
  ///   - visit: Called with the index of each path and its stamp.
  package func sweep(
    _ paths: borrowing PathList, _ range: Range<Int>, followingLinks: Bool = true,
    visit: (Int, FileStamp?) -> Void
  ) {
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    let starts = paths.starts
    // Every start is inside the bytes, and a zero byte follows it there.
    unsafe paths.bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      var status = stat()
      for index in range {
        let path = unsafe UnsafeRawPointer(base + starts[index])
          .assumingMemoryBound(to: CChar.self)
        let isFile =
          unsafe fstatat(descriptor.number, path, &status, flags) == 0
          && FileKind(mode: status.st_mode) == .file
        visit(index, isFile ? FileStamp(status) : nil)
      }
    }
  }
}
