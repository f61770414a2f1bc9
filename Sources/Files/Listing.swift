import Glibc

/// The names in one folder, in the file system's order, without `.` and `..`.
@safe
struct Listing: ~Copyable {
  private let stream: OpaquePointer
  private let path: String

  /// The corresponding C function is `fdopendir`.
  init(_ folder: consuming Descriptor, path: String) throws(FileError) {
    guard let stream = unsafe fdopendir(folder.number) else {
      throw FileError("list", path: path, code: errno)
    }
    // The stream closes it from now on.
    folder.release()
    unsafe self.stream = stream
    self.path = path
  }

  deinit {
    _ = unsafe closedir(stream)
  }

  /// The descriptor that the stream owns.
  ///
  /// The corresponding C function is `dirfd`.
  var number: Int32 { unsafe dirfd(stream) }

  /// The corresponding C function is `readdir`.
  borrowing func next() throws(FileError) -> (name: [UInt8], kind: FileKind)? {
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw FileError("list", path: path, code: errno) }
        return nil
      }
      // The name ends with a zero byte; the entry stays valid until the next call.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
      }
      if name == [0x2e] || name == [0x2e, 0x2e] { continue }
      return (name, try kind(of: name, type: Int32(unsafe entry.pointee.d_type)))
    }
  }

  /// Some file systems do not say in the listing what an entry is.
  ///
  /// The corresponding C function is `fstatat`.
  private borrowing func kind(of name: [UInt8], type: Int32) throws(FileError) -> FileKind {
    switch type {
    case 8: return .file
    case 4: return .folder
    case 10: return .link
    case 0: break
    default: return .other
    }
    var status = stat()
    // Gone in the meantime: no longer anything that could be used.
    guard unsafe fstatat(number, terminated(name), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return .other
    }
    return FileKind(mode: status.st_mode)
  }
}

/// The bytes as C wants them.
func terminated(_ name: [UInt8]) -> [CChar] {
  name.map { CChar(bitPattern: $0) } + [0]
}
