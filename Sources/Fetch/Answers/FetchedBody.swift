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
  fileprivate init(_ file: consuming Descriptor, count: Int) {
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

/// Collects a body piece by piece: a small one in memory, a large one in a file.
struct BodySink: ~Copyable {
  /// A larger body goes to a file.
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
    let count = count
    if let file = file.take() { return FetchedBody(file, count: count) }
    return FetchedBody(bytes)
  }

  /// A file without a name: nothing of it is left when the process ends.
  private static func open(_ folder: String) throws(FileError) -> Descriptor {
    let path = "\(folder)/\(StagedFile.prefix)\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let number = unsafe Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw FileError("open", path: folder, code: errno) }
    _ = unsafe unlink(path)
    return Descriptor(adopting: number)
  }
}
