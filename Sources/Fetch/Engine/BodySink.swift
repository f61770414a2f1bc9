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

  /// - Parameter folder: Where a large body goes.
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
      if let number = file?.number {
        try unsafe bytes.span.bytes.withUnsafeBytes { (buffer) throws(FileError) in
          try unsafe BodySink.write(buffer, to: number, folder)
        }
        bytes = Data()
      }
    }
    if let number = file?.number {
      try unsafe BodySink.write(piece, to: number, folder)
    } else {
      unsafe bytes.append(contentsOf: piece)
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

  /// The corresponding C function is `write`.
  private static func write(
    _ buffer: UnsafeRawBufferPointer, to number: Int32, _ folder: String
  ) throws(FileError) {
    var done = 0
    while done < buffer.count {
      // The rest of the buffer is inside it, since `done` is less than its count.
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
      let count = unsafe Glibc.write(number, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileError("write", path: folder, code: count < 0 ? errno : EIO) }
      done += count
    }
  }
}
