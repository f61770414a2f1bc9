import Files
import Foundation
import Glibc

/// A finished file without a name, which is gone when nobody holds it any more.
final class SpooledFile: Sendable {
  private let descriptor: Descriptor
  let count: Int

  init(_ descriptor: consuming Descriptor, count: Int) {
    self.descriptor = descriptor
    self.count = count
  }

  /// All of it; threads may read at the same time.
  ///
  /// The corresponding C function is `pread`.
  func read() throws(FileError) -> Data {
    var bytes = Data(count: count)
    var done = 0
    while done < count {
      // The rest of the buffer is inside it, since `done` is less than its count.
      let read = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        return unsafe pread(descriptor.number, rest.baseAddress, rest.count, off_t(done))
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else {
        throw FileError("read", path: "a fetched body", code: read < 0 ? errno : EIO)
      }
      done += read
    }
    return bytes
  }
}
