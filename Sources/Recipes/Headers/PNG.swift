import Bytes

extension Inspection {
  /// Walks every chunk up to IEND, and checks those that a decoder must read.
  init(png bytes: borrowing FileBytes, limits: InspectionLimits) throws(Rejection) {
    var walk = PNGWalk(limits)
    let header = try PNGHeader(try walk.next(in: bytes), in: bytes, limits: limits)
    var orientation: Int?
    var frames = 1
    var hasPalette = false
    var dataBytes = 0
    var dataIsOver = false
    var previous: FourCC = "IHDR"

    while true {
      let chunk = try walk.next(in: bytes)
      if chunk.isCritical, try !chunk.isIntact(in: bytes) {
        throw .corrupt("the checksum of the PNG's \(chunk.type.text) chunk is wrong")
      }
      switch chunk.type {
      case "IDAT":
        guard !dataIsOver else { throw .corrupt("the PNG's picture data is interrupted") }
        guard hasPalette || header.colorType != 3 else {
          throw .corrupt("the PNG lacks its palette")
        }
        dataBytes += chunk.payload.count
      case "PLTE":
        guard !hasPalette, previous != "IDAT", !dataIsOver,
          header.allowsPalette(ofBytes: chunk.payload.count)
        else { throw .corrupt("the PNG has an impossible palette") }
        hasPalette = true
      case "IEND":
        try header.checkData(dataBytes)
        self.init(
          format: .png, size: header.size, orientation: orientation ?? 1, frames: frames)
        return
      case "acTL" where dataBytes == 0 && chunk.payload.count == 8:
        // The stated number of frames; behind the data this chunk does not count.
        guard try chunk.isIntact(in: bytes) else { break }
        frames = min(max(try bytes.big(4, at: chunk.payload.lowerBound), 1), limits.frames)
      case "eXIf" where orientation == nil:
        orientation = Self.orientation(inEXIF: bytes.extracting(chunk.payload))
      default:
        guard !chunk.isCritical else {
          throw .corrupt("the PNG has an unknown critical chunk (\(chunk.type.text))")
        }
      }
      if previous == "IDAT", chunk.type != "IDAT" { dataIsOver = true }
      previous = chunk.type
    }
  }

  /// Keeps what the decoder reads: the critical chunks and those that change the colours.
  ///
  /// Drops colour chunks with a wrong checksum, as libpng does, and the further frames of an animated
  /// PNG, whose chunks are ancillary.
  static func essentialParts(
    ofPNG bytes: borrowing FileBytes, limits: InspectionLimits
  ) throws(Rejection) -> EssentialParts {
    var parts = EssentialParts()
    parts.keep(0..<8)
    var walk = PNGWalk(limits)
    while true {
      let chunk = try walk.next(in: bytes)
      switch chunk.type {
      case "tRNS", "gAMA", "cHRM", "sRGB":
        if chunk.payload.count <= 1_024, try chunk.isIntact(in: bytes) { parts.keep(chunk.range) }
      case "iCCP":
        if chunk.payload.count <= limits.compressedProfileBytes, try chunk.isIntact(in: bytes),
          chunk.profileBytes(in: bytes) <= limits.profileBytes
        {
          parts.keep(chunk.range)
        }
      default:
        if chunk.isCritical { parts.keep(chunk.range) }
      }
      if chunk.type == "IEND" { return parts }
    }
  }
}

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

/// Steps through the chunks of a PNG that follow its signature.
struct PNGWalk {
  struct Chunk {
    let type: FourCC
    /// With length, type and checksum.
    let range: Range<Int>

    var payload: Range<Int> { range.lowerBound + 8..<range.upperBound - 4 }

    /// Whether a decoder must refuse the file if it does not know the chunk.
    var isCritical: Bool { type.raw & 0x2000_0000 == 0 }

    func isIntact(in bytes: borrowing FileBytes) throws(Rejection) -> Bool {
      let covered = bytes.extracting(range.lowerBound + 4..<range.upperBound - 4)
      return try Int(Deflate.crc32(of: covered)) == bytes.big(4, at: range.upperBound - 4)
    }

    /// The size that the profile in an iCCP chunk states; 0 when it states none.
    ///
    /// libpng takes so much memory before it has seen more of the profile.
    func profileBytes(in bytes: borrowing FileBytes) -> Int {
      let payload = bytes.extracting(payload)
      // A name of at most 79 bytes, a zero, and the number of the compression.
      guard let end = (0..<min(80, payload.count)).first(where: { payload[$0] == 0 }),
        payload.count > end + 2,
        let head = try? Zlib.beginning(of: payload.extracting((end + 2)...), count: 4),
        head.count == 4
      else { return 0 }
      return head.reduce(0) { $0 << 8 | Int($1) }
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
    try limits.checkChunks(chunks, "the PNG", "chunks")
    let chunk = Chunk(type: type, range: position..<position + length + 12)
    position = chunk.range.upperBound
    return chunk
  }
}
