/// Steps through the chunks of a PNG, from behind its signature.
struct PNGWalk {
  struct Chunk {
    let type: FourCC
    /// With length, type and checksum.
    let range: Range<Int>

    var payload: Range<Int> { range.lowerBound + 8..<range.upperBound - 4 }

    /// Whether a decoder that does not know the chunk must give up.
    var isCritical: Bool { type.raw & 0x2000_0000 == 0 }

    func isIntact(in bytes: borrowing Bytes) throws(Rejection) -> Bool {
      let covered = bytes.extracting(range.lowerBound + 4..<range.upperBound - 4)
      return try CRC32.checksum(of: covered) == bytes.big(4, at: range.upperBound - 4)
    }
  }

  private var position = 8
  private var chunks = 0
  private let limits: InspectionLimits

  init(_ limits: InspectionLimits) {
    self.limits = limits
  }

  mutating func next(in bytes: borrowing Bytes) throws(Rejection) -> Chunk {
    let length = try bytes.big(4, at: position)
    let type = try bytes.code(at: position + 4)
    guard type.bytes.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }), length < 1 << 31 else {
      throw .corrupt("the PNG has bytes between its chunks, at \(position.grouped)")
    }
    try bytes.require(length + 12, at: position)
    chunks += 1
    guard chunks <= limits.chunks else {
      throw Rejection(.tooManyChunks, "the PNG has more than \(limits.chunks.grouped) chunks")
    }
    let chunk = Chunk(type: type, range: position..<position + length + 12)
    position = chunk.range.upperBound
    return chunk
  }
}
