import Bytes
import Files
import Foundation
import Glibc

/// The worker's ends of its two pipes.
struct Wire: ~Copyable {
  /// The build is gone.
  struct Closed: Error {}

  private let input: Descriptor
  private let output: Descriptor

  /// Takes stdin and stdout away from the rest of this process.
  ///
  /// A coder that reads `-` finds nothing, and a library that prints does not garble an answer.
  static func takingStandardStreams() throws -> Wire {
    let input = try duplicate(STDIN_FILENO)
    let output = try duplicate(STDOUT_FILENO)
    let nothing = Descriptor(adopting: unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
    guard dup2(nothing.number, STDIN_FILENO) >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw SystemFailure(call: "dup2", code: errno)
    }
    return Wire(input: input, output: output)
  }

  private static func duplicate(_ number: Int32) throws(SystemFailure) -> Descriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw SystemFailure(call: "fcntl", code: errno) }
    return Descriptor(adopting: copy)
  }

  func readSetup() throws -> Setup {
    guard let header = try readHeader(limit: WorkerLimits.setupBytes), header.kind == .setup else {
      throw ByteReader.Malformed()
    }
    let head = [UInt8](try readBytes(header.headCount))
    return try Setup(head: head[...], payload: try readBytes(header.payloadCount))
  }

  /// Nil when the build wants nothing more.
  func readJob(_ reader: RequestReader, limit: Int) throws -> RequestReader.Job? {
    guard let header = try readHeader(limit: limit) else { return nil }
    guard header.kind == .request else { throw ByteReader.Malformed() }
    let head = [UInt8](try readBytes(header.headCount))
    return try reader.job(head: head[...], payload: try readBytes(header.payloadCount))
  }

  func send(_ kind: MessageHeader.Kind, head: [UInt8], payload: [Data] = []) throws(Closed) {
    let payloadCount = payload.reduce(0) { $0 + $1.count }
    let header = MessageHeader(kind, headCount: head.count, payloadCount: payloadCount)
    try send(bytes: Data(header.bytes + head))
    for piece in payload { try send(bytes: piece) }
  }

  func send(bytes: Data) throws(Closed) {
    var rest = bytes
    while !rest.isEmpty {
      guard case .success(let count)? = unsafe rest.withUnsafeBytes({ unsafe output.write($0) })
      else { throw Closed() }
      rest = rest.dropFirst(count)
    }
  }

  private func readHeader(limit: Int) throws -> MessageHeader? {
    let bytes = try readBytes(MessageHeader.byteCount, mayEnd: true)
    return bytes.isEmpty ? nil : try MessageHeader([UInt8](bytes), limit: limit)
  }

  /// Exactly `count` bytes, or none at the end of the stream if it `mayEnd` here.
  private func readBytes(_ count: Int, mayEnd: Bool = false) throws -> Data {
    guard count > 0 else { return Data() }
    // Swift's own allocations end the process when there is no memory; this one can be answered.
    guard let memory = unsafe malloc(count) else { throw OutOfMemory() }
    var filled = 0
    // `filled` never exceeds `count`, so all that is read lies in the memory.
    while filled < count {
      let read = unsafe Glibc.read(input.number, memory + filled, count - filled)
      if read > 0 {
        filled += read
      } else if read == 0 || errno != EINTR {
        unsafe free(memory)
        if filled == 0 && mayEnd { return Data() }
        throw Closed()
      }
    }
    // After the reads, since a short Data copies its bytes and frees the memory at once.
    return unsafe Data(bytesNoCopy: memory, count: count, deallocator: .free)
  }
}
