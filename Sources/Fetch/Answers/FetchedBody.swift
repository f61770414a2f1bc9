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
  private var mayUseFile = true

  init(folder: String) { self.folder = folder }

  mutating func append(_ piece: ArraySlice<UInt8>) throws(FileError) {
    count += piece.count
    if file == nil, mayUseFile, count > Self.inMemory {
      file = Self.open(folder)
      // Only a folder that takes no file is a reason to stay in memory.
      if file == nil, [EMFILE, ENFILE].contains(errno) {
        throw FileError("open", path: folder, code: errno)
      }
      mayUseFile = file != nil
      try file?.write(unsafe bytes.span.bytes, path: folder)
      if file != nil { bytes = Data() }
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

  /// A file without a name; nil when the folder does not take one.
  private static func open(_ folder: String) -> Descriptor? {
    // A macro that Swift cannot read, the same on every architecture that Swift knows.
    let unnamed = 0o20_000_000 | O_DIRECTORY
    var number = unsafe Glibc.open(folder, unnamed | O_RDWR | O_CLOEXEC, 0o600)
    if number < 0 {
      let path = "\(folder)/fetched-\(getpid())-\(UInt64.random(in: 0 ... .max))"
      number = unsafe Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      if number >= 0 { _ = unsafe unlink(path) }
    }
    return number < 0 ? nil : Descriptor(adopting: number)
  }
}
