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

  func apply(to raster: inout Raster, on stage: Stage, masks: inout MaskCache) {
  }
}
