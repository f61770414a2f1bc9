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

  /// Calls `body` with the number, and keeps the file open until it returns.
  @discardableResult
  borrowing func with<Result: ~Copyable>(
    _ body: (Int32) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    try body(number)
  }

  /// Closes now, since some file systems report a failed write only here.
  ///
  /// Never tried again: after a failure the descriptor is gone all the same.
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
