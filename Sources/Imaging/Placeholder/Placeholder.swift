import Recipes

extension Placeholder {
  /// Returns nil if the picture is fully transparent.
  ///
  /// `color` should exclude rings and shadows, which look the same in all pictures in a style.
  init?(of raster: Raster, color: Color? = nil) {
    let thumbnail = raster.thumbnail(limit: Self.side)
    guard let color = color ?? thumbnail.dominantColor else { return nil }
    self.init(thumbHash: ThumbHash.bytes(of: thumbnail), color: color)
  }

  static func color(of raster: Raster) -> Color? {
    raster.thumbnail(limit: side).dominantColor
  }

  private static let side = 32
}

extension Raster {
  /// The most frequent visible colour; nil if all pixels are transparent.
  ///
  /// Each pixel votes with its alpha for one of 4,096 bins of 16 × 16 × 16 values. The result is
  /// the alpha-weighted mean of the winning bin. In a tie, the bin with less red wins, then less
  /// green, then less blue.
  var dominantColor: Color? {
    let pixels = bytes.span
    var votes = [Int](repeating: 0, count: 4_096)
    func box(_ at: Int) -> Int {
      Int(pixels[at] >> 4) << 8 | Int(pixels[at &+ 1] >> 4) << 4 | Int(pixels[at &+ 2] >> 4)
    }
    for at in stride(from: 0, to: pixels.count, by: 4) {
      votes[box(at)] &+= Int(pixels[at &+ 3])
    }
    guard let most = votes.max(), most > 0, let winner = votes.firstIndex(of: most) else {
      return nil
    }
    var sums = [0, 0, 0]
    for at in stride(from: 0, to: pixels.count, by: 4) where box(at) == winner {
      for channel in 0..<3 { sums[channel] += Int(pixels[at + channel]) * Int(pixels[at + 3]) }
    }
    let mean = sums.map { UInt8(($0 + most / 2) / most) }
    return Color(red: mean[0], green: mean[1], blue: mean[2])
  }

  /// Returns a box-filtered copy of up to `limit` pixels per side, weighted by alpha.
  func thumbnail(limit: Int) -> Raster {
    let longer = max(size.width, size.height)
    guard longer > limit else { return self }
    func shrunk(_ side: Int) -> Int { max(1, (side * limit + longer / 2) / longer) }
    let small = PixelSize(width: shrunk(size.width), height: shrunk(size.height))
    let source = unsafe bytes.span.bytes
    let edges = (0...small.width).map { $0 * size.width / small.width }
    let columns = edges.span
    var result = [UInt8](repeating: 0, count: small.rasterBytes)
    var output = result.mutableSpan
    var totals = [SIMD4<UInt64>](repeating: .zero, count: small.width)
    for row in 0..<small.height {
      let rows = row &* size.height / small.height..<(row &+ 1) &* size.height / small.height
      for y in rows {
        for column in 0..<small.width {
          var at = (y &* size.width &+ columns[column]) &* 4
          let end = (y &* size.width &+ columns[column &+ 1]) &* 4
          var sum = SIMD4<Int32>.zero
          while at < end {
            // Safe: any bytes form valid pixels, and the offset is bounds-checked.
            let isPair = at &+ 8 <= end
            let pixels =
              unsafe isPair
              ? source.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self)
              : UInt64(source.unsafeLoadUnaligned(fromByteOffset: at, as: UInt32.self))
            sum &+= PixelPair.weighedByAlpha(pixels)
            at &+= isPair ? 8 : 4
          }
          totals[column] &+= SIMD4<UInt64>(truncatingIfNeeded: sum)
        }
      }
      for column in 0..<small.width {
        let total = totals[column]
        let weight = total.w
        let count = UInt64(rows.count &* (columns[column &+ 1] &- columns[column]))
        let start = (row &* small.width &+ column) &* 4
        for channel in 0..<3 where weight > 0 {
          output[start &+ channel] = UInt8((total[channel] &+ weight / 2) / weight)
        }
        output[start &+ 3] = UInt8((weight &+ count / 2) / count)
        totals[column] = .zero
      }
    }
    return Raster(size: small, bytes: result)
  }
}
