package import Files
package import Foundation
import Glibc

/// A helper process's ends of its two pipes.
package struct Wire: ~Copyable {
  /// The build is gone.
  package struct Closed: Error {}
  /// The message needs more memory than there is, which says nothing about what is in it.
  package struct OutOfMemory: Error { package init() {} }
  package typealias Message = (kind: MessageHeader.Kind, head: ArraySlice<UInt8>, payload: Data)

  package let input: Descriptor
  private let output: Descriptor
  /// Bytes that came with the ones before: a small message takes one call.
  private var ahead: ArraySlice<UInt8> = []

  package var numbers: [Int32] { [input.number, output.number] }
  /// Whether `read` has bytes without waiting.
  package var hasBytes: Bool { !ahead.isEmpty }

  /// Takes stdin and stdout away from the rest of this process.
  ///
  /// A library that reads stdin finds nothing, and one that prints does not garble an answer.
  package init() throws(SystemFailure) {
    let input = try Self.duplicate(STDIN_FILENO)
    let output = try Self.duplicate(STDOUT_FILENO)
    let nothing = Descriptor(adopting: unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
    guard nothing.number >= 0 else { throw SystemFailure(call: "open /dev/null", code: errno) }
    guard dup2(nothing.number, STDIN_FILENO) >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw SystemFailure(call: "dup2", code: errno)
    }
    self.input = input
    self.output = output
  }

  private static func duplicate(_ number: Int32) throws(SystemFailure) -> Descriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw SystemFailure(call: "fcntl", code: errno) }
    return Descriptor(adopting: copy)
  }

  // MARK: - Reading

  /// Waits for a message; nil when the build wants nothing more.
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

  /// Exactly `count` bytes.
  private mutating func readBytes(_ count: Int) throws -> Data {
    guard count > 0 else { return Data() }
    // Swift's own allocations end the process when there is no memory; this one can be answered.
    guard let memory = unsafe malloc(count) else { throw OutOfMemory() }
    // `filled` never exceeds `count`, so all that is read is in the memory.
    var filled = min(count, ahead.count)
    unsafe ahead.withUnsafeBytes { bytes in
      if let first = bytes.baseAddress {
        unsafe memory.copyMemory(from: first, byteCount: filled)
      }
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
    // After the reads, since a short Data copies its bytes and frees the memory at once.
    return unsafe Data(bytesNoCopy: memory, count: count, deallocator: .free)
  }

  // MARK: - Sending

  /// Waits while the build does not read.
  package func send(
    _ kind: MessageHeader.Kind, head: [UInt8], payload: [Data] = []
  ) throws(Closed) {
    let payloadCount = payload.reduce(0) { $0 + $1.count }
    let header = MessageHeader(kind, headCount: head.count, payloadCount: payloadCount)
    let start = Data(header.bytes + head)
    // What a pipe holds goes in one piece.
    guard start.count + payloadCount > 1 << 16 else {
      return try send(bytes: payload.reduce(start, +))
    }
    try send(bytes: start)
    for piece in payload { try send(bytes: piece) }
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
