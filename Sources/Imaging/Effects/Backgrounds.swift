import Recipes

extension Raster {
  /// Composites a fill over everything inside the outline, including transparent pixels.
  ///
  /// Let c be the coverage, α the paint's alpha and p the picture's alpha. A clipped pixel has the
  /// alpha a = p·c. The result (α + (1 − α)·p)·c consists of a·(1 − α) picture and c·α paint, so
  /// the edge of an opaque picture does not change.
  mutating func overlay(_ fill: Fill, on layout: CanvasLayout, masks: MaskCache) {
    let outline = masks.mask(layout)
    let shade = FillPainter(fill, over: layout.area())
    let width = layout.canvas.width
    var pixels = bytes.mutableSpan
    let coverage = outline.coverage.span
    for y in 0..<layout.canvas.height {
      for x in 0..<width {
        let index = y &* width &+ x
        let covered = Int(coverage[index])
        guard covered > 0 else { continue }
        let paint = shade.paint(x, y)
        let alpha = Int(pixels[index &* 4 &+ 3])
        paint.mix(
          into: &pixels, at: index &* 4, keeping: alpha &* (255 &- paint.alpha),
          adding: covered &* paint.alpha)
      }
    }
  }

  /// Fills the part of the outline that is not covered by the picture: coverage − alpha.
  mutating func underlay(_ color: Color, on layout: CanvasLayout, masks: MaskCache) {
    let outline = masks.mask(layout)
    let paint = Paint(color)
    var pixels = bytes.mutableSpan
    let coverage = outline.coverage.span
    for index in coverage.indices {
      let pixel = index &* 4
      let alpha = Int(pixels[pixel + 3])
      let free = Int(coverage[index]) - alpha
      guard free > 0 else { continue }
      paint.mix(into: &pixels, at: pixel, keeping: alpha &* 255, adding: free &* paint.alpha)
    }
  }

  /// Composites the picture on a colour, because JPEG would show transparent pixels as black.
  mutating func flatten(on color: Color) {
    let backdrop = [Int(color.red), Int(color.green), Int(color.blue)]
    var pixels = bytes.mutableSpan
    for pixel in stride(from: 0, to: pixels.count, by: 4) where pixels[pixel + 3] != 255 {
      let alpha = Int(pixels[pixel &+ 3])
      for channel in 0..<3 {
        let value = Int(pixels[pixel &+ channel]) &* alpha &+ backdrop[channel] &* (255 &- alpha)
        pixels[pixel &+ channel] = UInt8((value &+ 127) / 255)
      }
      pixels[pixel &+ 3] = 255
    }
  }
}
