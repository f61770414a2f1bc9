import CLinux
import Glibc

/// A file descriptor that is closed exactly once.
package struct Descriptor: ~Copyable, Sendable {
  package let number: Int32

  package init(adopting number: Int32) {
    self.number = number
  }

  deinit {
    _ = Glibc.close(number)
  }

  @discardableResult
  borrowing func with<Result: ~Copyable>(
    _ body: (Int32) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    try body(number)
  }

  /// Closes early, because some file systems report a failed write only when a file is closed.
  ///
  /// Does not retry, because the descriptor is closed even if the call fails.
  consuming func close(path: String) throws(FileError) {
    let number = number
    discard self
    if Glibc.close(number) != 0, errno != EINTR {
      throw FileError("close", path: path, code: errno)
    }
  }

  consuming func release() {
    discard self
  }
}

extension Descriptor {
  borrowing func status(path: @autoclosure () -> String) throws(FileError) -> stat {
    var status = stat()
    try call("inspect", path()) { unsafe fstat(number, &status) }
    return status
  }

  package borrowing func write(
    _ bytes: RawSpan, path: @autoclosure () -> String
  ) throws(FileError) {
    let number = number
    try unsafe bytes.withUnsafeBytes { (buffer) throws(FileError) in
      var done = 0
      while done < buffer.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        let count = try call("write", path()) {
          unsafe Glibc.write(number, rest.baseAddress, rest.count)
        }
        if count == 0 { throw FileError("write", path: path(), code: EIO) }
        done += count
      }
    }
  }

  /// Reads until the buffer is full or the file ends; safe to call from several threads.
  ///
  /// Passing the file's length as `size` saves the extra call that detects the end of the file.
  package borrowing func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from offset: Int64, size: Int64 = .max,
    path: @autoclosure () -> String
  ) throws(FileError) -> Int {
    var done = 0
    while done < buffer.count {
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

extension Descriptor {
  package enum Reading {
    case bytes(Int)
    case end
    /// The descriptor is nonblocking, and no data is available yet.
    case nothing
    case failed(Int32)
  }

  package borrowing func read(into buffer: inout [UInt8]) -> Reading {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe Glibc.read(number, $0.baseAddress, $0.count)
      }
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      let code = errno
      if code == EAGAIN { return .nothing }
      if code != EINTR { return .failed(code) }
    }
  }

  /// Writes as many bytes as possible; returns nil if the pipe is full.
  package borrowing func write(_ bytes: UnsafeRawBufferPointer) -> Result<Int, FileError>? {
    while true {
      let count = unsafe Glibc.write(number, bytes.baseAddress, bytes.count)
      if count >= 0 { return .success(count) }
      let code = errno
      if code == EAGAIN { return nil }
      if code != EINTR { return .failure(FileError("write", path: "a pipe", code: code)) }
    }
  }

  package borrowing func makeNonblocking() {
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }
}

package enum DescriptorLimit {
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

  package static var current: Int {
    var limits = rlimit()
    return unsafe getrlimit(resource, &limits) == 0 ? Int(clamping: limits.rlim_cur) : 1024
  }

  package static func raise() -> Int {
    var limits = rlimit()
    if unsafe getrlimit(resource, &limits) == 0 {
      limits.rlim_cur = limits.rlim_max
      _ = unsafe setrlimit(resource, &limits)
    }
    return current
  }

  package static func checkTwoAreLeft() throws(FileError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw FileError("open", path: "a pipe", code: errno) }
    for end in ends { _ = Glibc.close(end) }
  }
}

package enum Terminal {
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  package static func width(_ descriptor: Int32) -> Int? {
    let columns = linux_terminal_width(descriptor)
    return columns > 0 ? Int(columns) : nil
  }
}
