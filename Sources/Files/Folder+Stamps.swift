import CLinux
import Glibc

extension Folder {
  /// The stamp of the file that `open(beneath:)` would open, found in the same way.
  ///
  /// Three system calls and no allocation. The file is not opened for reading, so its rights are
  /// not asked, and a pipe is not waited for.
  /// `allowOutside` lets `..`, absolute paths and links leave the folder. Returns nil when there is
  /// nothing; the error has the reason: outside, linked, not a regular file, denied, a bad name.
  /// The corresponding C functions are `openat2(O_PATH)` and `fstat`.
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
  /// The name is looked at, not opened, and may lead outside. A link that is followed has the stamp
  /// of its target.
  /// The corresponding C function is `fstatat`.
  package func stamp(of name: String, followingLinks: Bool = true) throws(FileError) -> FileStamp? {
    guard let status = try status(of: name, followingLinks: followingLinks),
      FileKind(mode: status.st_mode) == .file
    else { return nil }
    return FileStamp(status)
  }

  /// Sets the times of a file to now.
  ///
  /// The corresponding C function is `utimensat`.
  package func touch(_ name: String) throws(FileError) {
    try call("touch", shown(name)) {
      unsafe utimensat(descriptor.number, name, nil, AT_SYMLINK_NOFOLLOW)
    }
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
  /// A file that cannot be inspected is nil; who needs the reason opens it.
  /// Folders have a stamp only if asked for: theirs tells which names are in them.
  /// Followed links have the stamp of their target, or nil. A range lets threads share the work.
  /// `visit` gets the index of each path and its stamp. `absent` is called before for those where
  /// there is surely nothing.
  /// The corresponding C function is `fstatat`.
  package func sweep(
    _ paths: borrowing PathList, _ range: Range<Int>, followingLinks: Bool = true,
    folders: Bool = false, absent: (Int) -> Void = { _ in }, visit: (Int, FileStamp?) -> Void
  ) {
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    // The folder of the last name that was not there: all that follows in it need not be asked for.
    var folder: (path: ArraySlice<UInt8>, isMissing: Bool) = ([], false)
    let starts = paths.starts
    // Every start is inside the bytes, and a zero byte follows it there.
    unsafe paths.bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      var status = stat()
      for index in range {
        let name = paths.bytes[starts[index]...].prefix { $0 != 0 }
        if folder.isMissing, name.starts(with: folder.path) {
          absent(index)
          visit(index, nil)
          continue
        }
        let path = unsafe UnsafeRawPointer(base + starts[index])
          .assumingMemoryBound(to: CChar.self)
        let isThere = unsafe fstatat(descriptor.number, path, &status, flags) == 0
        if !isThere && errno == ENOENT {
          absent(index)
          if let slash = name.lastIndex(of: UInt8(ascii: "/")), slash > name.startIndex,
            name[...slash] != folder.path
          {
            let parent = terminated(Array(name[..<slash]))
            let isMissing =
              unsafe fstatat(descriptor.number, parent, &status, 0) != 0 && errno == ENOENT
            folder = (name[...slash], isMissing)
          }
        }
        let kind = isThere ? FileKind(mode: status.st_mode) : nil
        visit(index, kind == .file || folders && kind == .folder ? FileStamp(status) : nil)
      }
    }
  }
}

// MARK: - Marks

/// What a name stands for, in enough detail to see a change.
package struct FileMark: Hashable, Sendable {
  package let kind: FileKind
  /// Of a link: its own stamp, not its target's.
  package let stamp: FileStamp
  /// Of the file that a link leads to; nil when there is none.
  package let target: FileStamp?
}

extension Folder {
  /// What a name stands for; nil when there is nothing.
  ///
  /// The corresponding C function is `fstatat`.
  package func mark(of name: String) throws(FileError) -> FileMark? {
    guard let status = try status(of: name, followingLinks: false) else { return nil }
    let kind = FileKind(mode: status.st_mode)
    // A link to nothing, or to itself, is still a link.
    let target = kind == .link ? try? stamp(of: name) : nil
    return FileMark(kind: kind, stamp: FileStamp(status), target: target)
  }

  /// The text of a link; nil when there is no link.
  ///
  /// The corresponding C function is `readlinkat`.
  package func destination(of name: String) throws(FileError) -> String? {
    guard !name.utf8.contains(0) else { return nil }
    var bytes: [CChar] = Array(repeating: 0, count: Int(PATH_MAX))
    do throws(FileError) {
      let count = try call("read", shown(name)) {
        unsafe readlinkat(descriptor.number, name, &bytes, bytes.count)
      }
      return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    } catch  where error.reason == .notFound || error.code == EINVAL {
      return nil
    }
  }
}
