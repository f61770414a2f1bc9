import Files
package import Foundation
import Glibc

/// A response body, in memory or in an unlinked temporary file.
package final class FetchedBody: Sendable {
  private let bytes: Data
  private let file: Descriptor?
  package let count: Int

  package convenience init(_ bytes: Data) { self.init(bytes, nil, count: bytes.count) }

  fileprivate init(_ bytes: Data, _ file: consuming Descriptor?, count: Int) {
    (self.bytes, self.count) = (bytes, count)
    self.file = file
  }

  package var isSpooled: Bool { file != nil }

  package func read() throws -> Data {
    if file == nil { return bytes }
    let path = "a fetched body"
    var bytes = Data(count: count)
    let done = try unsafe bytes.withUnsafeMutableBytes { buffer in
      try unsafe file?.fill(buffer, from: 0, path: path)
    }
    guard done == count else { throw FileError("read", path: path, code: EIO) }
    return bytes
  }
}

struct BodySink: ~Copyable {
  static let inMemory = 1 << 18

  private let folder: String
  private(set) var count = 0
  private var bytes = Data()
  private var file: Descriptor?

  init(folder: String) { self.folder = folder }

  mutating func append(_ piece: ArraySlice<UInt8>) throws(FileError) {
    count += piece.count
    if file == nil, count > Self.inMemory {
      file = try Self.open(folder)
      try file?.write(unsafe bytes.span.bytes, path: folder)
      bytes = Data()
    }
    if file == nil {
      bytes.append(contentsOf: piece)
    } else {
      try file?.write(unsafe piece.span.bytes, path: folder)
    }
  }

  consuming func finish() -> FetchedBody {
    FetchedBody(bytes, file.take(), count: count)
  }

  /// Creates an unlinked file, which the kernel deletes when it is closed or the process exits.
  private static func open(_ folder: String) throws(FileError) -> Descriptor {
    let path = "\(folder)/\(StagedFile.prefix)\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let number = unsafe Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw FileError("open", path: folder, code: errno) }
    _ = unsafe unlink(path)
    return Descriptor(adopting: number)
  }
}
