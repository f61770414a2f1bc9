extension Inspection {
  /// Walks the blocks up to the trailer; the logical screen counts, not only the frames.
  init(gif bytes: borrowing FileBytes, limits: InspectionLimits) throws(Rejection) {
    let screen = (width: try bytes.little(2, at: 6), height: try bytes.little(2, at: 8))
    var size: PixelSize?
    var frames = 0
    var walk = try GIFWalk(bytes)
    while frames < limits.frames, let block = try walk.next(in: bytes) {
      guard case .picture(let area) = block.kind else { continue }
      frames += 1
      guard size == nil else { continue }
      guard area.width > 0, area.height > 0 else {
        throw .corrupt("the GIF's first frame has \(area.width) × \(area.height) pixels")
      }
      // A screen that is too small grows with the first frame, as in browsers.
      size = try limits.checked(
        width: max(screen.width, area.x + area.width),
        height: max(screen.height, area.y + area.height))
    }
    guard let size else { throw .corrupt("the GIF holds no picture") }
    self.init(format: .gif, size: size, frames: frames)
  }

  /// Keeps the screen, the first picture with its own control block, and a trailer.
  static func essentialParts(ofGIF bytes: borrowing FileBytes) throws(Rejection) -> EssentialParts {
    var parts = EssentialParts()
    var walk = try GIFWalk(bytes)
    parts.keep(0..<walk.position)
    var control: Range<Int>?
    while let block = try walk.next(in: bytes) {
      switch block.kind {
      case .control:
        control = block.range
      case .other:
        continue
      case .picture:
        if let control { parts.keep(control) }
        parts.keep(block.range)
        if bytes.has([0x3B], at: walk.position) {
          parts.keep(walk.position..<walk.position + 1)
        } else {
          parts.write([0x3B])
        }
        return parts
      }
    }
    return parts
  }
}

/// Steps through the blocks of a GIF, from behind its screen and global palette.
struct GIFWalk {
  struct Block {
    enum Kind {
      case picture(PixelFrame)
      /// Transparency and delay of the next picture.
      case control
      case other
    }

    let kind: Kind
    let range: Range<Int>
  }

  private(set) var position = 13

  init(_ bytes: borrowing FileBytes) throws(Rejection) {
    position += Self.paletteBytes(try bytes.byte(at: 10))
    try bytes.require(0, at: position)
  }

  /// Gives nil at the trailer, and throws `truncated` where the file ends before it.
  mutating func next(in bytes: borrowing FileBytes) throws(Rejection) -> Block? {
    // Some writers put more than one terminator behind a block.
    while try bytes.byte(at: position) == 0 { position += 1 }
    let start = position
    switch try bytes.byte(at: start) {
    case 0x3B:
      return nil
    case 0x21:
      let label = try bytes.byte(at: start + 1)
      position = start + 2
      try skipPieces(in: bytes)
      return Block(kind: label == 0xF9 ? .control : .other, range: start..<position)
    case 0x2C:
      let area = PixelFrame(
        x: try bytes.little(2, at: start + 1), y: try bytes.little(2, at: start + 3),
        width: try bytes.little(2, at: start + 5), height: try bytes.little(2, at: start + 7))
      position = start + 10 + Self.paletteBytes(try bytes.byte(at: start + 9))
      guard (1...11).contains(try bytes.byte(at: position)) else {
        throw .corrupt("a GIF frame states an impossible code size")
      }
      position += 1
      let data = position
      try skipPieces(in: bytes)
      guard position > data + 1 else { throw .corrupt("a GIF frame has no data") }
      return Block(kind: .picture(area), range: start..<position)
    default:
      throw .corrupt("the GIF has bytes between its blocks, at \(start.grouped)")
    }
  }

  /// Steps over pieces of up to 255 bytes and the empty one that ends them.
  private mutating func skipPieces(in bytes: borrowing FileBytes) throws(Rejection) {
    while true {
      let length = try bytes.byte(at: position)
      try bytes.require(length, at: position + 1)
      position += length + 1
      if length == 0 { return }
    }
  }

  private static func paletteBytes(_ flags: Int) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
  }
}
