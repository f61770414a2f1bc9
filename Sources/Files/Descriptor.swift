import CLinux
import Glibc

/// Owns one file descriptor and closes it exactly once.
package struct Descriptor: ~Copyable, Sendable {
  /// Stays valid while this value lives; nobody else may close it.
  package let number: Int32

  package init(adopting number: Int32) {
    self.number = number
  }

  deinit {
    _ = Glibc.close(number)
  }

  /// Calls `body` with the number; the file stays open until it returns.
  @discardableResult
  borrowing func with<Result: ~Copyable>(
    _ body: (Int32) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    try body(number)
  }

  /// Closes now, since some file systems report a failed write only here.
  ///
  /// Not repeated: the descriptor is gone even after a failure.
  /// The corresponding C function is `close`.
  consuming func close(path: String) throws(FileError) {
    let number = number
    discard self
    if Glibc.close(number) != 0, errno != EINTR {
      throw FileError("close", path: path, code: errno)
    }
  }

  /// Gives the descriptor to a new owner, who closes it.
  consuming func release() {
    discard self
  }
}

extension Descriptor {
  /// Writes everything, in as many calls as it takes.
  ///
  /// The corresponding C function is `write`.
  package borrowing func write(
    _ bytes: RawSpan, path: @autoclosure () -> String
  ) throws(FileError) {
    let number = number
    // The pointer is used only during the call of the closure.
    try unsafe bytes.withUnsafeBytes { (buffer) throws(FileError) in
      var done = 0
      while done < buffer.count {
        // The rest of the buffer is inside it, since `done` is less than its count.
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        let count = try call("write", path()) {
          unsafe Glibc.write(number, rest.baseAddress, rest.count)
        }
        // Never seen for a regular file, but the loop would not end.
        if count == 0 { throw FileError("write", path: path(), code: EIO) }
        done += count
      }
    }
  }

  /// Reads until the buffer is full or the file ends; threads may read at the same time.
  ///
  /// Where the file was `size` bytes long, and no more came, its end is not looked for again.
  /// The corresponding C function is `pread`.
  package borrowing func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from offset: Int64, size: Int64 = .max,
    path: @autoclosure () -> String
  ) throws(FileError) -> Int {
    var done = 0
    while done < buffer.count {
      // The rest of the buffer is inside it, since `done` is less than its count.
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try call("read", path()) {
        unsafe pread(number, rest.baseAddress, rest.count, Int(offset) + done)
      }
      done += count
      if count == 0 || offset + Int64(done) == size { break }
    }
    return done
  }
}

/// How many descriptors this process may have open.
package enum DescriptorLimit {
  /// The corresponding C function is `getrlimit`.
  package static var current: Int {
    var limits = rlimit()
    let found = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0
    return found ? Int(clamping: limits.rlim_cur) : 1024
  }

  /// Raises it to what the system allows, and returns it; child processes inherit it.
  ///
  /// The usual 1024 are for programs that use `select`, which we do not.
  /// The corresponding C functions are `getrlimit` and `setrlimit`.
  package static func raise() -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limits = rlimit()
    guard unsafe getrlimit(resource, &limits) == 0 else { return 1024 }
    let before = limits.rlim_cur
    if before < limits.rlim_max {
      limits.rlim_cur = limits.rlim_max
      if unsafe setrlimit(resource, &limits) != 0 { limits.rlim_cur = before }
    }
    return Int(clamping: limits.rlim_cur)
  }

  /// Throws unless two more files may be open.
  ///
  /// The corresponding C function is `pipe`.
  package static func checkTwoAreLeft() throws(FileError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw FileError("open", path: "a pipe", code: errno) }
    for end in ends { _ = Glibc.close(end) }
  }
}

/// What a descriptor of ours is connected to.
package enum Terminal {
  /// The corresponding C function is `isatty`.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Columns; nil when it is no terminal, or one that does not tell.
  ///
  /// The corresponding C function is `ioctl(TIOCGWINSZ)`.
  package static func width(_ descriptor: Int32) -> Int? {
    let columns = linux_terminal_width(descriptor)
    return columns > 0 ? Int(columns) : nil
  }
}
