import CLinux
import Glibc

extension Descriptor {
  /// Writes everything, in as many calls as it takes.
  ///
  /// The corresponding C function is `write`.
  borrowing func write(
    _ bytes: RawSpan, path: @autoclosure () -> String
  ) throws(FileError) {
    // The pointer is used only during the call of the closure.
    try unsafe bytes.withUnsafeBytes { (buffer) throws(FileError) in
      try unsafe Descriptor.write(buffer, to: number, path: path())
    }
  }

  private static func write(
    _ buffer: UnsafeRawBufferPointer, to number: Int32, path: @autoclosure () -> String
  ) throws(FileError) {
    var done = 0
    while done < buffer.count {
      // The rest of the buffer is inside it, since `done` is less than its count.
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
      let count = try call("write", path()) {
        unsafe Glibc.write(number, rest.baseAddress, rest.count)
      }
      // Never seen for a regular file, but it would go on for ever.
      if count == 0 { throw FileError("write", path: path(), code: EIO) }
      done += count
    }
  }

  /// Makes this empty file share the blocks of another one; false when that cannot be.
  ///
  /// The corresponding C function is `ioctl(FICLONE)`.
  borrowing func clone(_ source: borrowing OpenFile) -> Bool {
    linux_clone_file(number, source.descriptor.number) == 0
  }

  /// Copies a whole file into this empty one: by sharing blocks, else inside the kernel, else here.
  ///
  /// The corresponding C functions are `ioctl(FICLONE)`, `copy_file_range`, `pread` and `write`.
  borrowing func copy(
    from source: borrowing OpenFile, path: @autoclosure () -> String
  ) throws(FileError) {
    if clone(source) { return }
    var offset: Int64 = 0
    while true {
      // With its own offset, reading does not move the source's, which threads may share.
      let count = unsafe linux_copy_file_range(
        source.descriptor.number, &offset, number, 1 << 30)
      if count > 0 { continue }
      if count == 0, offset > 0 || source.size == 0 { return }
      let code = errno
      if count < 0, code == EINTR { continue }
      if count < 0, [ENOSPC, EDQUOT, EIO, EFBIG].contains(code) {
        throw FileError("write", path: path(), code: code)
      }
      break
    }
    // The kernel declines (other file system, old kernel); what it has copied stays.
    while true {
      let chunk = try source.readChunk(at: offset, count: 1 << 18)
      if chunk.isEmpty { return }
      try write(unsafe chunk.span.bytes, path: path())
      offset += Int64(chunk.count)
    }
  }
}
