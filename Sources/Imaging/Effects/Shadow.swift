/// A blurred silhouette behind the picture.
///
/// It comes from the geometry, not from the picture's alpha: opaque and transparent pictures cast
/// the same shadow. All lengths are pixels.
package struct Shadow: Codable, Hashable, Sendable {
  package var color: Color
  /// The standard deviation of the blur.
  package var radius: Double
  package var x: Double
  package var y: Double
  /// How far the edge of the silhouette lies outside the outline (a ring, and the spread).
  package var outset: Double

  package init(color: Color, radius: Double, x: Double, y: Double, outset: Double) {
    self.color = color
    self.radius = radius
    self.x = x
    self.y = y
    self.outset = outset
  }

  /// Pixels below which a radius does nothing: the blur ends at three deviations, and so sees no
  /// neighbour.
  package static let smallestRadius = 1.0 / 3

  /// Paints the shadow behind everything that is there already.
  ///
  /// Whatever of it falls off the canvas is lost. A part of a pixel in the offset moves the
  /// silhouette itself, which is drawn exactly wherever it lies.
  func apply(to raster: inout Raster, on stage: Stage, masks: inout MaskCache) {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let room = Int(max(outset, 0).rounded(.up)) + 1
    let silhouette = masks.mask(
      Figure(
        stage.outline, of: stage.box, inset: -outset,
        on: PixelSize(width: stage.box.width + 2 * room, height: stage.box.height + 2 * room),
        x: room, y: room, dx: x - left, dy: y - top))
    let shade = Penumbra(sigma: radius).shade(
      of: silhouette, on: stage.canvas, x: stage.x - room + Int(left),
      y: stage.y - room + Int(top))
    let paint = Paint(color)
    var pixels = raster.bytes.mutableSpan
    for (index, density) in shade.enumerated() where density > 0 {
      let pixel = index &* 4
      let alpha = Int(pixels[pixel &+ 3])
      guard alpha < 255 else { continue }
      paint.mix(
        into: &pixels, at: pixel, keeping: alpha &* 255 &* Penumbra.full,
        adding: (255 &- alpha) &* paint.alpha &* Int(density), scale: 255 &* Penumbra.full)
    }
  }
}
