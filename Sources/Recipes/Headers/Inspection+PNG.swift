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
        // How many there are said to be; after the data it would be too late to say so.
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

  /// Keeps what the decoder reads: the critical chunks and those few that change the colours.
  ///
  /// A colour chunk whose checksum is wrong is left out, as libpng does; so are the further
  /// frames of an animated PNG, whose own chunks are ancillary.
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
        if chunk.payload.count <= limits.compressedProfileBytes, try chunk.isIntact(in: bytes) {
          parts.keep(chunk.range)
        }
      default:
        if chunk.isCritical { parts.keep(chunk.range) }
      }
      if chunk.type == "IEND" { return parts }
    }
  }
}
