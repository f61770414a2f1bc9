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
        guard others <= limits.chunks else {
          throw Rejection(.tooManyChunks, "the WebP has more than \(limits.chunks.grouped) chunks")
        }
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
