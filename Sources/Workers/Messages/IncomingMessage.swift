package import Bytes

/// A message as it arrives.
package struct IncomingMessage {
  private let limit: Int
  private var start: [UInt8] = []
  package private(set) var header: MessageHeader?
  private var body: [UInt8] = []

  package init(limit: Int) { self.limit = limit }

  package var isEmpty: Bool { start.isEmpty }
  package var isWhole: Bool { header?.bodyCount == body.count }
  package var head: ArraySlice<UInt8> { body.prefix(header?.headCount ?? 0) }
  package var payload: ArraySlice<UInt8> { body.dropFirst(header?.headCount ?? 0) }

  package mutating func append(_ bytes: ArraySlice<UInt8>) throws(ByteReader.Malformed) {
    let missing = MessageHeader.byteCount - start.count
    start.append(contentsOf: bytes.prefix(missing))
    guard start.count == MessageHeader.byteCount else { return }
    let header: MessageHeader
    if let known = self.header {
      header = known
    } else {
      header = try MessageHeader(start, limit: limit)
      self.header = header
      // Memory follows the bytes that come, not the length that they claim.
      body.reserveCapacity(min(header.bodyCount, 1 << 20))
    }
    let rest = bytes.dropFirst(missing)
    // A worker speaks only when asked: bytes after its answer are no answer.
    guard body.count + rest.count <= header.bodyCount else { throw ByteReader.Malformed() }
    body.append(contentsOf: rest)
  }
}
