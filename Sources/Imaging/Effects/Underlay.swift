import Recipes

extension Underlay {
  /// Fills what the picture leaves free of the outline: coverage − alpha.
  func apply(to raster: inout Raster, on stage: Stage, masks: inout MaskCache) {
    let outline = masks.mask(stage)
    let paint = Paint(color)
    var pixels = raster.bytes.mutableSpan
    let coverage = outline.coverage.span
    for index in coverage.indices {
      let pixel = index &* 4
      let alpha = Int(pixels[pixel + 3])
      let free = Int(coverage[index]) - alpha
      guard free > 0 else { continue }
      paint.mix(into: &pixels, at: pixel, keeping: alpha &* 255, adding: free &* paint.alpha)
    }
  }
}
