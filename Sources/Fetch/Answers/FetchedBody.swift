import Files
package import Foundation
import Glibc

/// The body of an answer: in memory, or, a large one, in a file without a name.
package struct FetchedBody: Sendable {
  private enum Storage: Sendable {
    case memory(Data)
    case file(SpooledFile)
  }

  private let storage: Storage
  package let count: Int

  package init(_ bytes: Data) {
    storage = .memory(bytes)
    count = bytes.count
  }

  /// The file has no name, so it goes with the last copy of this value.
  init(_ file: consuming Descriptor, count: Int) {
    storage = .file(SpooledFile(file))
    self.count = count
  }

  package var isSpooled: Bool {
    if case .file = storage { true } else { false }
  }

  package func read() throws -> Data {
    switch storage {
    case .memory(let bytes): bytes
    case .file(let file): try file.read(count)
    }
  }
}

private final class SpooledFile: Sendable {
  private let descriptor: Descriptor

  init(_ descriptor: consuming Descriptor) {
    self.descriptor = descriptor
  }

  /// Threads may read at the same time.
  ///
  /// The corresponding C function is `pread`.
  func read(_ count: Int) throws(FileError) -> Data {
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
