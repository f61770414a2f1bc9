import Recipes

/// The colours of a drawing that has at most 256 of them, alpha included.
struct Palette {
  /// Bytes from red to alpha, in the order of the file.
  let colors: [UInt32]
  /// The number of each pixel's colour, row by row.
  let indices: [UInt8]

  static let limit = 256

  /// Nil for a picture of more colours.
  ///
  /// A photo fails in its first few rows, one of grays when most of its pixels differ from the one
  /// before.
  ///
  /// Colours that are not opaque come first, since PNG lists alphas up to the last such colour; then
  /// by frequency, then by value, so that equal pictures have equal palettes.
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

  /// How often each colour occurs.
  private struct ColorCounts {
    private(set) var colors: [UInt32] = []
    private(set) var counts: [Int] = []
    private var numbers: [UInt32: Int] = [:]

    /// A palette of so few colours is worth it in any picture.
    private static let few = 16

    init?(of pixels: borrowing Span<UInt8>) {
      // How many pixels may differ from the one before; in a small picture all of them.
      let count = pixels.count / 4
      let most = count <= 4_096 ? count : count / 2
      var changes = 0
      var last: UInt32?
      var number = 0
      for at in stride(from: 0, to: pixels.count, by: 4) {
        let color = Self.color(of: pixels, at: at)
        if color != last {
          number = numbers[color] ?? colors.count
          if number == colors.count {
            guard number < Palette.limit else { return nil }
            colors.append(color)
            counts.append(0)
            numbers[color] = number
          }
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
          rank = ranks[numbers[color, default: 0]]
          last = color
        }
        indices.append(rank)
      }
      return indices
    }

    private static func color(of pixels: borrowing Span<UInt8>, at: Int) -> UInt32 {
      UInt32(pixels[at]) << 24 | UInt32(pixels[at &+ 1]) << 16 | UInt32(pixels[at &+ 2]) << 8
        | UInt32(pixels[at &+ 3])
    }
  }

  /// Each row behind a 0 for "unfiltered": indices say nothing about their neighbours' values.
  func rows(size: PixelSize, depth: Int) -> [UInt8] {
    let rowBytes = (size.width * depth + 7) / 8
    var rows = [UInt8](repeating: 0, count: (rowBytes + 1) * size.height)
    var packed = rows.mutableSpan
    let indices = indices.span
    var index = 0
    for y in 0..<size.height {
      var at = y &* (rowBytes &+ 1)
      // Free bits of the byte; the first pixel begins a byte.
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
