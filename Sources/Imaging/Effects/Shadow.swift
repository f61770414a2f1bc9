import Recipes

extension Shadow {
  /// Paints the shadow behind everything that is there already.
  ///
  /// Whatever of it falls off the canvas is lost. A part of a pixel in the offset moves the
  /// silhouette itself, which is drawn exactly wherever it lies.
  func apply(to raster: inout Raster, on layout: CanvasLayout, masks: MaskCache) {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let room = Int(max(outset, 0).rounded(.up)) + 1
    let silhouette = masks.mask(
      PlacedOutline(
        layout.outline, of: layout.box, inset: -outset,
        on: PixelSize(width: layout.box.width + 2 * room, height: layout.box.height + 2 * room),
        x: room, y: room, dx: x - left, dy: y - top))
    let shade = ShadowBlur(sigma: radius).shade(
      of: silhouette, on: layout.canvas, x: layout.x - room + Int(left),
      y: layout.y - room + Int(top))
    let paint = Paint(color)
    var pixels = raster.bytes.mutableSpan
    for (index, density) in shade.enumerated() where density > 0 {
      let pixel = index &* 4
      let alpha = Int(pixels[pixel &+ 3])
      guard alpha < 255 else { continue }
      paint.mix(
        into: &pixels, at: pixel, keeping: alpha &* 255 &* ShadowBlur.full,
        adding: (255 &- alpha) &* paint.alpha &* Int(density), scale: 255 &* ShadowBlur.full)
    }
  }
}
