/// Steps through the blocks of a GIF, from behind its screen and global palette.
struct GIFWalk {
  struct Block {
    enum Kind {
      case picture(Area)
      /// Transparency and delay of the next picture.
      case control
      case other
    }

    let kind: Kind
    let range: Range<Int>
  }

  struct Area {
    let left: Int
    let top: Int
    let width: Int
    let height: Int
  }

  private(set) var position = 13

  init(_ bytes: borrowing Bytes) throws(Rejection) {
    position += Self.paletteBytes(try bytes.byte(at: 10))
    try bytes.require(0, at: position)
  }

  /// Gives nil at the trailer, and throws `truncated` where the file ends before it.
  mutating func next(in bytes: borrowing Bytes) throws(Rejection) -> Block? {
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
      let area = Area(
        left: try bytes.little(2, at: start + 1), top: try bytes.little(2, at: start + 3),
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
  private mutating func skipPieces(in bytes: borrowing Bytes) throws(Rejection) {
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
