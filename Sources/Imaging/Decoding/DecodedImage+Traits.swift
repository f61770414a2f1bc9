import Magick
import Recipes

extension DecodedImage {
  func traits() throws(MagickError) -> PictureTraits {
    PictureTraits(of: try cells())
  }

  /// Returns a small upright copy, stretched to a square.
  ///
  /// It reads one source row per output row, because a full pass takes as long as an image.
  private func cells() throws(MagickError) -> Raster {
    let (size, side) = (pixels.size, PictureTraits.side)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(side * side * 4)
    for row in 0..<side {
      let y = (2 * row + 1) * size.height / (2 * side)
      let line = try pixels.rgba(columns: 0..<size.width, rows: y..<y + 1)
      let values = line.span
      for column in 0..<side {
        let start = column * size.width / side
        let end = max(start + 1, (column + 1) * size.width / side)
        var (red, green, blue, weight) = (0, 0, 0, 0)
        for at in stride(from: start &* 4, to: end &* 4, by: 4) {
          let alpha = Int(values[at &+ 3])
          red &+= Int(values[at]) &* alpha
          green &+= Int(values[at &+ 1]) &* alpha
          blue &+= Int(values[at &+ 2]) &* alpha
          weight &+= alpha
        }
        // Composited on white; the alpha is kept.
        let whole = (end - start) * 255
        for sum in [red, green, blue] {
          bytes.append(UInt8((sum + (whole - weight) * 255) / whole))
        }
        bytes.append(UInt8(weight / (end - start)))
      }
    }
    return ExifOrientation(inspection.orientation).upright(
      Raster(size: PixelSize(width: side, height: side), bytes: bytes))
  }
}

extension PictureTraits {
  /// Cells per side, divisible by eight and by nine.
  fileprivate static let side = 72

  fileprivate init(of cells: Raster) {
    let side = Self.side
    let light = stride(from: 0, to: cells.bytes.count, by: 4).map { (at: Int) -> Int in
      let (red, green, blue) = (cells.bytes[at], cells.bytes[at + 1], cells.bytes[at + 2])
      return 54 * Int(red) + 183 * Int(green) + 19 * Int(blue)
    }
    let (means, isPlain) = Self.spread(of: cells)
    // A picture of nearly one colour has too little detail for a fingerprint.
    self.init(
      rows: isPlain ? 0 : Self.falls { light[$1 * side + $0] },
      columns: isPlain ? 0 : Self.falls { light[$0 * side + $1] },
      mean: Color(red: means[0], green: means[1], blue: means[2]))
  }

  /// Returns a difference hash: eight bands of nine parts, one bit for each pair of neighbours.
  ///
  /// A bit is set if brightness falls by more than the noise of a plain background.
  private static func falls(_ light: (_ along: Int, _ across: Int) -> Int) -> UInt64 {
    let (part, band) = (side / 9, side / 8)
    let margin = 2 * 256 * part * band
    var bits: UInt64 = 0
    for start in stride(from: 0, to: side, by: band) {
      var last = 0
      for step in 0..<9 {
        var sum = 0
        for across in start..<start + band {
          for along in step * part..<(step + 1) * part { sum += light(along, across) }
        }
        if step > 0 { bits = bits << 1 | (last > sum + margin ? 1 : 0) }
        last = sum
      }
    }
    return bits
  }

  /// Returns the mean of each channel, and whether the picture is nearly one colour.
  private static func spread(of cells: Raster) -> (means: [UInt8], isPlain: Bool) {
    let count = cells.bytes.count / 4
    var means: [UInt8] = []
    var isPlain = true
    for channel in 0..<4 {
      var (sum, squares) = (0, 0)
      for at in stride(from: channel, to: cells.bytes.count, by: 4) {
        let value = Int(cells.bytes[at])
        sum += value
        squares += value * value
      }
      means.append(UInt8(sum / count))
      // A standard deviation below 6.
      isPlain = isPlain && squares * count - sum * sum < 36 * count * count
    }
    return (means, isPlain)
  }
}
