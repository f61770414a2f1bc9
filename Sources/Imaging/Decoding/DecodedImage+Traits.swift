import Magick
import Recipes

extension DecodedImage {
  func traits() throws(MagickError) -> PictureTraits {
    let side = PictureTraits.side
    return PictureTraits(of: try sampled(to: PixelSize(width: side, height: side)))
  }

  /// Returns a small upright copy without converting it to sRGB; to save time, reads only one source
  /// row per output row.
  func sampled(to target: PixelSize) throws(MagickError) -> Raster {
    let orientation = ExifOrientation(inspection.orientation)
    let (size, stored) = (pixels.size, orientation.stored(target))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(stored.rasterBytes)
    for row in 0..<stored.height {
      let y = (2 * row + 1) * size.height / (2 * stored.height)
      let line = try pixels.rgba(columns: 0..<size.width, rows: y..<y + 1)
      let values = unsafe line.span.bytes
      for column in 0..<stored.width {
        let start = column * size.width / stored.width
        let end = max(start + 1, (column + 1) * size.width / stored.width)
        var sum = SIMD4<Int32>.zero
        for pixel in start..<end {
          // Safe: any four bytes form a valid pixel, and the offset is bounds-checked.
          sum &+= PixelPair.weighedByAlpha(
            UInt64(unsafe values.unsafeLoadUnaligned(fromByteOffset: pixel &* 4, as: UInt32.self)))
        }
        // Composite on white, but keep the alpha.
        let whole = UInt32(end &- start) &* 255
        let weight = UInt32(sum.w)
        for channel in 0..<3 {
          bytes.append(UInt8((UInt32(sum[channel]) &+ (whole &- weight) &* 255) / whole))
        }
        bytes.append(UInt8(weight / UInt32(end &- start)))
      }
    }
    return orientation.upright(Raster(size: stored, bytes: bytes))
  }
}

extension PictureTraits {
  /// The number of cells per side, which must be divisible by both eight and nine.
  fileprivate static let side = 72

  fileprivate init(of cells: Raster) {
    let side = Self.side
    let pixels = cells.bytes.span
    let light = (0..<side * side).map { (pixel: Int) -> Int in
      let at = pixel &* 4
      return 54 &* Int(pixels[at]) &+ 183 &* Int(pixels[at &+ 1]) &+ 19 &* Int(pixels[at &+ 2])
    }
    let (means, isPlain) = Self.spread(of: cells)
    // A nearly uniform picture has too little detail for a fingerprint.
    self.init(
      rows: isPlain ? 0 : Self.falls { light[$1 * side + $0] },
      columns: isPlain ? 0 : Self.falls { light[$0 * side + $1] },
      mean: Color(red: means[0], green: means[1], blue: means[2]))
  }

  /// Returns a difference hash, in which a set bit means a noticeable drop in brightness.
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

  private static func spread(of cells: Raster) -> (means: [UInt8], isPlain: Bool) {
    let pixels = cells.bytes.span
    let count = pixels.count / 4
    var (sums, squares) = (SIMD4<Int>.zero, SIMD4<Int>.zero)
    for at in stride(from: 0, to: pixels.count, by: 4) {
      for channel in 0..<4 {
        let value = Int(pixels[at &+ channel])
        sums[channel] &+= value
        squares[channel] &+= value &* value
      }
    }
    // A picture is plain if the standard deviation of every channel is below 6.
    let variances = squares &* SIMD4(repeating: count) &- sums &* sums
    let isPlain = (0..<4).allSatisfy { variances[$0] < 36 * count * count }
    return ((0..<4).map { UInt8(sums[$0] / count) }, isPlain)
  }
}
