import Glibc

extension Descriptor {
  /// What one `read` brought.
  package enum Reading {
    case bytes(Int)
    case end
    /// Nothing yet (only of a descriptor that does not block).
    case nothing
    case failed(Int32)
  }

  /// Reads once, into the front of `buffer`.
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

  /// Writes once, from the front of `bytes`; nil when the pipe is full.
  package borrowing func write(_ bytes: UnsafeRawBufferPointer) -> Result<Int, Broken>? {
    while true {
      let count = unsafe Glibc.write(number, bytes.baseAddress, bytes.count)
      if count >= 0 { return .success(count) }
      let code = errno
      if code == EAGAIN { return nil }
      if code != EINTR { return .failure(Broken(code: code)) }
    }
  }

  /// The other side does not read any more.
  package struct Broken: Error { package let code: Int32 }

  package borrowing func makeNonblocking() {
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }
}

/// A system call that failed, with its error number.
package struct SystemFailure: Error {
  package let call: String
  package let code: Int32

  package init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  package var text: String { "\(call): \(unsafe String(cString: strerror(code)))" }
}
