extension Reading {
  /// Parses a GIF, which may end early if its first picture is complete.
  ///
  /// Keeps the logical screen, the first picture with its control block, and a trailer.
  init(gif bytes: FileBytes, _ limits: InspectionLimits) throws(Rejection) {
    let screen = (width: try bytes.little(2, at: 6), height: try bytes.little(2, at: 8))
    var size: PixelSize?
    var frames = 0
    var walk = try GIFWalk(bytes)
    parts = [0..<walk.position]
    var control: [Range<Int>] = []
    var isCut = false
    func next() throws(Rejection) -> GIFWalk.Block? {
      do {
        return try walk.next()
      } catch {
        // Like browsers, treat stray bytes after a picture as the end of the file.
        guard frames > 0 else { throw error }
        isCut = error.reason == .truncated
        return nil
      }
    }
    while frames < limits.frames, let block = try next() {
      if size == nil, block.kind == .control { control = [block.range] }
      guard case .picture(let area) = block.kind else { continue }
      frames += 1
      guard size == nil else { continue }
      guard area.width > 0, area.height > 0 else {
        throw .corrupt("the first GIF frame is \(area.width) × \(area.height) pixels")
      }
      // Like browsers, enlarge a screen that is too small for the first frame.
      size = try limits.checked(
        width: max(screen.width, area.x + area.width),
        height: max(screen.height, area.y + area.height))
      parts += control + [block.range]
      // Add the trailer. If the file ends here, add a block terminator too, as it may be missing.
      ending = walk.position == bytes.count ? [0, 0x3B] : [0x3B]
    }
    guard let size else { throw .corrupt("the GIF does not contain a picture") }
    inspection = Inspection(format: .gif, size: size, frames: frames, isCut: isCut)
  }
}

/// An iterator over a GIF's blocks, starting after the screen and the global palette.
private struct GIFWalk {
  struct Block {
    enum Kind: Equatable {
      case picture(PixelFrame)
      case control
      case other
    }

    let kind: Kind
    let range: Range<Int>
  }

  private let bytes: FileBytes
  private(set) var position = 13

  init(_ bytes: FileBytes) throws(Rejection) {
    self.bytes = bytes
    position += Self.paletteBytes(try bytes.byte(at: 10))
    try bytes.require(0, at: position)
  }

  /// Returns the next block, or nil at the trailer; throws `truncated` if the file ends earlier.
  mutating func next() throws(Rejection) -> Block? {
    // Some writers add extra terminators after a block.
    while try bytes.byte(at: position) == 0 { position += 1 }
    let start = position
    switch try bytes.byte(at: start) {
    case 0x3B:
      return nil
    case 0x21:
      let label = try bytes.byte(at: start + 1)
      position = start + 2
      try skipPieces()
      return Block(kind: label == 0xF9 ? .control : .other, range: start..<position)
    case 0x2C:
      let area = PixelFrame(
        x: try bytes.little(2, at: start + 1), y: try bytes.little(2, at: start + 3),
        width: try bytes.little(2, at: start + 5), height: try bytes.little(2, at: start + 7))
      position = start + 10 + Self.paletteBytes(try bytes.byte(at: start + 9))
      guard (1...11).contains(try bytes.byte(at: position)) else {
        throw .corrupt("a GIF frame has an invalid code size")
      }
      position += 1
      let data = position
      try skipPieces(ofPicture: true)
      guard position > data + 1 else { throw .corrupt("a GIF frame is empty") }
      return Block(kind: .picture(area), range: start..<position)
    default:
      throw .corrupt("the GIF has stray bytes between blocks, at byte \(start.grouped)")
    }
  }

  /// Skips sub-blocks and their terminator, which may be missing if the file ends with a picture.
  private mutating func skipPieces(ofPicture isPicture: Bool = false) throws(Rejection) {
    repeat {
      let length = try bytes.byte(at: position)
      try bytes.require(length, at: position + 1)
      position += length + 1
      if length == 0 { return }
    } while !isPicture || position < bytes.count
  }

  private static func paletteBytes(_ flags: Int) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
  }
}
