extension Inspection {
  /// Walks the RIFF chunks; the file must be as long as its header says.
  init(webp bytes: borrowing FileBytes, limits: InspectionLimits) throws(Rejection) {
    var walk = try WebPWalk(bytes)
    guard let first = try walk.next(in: bytes) else { throw .corrupt("the WebP holds no picture") }
    guard first.type == "VP8X" else {
      let size = try limits.checked(WebPWalk.codedSize(first, in: bytes))
      self.init(format: .webp, size: size)
      return
    }

    guard first.payload.count >= 10 else { throw .corrupt("the WebP's header is too short") }
    let start = first.payload.lowerBound
    let isAnimated = try bytes.byte(at: start) & 2 != 0
    let canvas = try limits.checked(
      width: try bytes.little(3, at: start + 4) + 1, height: try bytes.little(3, at: start + 7) + 1)
    var orientation: Int?
    var frames = 0
    var others = 0
    while frames < limits.frames, let chunk = try walk.next(in: bytes) {
      switch chunk.type {
      case "ANMF" where isAnimated:
        if frames == 0 { try WebPWalk.checkFrame(chunk, canvas: canvas, in: bytes) }
        frames += 1
      case "VP8 " where !isAnimated && frames == 0, "VP8L" where !isAnimated && frames == 0:
        let size = try WebPWalk.codedSize(chunk, in: bytes)
        guard size.width == canvas.width, size.height == canvas.height else {
          throw .corrupt("the WebP states two different sizes")
        }
        frames = 1
      case "EXIF" where orientation == nil:
        orientation = Self.orientation(inEXIF: bytes.extracting(chunk.payload))
      default:
        others += 1
        try limits.checkChunks(others, "the WebP", "chunks")
      }
    }
    guard frames > 0 else { throw .corrupt("the WebP holds no picture") }
    self.init(format: .webp, size: canvas, orientation: orientation ?? 1, frames: frames)
  }

  /// Keeps canvas, profile and the first picture; a file without a VP8X chunk is kept whole.
  static func essentialParts(
    ofWebP bytes: borrowing FileBytes, limits: InspectionLimits
  ) throws(Rejection) -> EssentialParts {
    var walk = try WebPWalk(bytes)
    var parts = EssentialParts()
    guard let first = try walk.next(in: bytes), first.type == "VP8X" else {
      parts.keep(0..<walk.end)
      return parts
    }

    var hasPicture = false
    var kept: [Range<Int>] = []
    // The flags change only for what is left out: 4 is XMP, 8 is EXIF, 32 the profile.
    var flags = try bytes.byte(at: first.payload.lowerBound)
    let isAnimated = flags & 2 != 0
    let oldFlags = flags
    flags &= ~12
    while !hasPicture, let chunk = try walk.next(in: bytes) {
      switch chunk.type {
      case "ICCP":
        if chunk.payload.count <= limits.profileBytes {
          kept.append(chunk.range)
        } else {
          flags &= ~32
        }
      case "ANIM", "ALPH":
        kept.append(chunk.range)
      case "ANMF" where isAnimated, "VP8 " where !isAnimated, "VP8L" where !isAnimated:
        kept.append(chunk.range)
        hasPicture = true
      default:
        continue
      }
    }
    let count = kept.reduce(first.range.upperBound) { $0 + $1.count }
    if count == bytes.count, flags == oldFlags {
      parts.keep(0..<count)
      return parts
    }
    parts.write(Array("RIFF".utf8))
    parts.write([0, 8, 16, 24].map { UInt8(truncatingIfNeeded: (count - 8) >> $0) })
    parts.keep(8..<first.payload.lowerBound)
    parts.write([UInt8(flags)])
    parts.keep(first.payload.lowerBound + 1..<first.range.upperBound)
    for range in kept { parts.keep(range) }
    return parts
  }
}

extension InspectionLimits {
  fileprivate func checked(_ size: PixelSize) throws(Rejection) -> PixelSize {
    try checked(width: size.width, height: size.height)
  }
}

/// Steps through the chunks of a WebP, or of one frame in it.
struct WebPWalk {
  struct Chunk {
    let type: FourCC
    let payload: Range<Int>
    /// With type, length and padding.
    let range: Range<Int>
  }

  private var position: Int
  /// Where the chunks end; what follows in the file is not part of the picture.
  let end: Int

  /// The chunks of the file.
  init(_ bytes: borrowing FileBytes) throws(Rejection) {
    let length = try bytes.little(4, at: 4)
    guard length >= 12 else { throw .corrupt("the WebP states a length of \(length) bytes") }
    guard bytes.count - 8 >= length else { throw .truncated(bytes.count, of: length + 8) }
    position = 12
    end = length + 8
  }

  /// The chunks of a frame.
  private init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  mutating func next(in bytes: borrowing FileBytes) throws(Rejection) -> Chunk? {
    guard end - position >= 8 else { return nil }
    let type = try bytes.code(at: position)
    let length = try bytes.little(4, at: position + 4)
    let start = position + 8
    guard length <= end - start else {
      throw .corrupt("the WebP's \(type.text) chunk is longer than the file")
    }
    // Some writers leave out the padding of the last chunk.
    let next = min(start + length + length % 2, end)
    defer { position = next }
    return Chunk(type: type, payload: start..<start + length, range: position..<next)
  }

  /// The size in the compressed data itself.
  static func codedSize(
    _ chunk: Chunk, in bytes: borrowing FileBytes
  ) throws(Rejection) -> PixelSize {
    let data = bytes.extracting(chunk.payload)
    switch chunk.type {
    case "VP8 ":
      let tag = try data.little(3, at: 0)
      guard tag & 1 == 0, data.has([0x9D, 0x01, 0x2A], at: 3) else {
        throw .corrupt("the WebP's picture does not begin with a key frame")
      }
      // The tag also states the length of the first partition.
      try data.require(10 + tag >> 5, at: 0)
      let width = try data.little(2, at: 6) & 0x3FFF
      let height = try data.little(2, at: 8) & 0x3FFF
      return PixelSize(width: width, height: height)
    case "VP8L":
      let bits = try data.little(4, at: 1)
      guard data.has([0x2F]), bits >> 29 == 0, data.count > 5 else {
        throw .corrupt("the WebP's lossless picture has an unknown version")
      }
      return PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    default:
      throw .corrupt("the WebP begins with an unknown chunk (\(chunk.type.text))")
    }
  }

  /// Makes sure that a frame lies on the canvas and holds a picture of its own size.
  static func checkFrame(
    _ chunk: Chunk, canvas: PixelSize, in bytes: borrowing FileBytes
  ) throws(Rejection) {
    let start = chunk.payload.lowerBound
    guard chunk.payload.count >= 16 else { throw .corrupt("a WebP frame is too short") }
    let left = try bytes.little(3, at: start) * 2
    let top = try bytes.little(3, at: start + 3) * 2
    let width = try bytes.little(3, at: start + 6) + 1
    let height = try bytes.little(3, at: start + 9) + 1
    guard left + width <= canvas.width, top + height <= canvas.height else {
      throw .corrupt("a WebP frame lies outside the canvas")
    }
    var walk = WebPWalk(start + 16..<chunk.payload.upperBound)
    while let part = try walk.next(in: bytes) {
      guard part.type == "VP8 " || part.type == "VP8L" else { continue }
      let size = try codedSize(part, in: bytes)
      guard size.width == width, size.height == height else {
        throw .corrupt("a WebP frame states two different sizes")
      }
      return
    }
    throw .corrupt("a WebP frame holds no picture")
  }
}
