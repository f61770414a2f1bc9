package import Bytes
package import Files
package import Foundation
import Glibc

/// The header of a message; a head (fields) and a payload (raw bytes) follow it.
package struct MessageHeader: Equatable, Sendable {
  package enum Kind: UInt8, Sendable {
    case setup = 1
    /// Sent once by the helper, with its sandbox layers; a picture worker adds its fingerprint.
    case hello
    /// Sent by the helper instead of `hello`, with the reason why ImageMagick cannot be trusted.
    case refusal
    case request
    case answer
    /// Sent by a picture worker instead of an answer, if it runs out of memory.
    case exhausted
    /// Sent by the network worker before the answer, with part of a response body.
    case piece
    /// Sent to the network worker if the answer is no longer needed.
    case cancel
  }

  package static let byteCount = 20
  private static let version: UInt8 = 1
  private static let magic: UInt32 = 0x4657_4753  // "SGWF"

  package var kind: Kind
  package var headCount: Int
  package var payloadCount: Int

  var bodyCount: Int { headCount + payloadCount }

  package init(_ kind: Kind, headCount: Int, payloadCount: Int) {
    self.kind = kind
    self.headCount = headCount
    self.payloadCount = payloadCount
  }

  /// Decodes a header; throws if the body would be longer than `limit`.
  package init(_ bytes: [UInt8], limit: Int) throws(ByteReader.Malformed) {
    var reader = ByteReader(bytes[...])
    guard try reader.read(UInt32.self) == Self.magic, try reader.read(UInt8.self) == Self.version,
      let kind = Kind(rawValue: try reader.read(UInt8.self)), try reader.read(UInt16.self) == 0,
      let headCount = Int(exactly: try reader.read(UInt32.self)), headCount <= limit,
      let payloadCount = Int(exactly: try reader.read(UInt64.self)),
      payloadCount <= limit - headCount, reader.isAtEnd
    else { throw ByteReader.Malformed() }
    self.init(kind, headCount: headCount, payloadCount: payloadCount)
  }

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(Self.magic)
    writer.write(Self.version)
    writer.write(kind.rawValue)
    writer.write(UInt16(0))
    writer.write(UInt32(clamping: headCount))
    writer.write(UInt64(clamping: payloadCount))
    return writer.bytes
  }
}

extension MessageHeader {
  /// Returns the message in pieces, or in one piece if it fits in a pipe, to save system calls.
  static func message(_ kind: Kind, head: [UInt8], payload: [Data]) -> [Data] {
    let header = MessageHeader(
      kind, headCount: head.count, payloadCount: payload.reduce(0) { $0 + $1.count })
    let pieces = [Data(header.bytes + head)] + payload
    return header.bodyCount <= 1 << 16 ? [Data(joining: pieces)] : pieces
  }
}

package struct IncomingMessage {
  private let limit: Int
  private var start: [UInt8] = []
  package private(set) var header: MessageHeader?
  private var body: [UInt8] = []

  package init(limit: Int) { self.limit = limit }

  package var isWhole: Bool { header?.bodyCount == body.count }
  package var head: ArraySlice<UInt8> { body.prefix(header?.headCount ?? 0) }
  package var payload: ArraySlice<UInt8> { body.dropFirst(header?.headCount ?? 0) }

  package mutating func take(_ bytes: inout ArraySlice<UInt8>) throws(ByteReader.Malformed) {
    let missing = MessageHeader.byteCount - start.count
    start.append(contentsOf: bytes.prefix(missing))
    bytes = bytes.dropFirst(missing)
    guard start.count == MessageHeader.byteCount else { return }
    if header == nil {
      let header = try MessageHeader(start, limit: limit)
      self.header = header
      // Allocate as bytes arrive, because the claimed length is untrusted.
      body.reserveCapacity(min(header.bodyCount, 1 << 20))
    }
    let rest = bytes.prefix((header?.bodyCount ?? 0) - body.count)
    body.append(contentsOf: rest)
    bytes = bytes.dropFirst(rest.count)
  }
}

package struct Wire: ~Copyable {
  package struct Closed: Error {}
  /// The error for running out of memory, as opposed to an invalid message.
  package struct OutOfMemory: Error { package init() {} }
  package typealias Message = (kind: MessageHeader.Kind, head: ArraySlice<UInt8>, payload: Data)

  package let input: Descriptor
  private let output: Descriptor
  /// Bytes read ahead, so that a small message needs only one system call.
  private var ahead: ArraySlice<UInt8> = []

  package var numbers: [Int32] { [input.number, output.number] }
  package var hasBytes: Bool { !ahead.isEmpty }

  /// Takes over stdin and stdout, so that a library's output cannot corrupt an answer.
  package init() throws(FileError) {
    let input = try Self.duplicate(STDIN_FILENO)
    let output = try Self.duplicate(STDOUT_FILENO)
    let nothing = Descriptor(adopting: unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
    guard nothing.number >= 0 else { throw FileError("open", path: "/dev/null", code: errno) }
    guard dup2(nothing.number, STDIN_FILENO) >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw FileError("use", path: "stdin and stdout", code: errno)
    }
    self.input = input
    self.output = output
  }

  private static func duplicate(_ number: Int32) throws(FileError) -> Descriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw FileError("use", path: "stdin and stdout", code: errno) }
    return Descriptor(adopting: copy)
  }

  /// Waits for a message; returns nil when the build closes the pipe.
  package mutating func read(limit: Int) throws -> Message? {
    if ahead.isEmpty {
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      guard case .bytes(let count) = input.read(into: &buffer) else { return nil }
      ahead = buffer[..<count]
    }
    let start = [UInt8](try readBytes(MessageHeader.byteCount))
    let header = try MessageHeader(start, limit: limit)
    let head = [UInt8](try readBytes(header.headCount))
    return (header.kind, head[...], try readBytes(header.payloadCount))
  }

  private mutating func readBytes(_ count: Int) throws -> Data {
    guard count > 0 else { return Data() }
    // A failed Swift allocation aborts the process; a failed `malloc` can be reported.
    guard let memory = unsafe malloc(count) else { throw OutOfMemory() }
    // `filled` never exceeds `count`, so all reads stay inside the buffer.
    var filled = min(count, ahead.count)
    unsafe ahead.withUnsafeBytes { bytes in
      if let first = bytes.baseAddress { unsafe memory.copyMemory(from: first, byteCount: filled) }
    }
    ahead = ahead.dropFirst(filled)
    while filled < count {
      let read = unsafe Glibc.read(input.number, memory + filled, count - filled)
      if read > 0 {
        filled += read
      } else if read == 0 || errno != EINTR {
        unsafe free(memory)
        throw Closed()
      }
    }
    // Create the `Data` last: a short `Data` copies the bytes and immediately frees the memory.
    return unsafe Data(bytesNoCopy: memory, count: count, deallocator: .free)
  }

  package func send(
    _ kind: MessageHeader.Kind, head: [UInt8], payload: [Data] = []
  ) throws(Closed) {
    for piece in MessageHeader.message(kind, head: head, payload: payload) {
      try send(bytes: piece)
    }
  }

  package func send(bytes: Data) throws(Closed) {
    var rest = bytes
    while !rest.isEmpty {
      guard case .success(let count)? = unsafe rest.withUnsafeBytes({ unsafe output.write($0) })
      else { throw Closed() }
      rest = rest.dropFirst(count)
    }
  }
}
