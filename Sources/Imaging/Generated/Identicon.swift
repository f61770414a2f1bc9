import Recipes

extension Identicon {
  /// The pattern's size relative to the shorter side: below 1 / √2, so that it fits in a circle.
  private static let room = 0.7

  /// Returns a picture; a pixel that overlaps several cells mixes their colours by area.
  func raster(size: PixelSize) -> Raster {
    guard let ground = colors.first, side > 0, cells.count == side * side else {
      return Raster(size: size, filledWith: Color(red: 0, green: 0, blue: 0, alpha: 0))
    }
    var raster = Raster(size: size, filledWith: ground)
    let pattern = Double(size.shorterSide) * Self.room
    let columns = parts(of: size.width, pattern: pattern)
    let rows = parts(of: size.height, pattern: pattern)
    let palette = colors.map { color in
      let alpha = Double(color.alpha)
      return SIMD4(Double(color.red), Double(color.green), Double(color.blue), 1) * alpha
    }
    var pixels = raster.bytes.mutableSpan
    for row in 0..<size.height where !rows[row].isEmpty {
      for column in 0..<size.width where !columns[column].isEmpty {
        var rest = 1.0
        var sum = SIMD4<Double>.zero
        for vertical in rows[row] {
          for horizontal in columns[column] {
            let area = vertical.length * horizontal.length
            let index = Int(cells[vertical.cell * side + horizontal.cell])
            sum += palette[min(index, palette.count - 1)] * area
            rest -= area
          }
        }
        sum += palette[0] * max(rest, 0)
        let at = (row * size.width + column) * 4
        for channel in 0..<3 where sum.w > 0 {
          pixels[at + channel] = UInt8(min((sum[channel] / sum.w).rounded(), 255))
        }
        pixels[at + 3] = UInt8(min(sum.w.rounded(), 255))
      }
    }
    return raster
  }

  private func parts(of length: Int, pattern: Double) -> [[(cell: Int, length: Double)]] {
    let start = (Double(length) - pattern) / 2
    let cell = pattern / Double(side)
    return (0..<length).map { pixel in
      let before = (Double(pixel) - start) / cell
      let after = (Double(pixel + 1) - start) / cell
      let first = max(0, Int(before.rounded(.down)))
      let last = min(side, Int(after.rounded(.up)))
      guard first < last else { return [] }
      return (first..<last).compactMap { index in
        let overlap = min(after, Double(index + 1)) - max(before, Double(index))
        return overlap > 0 ? (index, overlap * cell) : nil
      }
    }
  }
}
