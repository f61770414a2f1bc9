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

  func read(_ count: Int) throws -> Data {
    let path = "a fetched body"
    var bytes = Data(count: count)
    let done = try unsafe bytes.withUnsafeMutableBytes { buffer in
      try unsafe descriptor.fill(buffer, from: 0, path: path)
    }
    guard done == count else { throw FileError("read", path: path, code: EIO) }
    return bytes
  }
}
