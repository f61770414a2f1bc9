import Files
import Foundation
import Glibc

/// Collects a body piece by piece: a small one in memory, a large one in a file.
struct BodySink: ~Copyable {
  /// A larger body goes to a file.
  static let inMemory = 1 << 18

  private let folder: String
  private(set) var count = 0
  private var bytes = Data()
  private var file: Descriptor?
  /// The folder takes no file, so everything stays in memory.
  private var hasNoSpool = false

  init(folder: String) {
    self.folder = folder
  }

  /// Makes room for a body of known length.
  mutating func expect(_ count: Int) {
    if count <= BodySink.inMemory { bytes.reserveCapacity(count) }
  }

  mutating func append(_ piece: UnsafeRawBufferPointer) throws(FileError) {
    count += piece.count
    if file == nil, count > BodySink.inMemory, !hasNoSpool {
      file = BodySink.open(folder)
      hasNoSpool = file == nil
      try file?.write(unsafe bytes.span.bytes, path: folder)
      if file != nil { bytes = Data() }
    }
    if file == nil {
      unsafe bytes.append(contentsOf: piece)
    } else {
      try file?.write(unsafe piece.bytes, path: folder)
    }
  }

  consuming func finish() -> FetchedBody {
    let count = count
    if let file = file.take() { return FetchedBody(file, count: count) }
    return FetchedBody(bytes)
  }

  // MARK: - The file

  /// A file without a name; nil when the folder does not take one.
  ///
  /// The corresponding C functions are `open(O_TMPFILE)`, and `unlink` for file systems that do
  /// not know it.
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
