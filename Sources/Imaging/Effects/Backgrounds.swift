import Recipes

extension Overlay {
  /// Lays the fill over what is inside the outline, transparent parts too.
  ///
  /// With coverage c of the outline, α of the paint, and a = p·c the alpha of a picture that has
  /// alpha p inside, (α + (1 − α)·p)·c is a·(1 − α) of the picture and c·α of the paint: an opaque
  /// picture keeps its edge as it was.
  func apply(to raster: inout Raster, on stage: Stage, masks: inout MaskCache) {
    let outline = masks.mask(stage)
    let shade = Shade(fill, over: stage.area())
    let width = stage.canvas.width
    var pixels = raster.bytes.mutableSpan
    let coverage = outline.coverage.span
    for y in 0..<stage.canvas.height {
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
}
