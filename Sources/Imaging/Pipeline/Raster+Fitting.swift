import Recipes

extension Raster {
  /// Scales a window of this picture to a size.
  func fitted(_ window: Window, to size: PixelSize) -> Raster {
    let whole = Window(
      x: 0, y: 0, width: Double(self.size.width), height: Double(self.size.height))
    if size == self.size, window == whole { return self }
    var resampler = Resampler(window: window, of: self.size, to: size)
    let columns = resampler.columnRange
    for row in resampler.rowRange {
      let start = row * self.size.width
      let range = (start + columns.lowerBound) * 4..<(start + columns.upperBound) * 4
      resampler.add(bytes.span.extracting(range))
    }
    return resampler.finish()
  }
}
