import Recipes

/// The palette of a picture with up to 256 colours, including alpha.
struct Palette {
  /// The colours in file order, as RGBA with red in the highest byte.
  let colors: [UInt32]
  let indices: [UInt8]

  static let limit = 256

  /// Returns nil if the picture has too many colours, or if neighbouring pixels differ too often.
  ///
  /// Translucent colours come first, because `tRNS` lists the alpha of every colour up to the last
  /// translucent one. Both groups are sorted by frequency and then by value, so that identical
  /// pictures have the same palette.
  init?(of raster: Raster) {
    let pixels = raster.bytes.span
    guard let counted = ColorCounts(of: pixels) else { return nil }
    let order = counted.colors.indices.sorted { first, second in
      func rank(_ number: Int) -> (Int, Int, UInt32) {
        let color = counted.colors[number]
        return (color & 255 == 255 ? 1 : 0, -counted.counts[number], color)
      }
      return rank(first) < rank(second)
    }
    var ranks = [UInt8](repeating: 0, count: order.count)
    for (rank, number) in order.enumerated() { ranks[number] = UInt8(rank) }
    colors = order.map { counted.colors[$0] }
    indices = counted.indices(of: pixels, as: ranks)
  }

  private struct ColorCounts {
    private(set) var colors: [UInt32] = []
    private(set) var counts: [Int] = []
    /// A hash table of colour numbers, which start at 1; 0 marks an empty slot.
    private var slots = [UInt16](repeating: 0, count: 1 << 10)

    /// The number of colours up to which a palette is worthwhile for any picture.
    private static let few = 16

    init?(of pixels: borrowing Span<UInt8>) {
      // A small picture may change colour at each pixel; a larger one, at up to half of its pixels.
      let count = pixels.count / 4
      let most = count <= 4_096 ? count : count / 2
      var changes = 0
      var last: UInt32?
      var number = 0
      for at in stride(from: 0, to: pixels.count, by: 4) {
        let color = Self.color(of: pixels, at: at)
        if color != last {
          let slot = slot(of: color)
          if slots[slot] == 0 {
            guard colors.count < Palette.limit else { return nil }
            colors.append(color)
            counts.append(0)
            slots[slot] = UInt16(colors.count)
          }
          number = Int(slots[slot]) &- 1
          changes &+= 1
          guard changes <= most || colors.count <= Self.few else { return nil }
          last = color
        }
        counts[number] &+= 1
      }
    }

    func indices(of pixels: borrowing Span<UInt8>, as ranks: [UInt8]) -> [UInt8] {
      var indices: [UInt8] = []
      indices.reserveCapacity(pixels.count / 4)
      var last: UInt32?
      var rank: UInt8 = 0
      for at in stride(from: 0, to: pixels.count, by: 4) {
        let color = Self.color(of: pixels, at: at)
        if color != last {
          rank = ranks[Int(slots[slot(of: color)]) - 1]
          last = color
        }
        indices.append(rank)
      }
      return indices
    }

    private func slot(of color: UInt32) -> Int {
      var slot = Int((color &* 0x9E37_79B1) &>> 22)
      while slots[slot] > 0, colors[Int(slots[slot]) &- 1] != color {
        slot = (slot &+ 1) % slots.count
      }
      return slot
    }

    private static func color(of pixels: borrowing Span<UInt8>, at: Int) -> UInt32 {
      // Safe: any four bytes form a valid colour, and the offset is bounds-checked.
      let color = unsafe pixels.bytes.unsafeLoadUnaligned(fromByteOffset: at, as: UInt32.self)
      return UInt32(bigEndian: color)
    }
  }

  /// Packs the rows with filter type 0, because neighbouring indices are not correlated.
  func rows(size: PixelSize, depth: Int) -> [UInt8] {
    let rowBytes = (size.width * depth + 7) / 8
    var rows = [UInt8](repeating: 0, count: (rowBytes + 1) * size.height)
    var packed = rows.mutableSpan
    let indices = indices.span
    var index = 0
    for y in 0..<size.height {
      var at = y &* (rowBytes &+ 1)
      var free = 0
      for _ in 0..<size.width {
        if free == 0 {
          at &+= 1
          free = 8
        }
        free &-= depth
        packed[at] |= indices[index] &<< UInt8(free)
        index &+= 1
      }
    }
    return rows
  }
}
