import Recipes

extension Placeholder {
  /// Of a finished picture; nil when nothing of it is visible.
  ///
  /// A ring or a shadow is one colour for all pictures of a style, so `color` is found before them;
  /// without one the finished picture decides. Both come from a copy of at most 32 pixels a side: a
  /// ThumbHash has no more than seven waves.
  init?(of raster: Raster, color: Color? = nil) {
    let thumbnail = raster.thumbnail(limit: Self.side)
    guard let color = color ?? thumbnail.dominantColor else { return nil }
    self.init(thumbHash: ThumbHash.bytes(of: thumbnail), color: color)
  }

  /// The dominant colour of a picture; nil when nothing of it is visible.
  static func color(of raster: Raster) -> Color? {
    raster.thumbnail(limit: side).dominantColor
  }

  private static let side = 32
}

extension Raster {
  /// The most frequent colour of the visible pixels; nil if there are none.
  ///
  /// Each pixel votes with its alpha for one of 4,096 boxes, 16 steps of red, green and blue each.
  /// The colour is the mean, weighted likewise, of the box with the most votes; of equal boxes the
  /// darker, by red before green before blue.
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

  /// A copy of at most `limit` pixels a side, each the mean of its source pixels, weighed by alpha.
  func thumbnail(limit: Int) -> Raster {
    let longer = max(size.width, size.height)
    guard longer > limit else { return self }
    func shrunk(_ side: Int) -> Int { max(1, (side * limit + longer / 2) / longer) }
    let small = PixelSize(width: shrunk(size.width), height: shrunk(size.height))
    let pixels = bytes.span
    let edges = (0...small.width).map { $0 * size.width / small.width }
    let columns = edges.span
    var result = [UInt8](repeating: 0, count: small.rasterBytes)
    var output = result.mutableSpan
    // Red, green, blue and alpha of each pixel of a row.
    var sums = [Int](repeating: 0, count: small.width * 4)
    var totals = sums.mutableSpan
    for row in 0..<small.height {
      let rows = row &* size.height / small.height..<(row &+ 1) &* size.height / small.height
      for y in rows {
        var at = y &* size.width &* 4
        for column in 0..<small.width {
          let end = (y &* size.width &+ columns[column &+ 1]) &* 4
          var (red, green, blue, weight) = (0, 0, 0, 0)
          while at < end {
            let alpha = Int(pixels[at &+ 3])
            red &+= Int(pixels[at]) &* alpha
            green &+= Int(pixels[at &+ 1]) &* alpha
            blue &+= Int(pixels[at &+ 2]) &* alpha
            weight &+= alpha
            at &+= 4
          }
          totals[column &* 4] &+= red
          totals[column &* 4 &+ 1] &+= green
          totals[column &* 4 &+ 2] &+= blue
          totals[column &* 4 &+ 3] &+= weight
        }
      }
      for column in 0..<small.width {
        let weight = totals[column &* 4 &+ 3]
        let count = rows.count &* (columns[column &+ 1] &- columns[column])
        let start = (row &* small.width &+ column) &* 4
        for channel in 0..<3 where weight > 0 {
          let mean = (totals[column &* 4 &+ channel] &+ weight / 2) / weight
          output[start &+ channel] = UInt8(mean)
        }
        output[start &+ 3] = UInt8((weight &+ count / 2) / count)
        for channel in 0..<4 { totals[column &* 4 &+ channel] = 0 }
      }
    }
    return Raster(size: small, bytes: result)
  }
}
