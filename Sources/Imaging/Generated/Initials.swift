/// Letters on a plain ground.
package struct Initials: Codable, Hashable, Sendable {
  /// One or two grapheme clusters.
  package var text: String
  package var ink: Color
  package var ground: Color
  /// Digests of the fonts to try, in this order, by which `Supplies` knows them.
  package var fonts: [String]

  package init(text: String, ink: Color, ground: Color, fonts: [String]) {
    self.text = text
    self.ink = ink
    self.ground = ground
    self.fonts = fonts
  }

  func raster(size: PixelSize, supplies: Supplies) throws(Rejection) -> Raster {
    Raster(size: size, filledWith: ground)
  }
}
