/// The IHDR chunk.
struct PNGHeader {
  let size: PixelSize
  let depth: Int
  let colorType: Int

  init(
    _ chunk: PNGWalk.Chunk, in bytes: borrowing FileBytes, limits: InspectionLimits
  ) throws(Rejection) {
    guard chunk.type != "CgBI" else {
      throw .unsupported(variant: "this PNG was rewritten for iOS apps")
    }
    guard chunk.type == "IHDR", chunk.payload.count == 13 else {
      throw .corrupt("the PNG does not begin with its header")
    }
    guard try chunk.isIntact(in: bytes) else {
      throw .corrupt("the checksum of the PNG's header is wrong")
    }
    let start = chunk.payload.lowerBound
    size = try limits.checked(
      width: try bytes.big(4, at: start), height: try bytes.big(4, at: start + 4))
    depth = try bytes.byte(at: start + 8)
    colorType = try bytes.byte(at: start + 9)
    let isLegal =
      switch colorType {
      case 0: [1, 2, 4, 8, 16].contains(depth)
      case 3: [1, 2, 4, 8].contains(depth)
      case 2, 4, 6: [8, 16].contains(depth)
      default: false
      }
    guard isLegal else {
      throw .corrupt("the PNG states an impossible colour type \(colorType) with \(depth) bits")
    }
    let interlace = try bytes.byte(at: start + 12)
    guard try bytes.big(2, at: start + 10) == 0, interlace <= 1 else {
      throw .corrupt("the PNG states an impossible compression or interlacing")
    }
  }

  func allowsPalette(ofBytes count: Int) -> Bool {
    colorType != 0 && colorType != 4 && count % 3 == 0 && (3...768).contains(count)
  }

  /// Refuses data that cannot hold the picture: deflate expands at most 1,032 times.
  func checkData(_ count: Int) throws(Rejection) {
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1
    let raw = ((size.width * channels * depth + 7) / 8 + 1) * size.height
    let needed = raw / 1_032
    guard count > 0, count >= needed else {
      throw Rejection(
        .truncated,
        "the PNG's data breaks off (\(count.grouped) of at least \(needed.grouped) bytes)")
    }
  }
}

/// Steps through the chunks of a PNG, from behind its signature.
struct PNGWalk {
  struct Chunk {
    let type: FourCC
    /// With length, type and checksum.
    let range: Range<Int>

    var payload: Range<Int> { range.lowerBound + 8..<range.upperBound - 4 }

    /// Whether a decoder that does not know the chunk must give up.
    var isCritical: Bool { type.raw & 0x2000_0000 == 0 }

    func isIntact(in bytes: borrowing FileBytes) throws(Rejection) -> Bool {
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

  mutating func next(in bytes: borrowing FileBytes) throws(Rejection) -> Chunk {
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
