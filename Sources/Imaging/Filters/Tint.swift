/// Dyes the picture: its lightness, in the hue of a colour, as strongly as the colour is opaque.
package struct Tint: Codable, Hashable, Sendable {
  package var color: Color

  package init(color: Color) {
    self.color = color
  }

  func apply(to raster: inout Raster) {
  }
}
