/// A Gaussian blur; the edge pixels of the box go on for ever.
package struct Blur: Codable, Hashable, Sendable {
  /// The standard deviation in pixels, above 0.
  package var radius: Double

  package init(radius: Double) {
    self.radius = radius
  }

  func apply(to raster: inout Raster) {
  }
}
