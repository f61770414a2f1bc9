import CLinux
import Glibc

/// Owns one open file descriptor.
struct Descriptor: ~Copyable {
  let number: Int32

  init(owning number: Int32) { self.number = number }

  deinit { _ = Glibc.close(number) }

  /// What one `read` brought.
  enum Reading {
    case bytes(Int)
    case end
    /// Nothing yet (only of a descriptor that does not block).
    case nothing
    case failed(Int32)
  }

  /// Reads once, into the front of `buffer`.
  borrowing func read(into buffer: inout [UInt8]) -> Reading {
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

  /// Writes once, from the front of `bytes`; nil when the pipe is full.
  borrowing func write(_ bytes: UnsafeRawBufferPointer) -> Result<Int, Broken>? {
    while true {
      let count = unsafe Glibc.write(number, bytes.baseAddress, bytes.count)
      if count >= 0 { return .success(count) }
      let code = errno
      if code == EAGAIN { return nil }
      if code != EINTR { return .failure(Broken(code: code)) }
    }
  }

  /// The other side does not read any more.
  struct Broken: Error { let code: Int32 }

  borrowing func makeNonblocking() {
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }
}

/// Both ends of a pipe, closed on exec and never 0, 1 or 2.
struct Pipe: ~Copyable {
  /// Holds many portraits whole, so that a request costs few switches between the processes.
  private static let byteCount: Int32 = 1 << 20

  /// `F_SETPIPE_SZ`, which Swift's Glibc hides.
  private static let setSize: Int32 = 1_031

  let reading: Descriptor
  let writing: Descriptor

  init() throws(SystemFailure) {
    var ends: [Int32] = [-1, -1]
    guard unsafe linux_pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemFailure("pipe2", errno) }
    reading = Descriptor(owning: Self.aboveStandardStreams(ends[0]))
    writing = Descriptor(owning: Self.aboveStandardStreams(ends[1]))
    // Beyond a user's share of pipe memory this fails, and costs only time.
    _ = fcntl(writing.number, Self.setSize, Self.byteCount)
  }

  /// In a process started without stdin or stdout a pipe gets their numbers, over which a child's
  /// streams are then laid.
  private static func aboveStandardStreams(_ number: Int32) -> Int32 {
    guard number <= 2 else { return number }
    let moved = fcntl(number, F_DUPFD_CLOEXEC, 3)
    _ = close(number)
    return moved
  }
}

/// A system call that failed, with its error number.
struct SystemFailure: Error {
  let call: String
  let code: Int32

  init(_ call: String, _ code: Int32) {
    self.call = call
    self.code = code
  }

  var text: String { "\(call): \(unsafe String(cString: strerror(code)))" }
}
