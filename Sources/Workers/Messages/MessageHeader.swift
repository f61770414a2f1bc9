package import Bytes

/// The first bytes of everything that travels over the pipes of a helper process.
///
/// A message is this header, a head of fields, and a payload of raw bytes (a source, or images one
/// after the other), so that pictures are never copied into or out of a text format.
package struct MessageHeader: Equatable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// To the helper, once: the limits that it shall set.
    case setup = 1
    /// From the helper, once: the layers of its sandbox, and for pictures its fingerprint.
    case hello
    /// From the helper instead of hello: what cannot be trusted here.
    case refusal
    case request
    case answer
    /// From a picture worker instead of an answer: the job needs more memory than there is.
    case exhausted
    /// From the network worker: a part of a body whose answer is still to come.
    case piece
    /// To the network worker: the answer is no longer wanted.
    case cancel
  }

  package static let byteCount = 20
  /// Of the header alone; `Version` is that of the programs.
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

  /// Reads a header, and refuses one whose body would be longer than `limit`.
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

/// A message that is arriving.
package struct IncomingMessage {
  private let limit: Int
  private var start: [UInt8] = []
  package private(set) var header: MessageHeader?
  private var body: [UInt8] = []

  package init(limit: Int) { self.limit = limit }

  package var isWhole: Bool { header?.bodyCount == body.count }
  package var head: ArraySlice<UInt8> { body.prefix(header?.headCount ?? 0) }
  package var payload: ArraySlice<UInt8> { body.dropFirst(header?.headCount ?? 0) }

  /// Takes the bytes that belong to the message, and leaves the others.
  package mutating func take(_ bytes: inout ArraySlice<UInt8>) throws(ByteReader.Malformed) {
    let missing = MessageHeader.byteCount - start.count
    start.append(contentsOf: bytes.prefix(missing))
    bytes = bytes.dropFirst(missing)
    guard start.count == MessageHeader.byteCount else { return }
    if header == nil {
      let header = try MessageHeader(start, limit: limit)
      self.header = header
      // Memory follows the bytes that come, not the length that they claim.
      body.reserveCapacity(min(header.bodyCount, 1 << 20))
    }
    let rest = bytes.prefix((header?.bodyCount ?? 0) - body.count)
    body.append(contentsOf: rest)
    bytes = bytes.dropFirst(rest.count)
  }
}
