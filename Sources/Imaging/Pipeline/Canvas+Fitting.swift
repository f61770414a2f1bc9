import Magick

extension Canvas {
  /// Pixels that are exported at a time: small enough to stay in a cache.
  private static let band = 32

  /// Scales, crops and turns upright a canvas that lies as its file stores it.
  ///
  /// Turning comes last, since it commutes with the others and moves the fewest pixels then. A
  /// reduced decode rounds its size up; the window is exact.
  borrowing func fitted(
    _ placement: Placement, of inspection: Inspection, reduction: Int
  ) throws(MagickError) -> Raster {
    let turn = Turn(orientation: inspection.orientation)
    let window = turn.stored(placement.window, of: inspection.uprightSize)
    let scale = 1 / Double(reduction)
    let raster = try fitted(
      window.scaled(scale, scale), to: turn.stored(placement.drawn))
    return turn.upright(raster)
  }

  /// Scales a window of this canvas to a size.
  borrowing func fitted(_ window: Window, to size: PixelSize) throws(MagickError) -> Raster {
    var resampler = Resampler(
      window: window, of: PixelSize(width: width, height: height), to: size)
    let rows = resampler.rowRange
    let columns = resampler.columnRange
    for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.band) {
      let pixels = try rgba(
        columns: columns, rows: start..<min(start + Self.band, rows.upperBound))
      resampler.add(pixels.span)
    }
    return resampler.finish()
  }
}

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
