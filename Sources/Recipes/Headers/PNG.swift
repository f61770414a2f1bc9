import Bytes
import Foundation

extension Reading {
  /// Parses all chunks up to IEND; accepts a file that is truncated in or after its image data.
  ///
  /// Keeps critical chunks and, like libpng, colour chunks with a correct checksum. Drops further
  /// APNG frames, whose chunks are ancillary.
  init(png bytes: FileBytes, _ limits: InspectionLimits) throws(Rejection) {
    var walk = PNGWalk(bytes, limits)
    let header = try PNGHeader(&walk)
    parts = [0..<walk.position]
    var orientation: Int?
    var frames = 1
    var hasPalette = false
    var dataBytes = 0
    var dataIsOver = false
    var last: FourCC = "IHDR"
    var isCut = false

    while last != "IEND" {
      let chunk: Chunk
      do {
        chunk = try walk.next()
      } catch {
        let rest = walk.dataAtEnd()
        guard error.reason == .truncated, dataBytes + rest.count > 0,
          hasPalette || header.colorType != 3
        else { throw error }
        if !rest.isEmpty, !dataIsOver { ending = FourCC("IDAT").pngChunk(Array(bytes[rest].data)) }
        ending += FourCC("IEND").pngChunk([])
        try header.checkData(dataBytes + rest.count)
        isCut = true
        break
      }
      var isKept = chunk.isCritical
      if chunk.isCritical, try !walk.isIntact(chunk) {
        throw .corrupt("the PNG \(chunk.type.text) chunk has an incorrect checksum")
      }
      switch chunk.type {
      case "IDAT":
        guard !dataIsOver else { throw .corrupt("the PNG image data is not contiguous") }
        guard hasPalette || header.colorType != 3 else {
          throw .corrupt("the PNG palette is missing")
        }
        dataBytes += chunk.payload.count
      case "PLTE":
        guard !hasPalette, last != "IDAT", !dataIsOver,
          header.allowsPalette(ofBytes: chunk.payload.count)
        else { throw .corrupt("the PNG has an invalid palette") }
        hasPalette = true
      case "IEND":
        try header.checkData(dataBytes)
      case "acTL" where dataBytes == 0 && chunk.payload.count == 8:
        // acTL contains the number of APNG frames; it is ignored if it follows the image data.
        guard try walk.isIntact(chunk) else { break }
        frames = min(max(try bytes.big(4, at: chunk.payload.lowerBound), 1), limits.frames)
      case "eXIf" where orientation == nil:
        orientation = Inspection.orientation(inEXIF: bytes[chunk.payload])
      case "tRNS", "gAMA", "cHRM", "sRGB":
        if chunk.payload.count <= 1_024 { isKept = try walk.isIntact(chunk) }
        if isKept, chunk.type == "tRNS", header.depth == 8, changes.isEmpty,
          chunk.payload.count == [0: 2, 2: 6][header.colorType]
        {
          // Some programs repeat a value in its upper byte; keep the lower byte, as libpng does.
          var color = Array(bytes[chunk.payload].data)
          for index in stride(from: 0, to: color.count, by: 2) { color[index] = 0 }
          for (offset, byte) in chunk.type.pngChunk(color).enumerated() {
            changes[chunk.range.lowerBound + offset] = byte
          }
        }
      case "iCCP":
        if chunk.payload.count <= limits.compressedProfileBytes, try walk.isIntact(chunk) {
          isKept = walk.profileBytes(chunk) <= limits.profileBytes
        }
      default:
        guard !chunk.isCritical else {
          throw .corrupt("the PNG has an unknown critical chunk (\(chunk.type.text))")
        }
      }
      if isKept { parts.append(chunk.range) }
      if last == "IDAT", chunk.type != "IDAT" { dataIsOver = true }
      last = chunk.type
    }
    inspection = Inspection(
      format: .png, size: header.size, orientation: orientation ?? 1, frames: frames, isCut: isCut)
  }
}

private struct PNGHeader {
  let size: PixelSize
  let depth: Int
  let colorType: Int

