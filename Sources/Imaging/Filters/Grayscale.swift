/// Takes the colour away and keeps the lightness.
package struct Grayscale: Codable, Hashable, Sendable {
  package init() {}

  func apply(to raster: inout Raster) {
  }
}
