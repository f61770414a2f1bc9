import Recipes

extension Raster {
  /// A copy of at most `limit` pixels a side, each the mean of the pixels that it stands for.
  ///
  /// Every pixel counts once and by its alpha. A picture that is small enough stays as it is.
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