  init(_ walk: inout PNGWalk) throws(Rejection) {
    let chunk = try walk.next()
    guard chunk.type != "CgBI" else {
      throw .unsupported(variant: "this PNG is optimized for iOS apps")
    }
    guard chunk.type == "IHDR", chunk.payload.count == 13 else {
      throw .corrupt("the PNG does not begin with its header")
    }
    guard try walk.isIntact(chunk) else {
      throw .corrupt("the PNG header has an incorrect checksum")
    }
    let header = walk.bytes[chunk.payload]
    size = try walk.limits.checked(
      width: try header.big(4, at: 0), height: try header.big(4, at: 4))
    depth = try header.byte(at: 8)
    colorType = try header.byte(at: 9)
    let isLegal =
      switch colorType {
      case 0: [1, 2, 4, 8, 16].contains(depth)
      case 3: [1, 2, 4, 8].contains(depth)
      case 2, 4, 6: [8, 16].contains(depth)
      default: false
      }
    guard isLegal else {
      throw .corrupt("the PNG colour type \(colorType) is invalid with \(depth) bits")
    }
    guard try header.big(2, at: 10) == 0, try header.byte(at: 12) <= 1 else {
      throw .corrupt("the PNG has an invalid compression or interlace method")
    }
  }

  func allowsPalette(ofBytes count: Int) -> Bool {
    colorType != 0 && colorType != 4 && count % 3 == 0 && (3...768).contains(count)
  }

  /// Throws if the data is too short for the picture; deflate expands data at most 1,032-fold.
  func checkData(_ count: Int) throws(Rejection) {
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1
    let raw = ((size.width * channels * depth + 7) / 8 + 1) * size.height
    let needed = raw / 1_032
    guard count > 0, count >= needed else {
      throw Rejection(
        .truncated,
        "the PNG data is truncated (\(count.grouped) of at least \(needed.grouped) bytes)")
    }
  }
}

/// An iterator over the chunks of a PNG, starting after the signature.
private struct PNGWalk {
  let bytes: FileBytes
  let limits: InspectionLimits
  private(set) var position = 8
  private var chunks = 0

  init(_ bytes: FileBytes, _ limits: InspectionLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  mutating func next() throws(Rejection) -> Chunk {
    let start = position
    let length = try bytes.big(4, at: start)
    let type = try bytes.code(at: start + 4)
    guard type.bytes.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }), length < 1 << 31 else {
      throw .corrupt("the PNG has stray bytes between chunks, at byte \(start.grouped)")
    }
    try bytes.require(length + 12, at: start)
    chunks += 1
    try limits.checkChunks(chunks, "the PNG", "chunks")
    position = start + length + 12
    return Chunk(type: type, range: start..<position, payload: start + 8..<position - 4)
  }

  func dataAtEnd() -> Range<Int> {
    let isData = bytes.has("IDAT".utf8, at: position + 4)
    let end = position + 8 + (isData ? (try? bytes.big(4, at: position)) ?? 0 : 0)
    return min(position + 8, bytes.count)..<min(end, bytes.count)
  }

  func isIntact(_ chunk: Chunk) throws(Rejection) -> Bool {
    let covered = bytes[chunk.range.lowerBound + 4..<chunk.payload.upperBound]
    return try Int(Deflate.crc32(of: covered.data.span))
      == bytes.big(4, at: chunk.payload.upperBound)
  }

  /// Returns the profile size that libpng would allocate for an iCCP chunk; 0 if it is invalid.
  func profileBytes(_ chunk: Chunk) -> Int {
    let payload = bytes[chunk.payload]
    // The payload begins with a name of up to 79 bytes, a zero byte, and the compression method.
    guard let end = (0..<min(80, payload.count)).first(where: { payload[$0] == 0 }),
      payload.count > end + 2
    else { return 0 }
    let compressed = payload[end + 2..<payload.count].data
    guard let head = try? Zlib.beginning(of: compressed.span, count: 4), head.count == 4
    else { return 0 }
    return head.reduce(0) { $0 << 8 | Int($1) }
  }
}

extension Chunk {
  fileprivate var isCritical: Bool { type.raw & 0x2000_0000 == 0 }
}

extension FourCC {
  package func pngChunk(_ payload: [UInt8]) -> [UInt8] {
    let covered = bytes + payload
    return BigEndian.bytes(payload.count) + covered
      + BigEndian.bytes(Deflate.crc32(of: covered.span))
  }
}
