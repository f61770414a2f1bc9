/// A dot or a badge picture, in a hole that is cut around it.
package struct Decoration: Codable, Hashable, Sendable {
  package enum Content: Codable, Hashable, Sendable {
    /// A disc.
    case dot(Color)
    /// The digest of a picture, by which `Supplies` knows it, and what its inspection said.
    case picture(String, Inspection)
  }

  package var content: Content
  /// The middle, in pixels from the left and top edge of the box.
  package var x: Double
  package var y: Double
  /// Of the disc, or of the square that a picture fits into; pixels.
  package var diameter: Double
  /// Width of the ring around it that is cut out of everything; pixels.
  package var gap: Double

  package init(content: Content, x: Double, y: Double, diameter: Double, gap: Double) {
    self.content = content
    self.x = x
    self.y = y
    self.diameter = diameter
    self.gap = gap
  }

  func apply(to raster: inout Raster, on stage: Stage, supplies: Supplies) throws(Rejection) {
  }
}
