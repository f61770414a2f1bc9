/// Width and height of a raster, in pixels.
package struct PixelSize: Codable, Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package var shorterSide: Int { min(width, height) }
}

/// How a picture gets into its box.
package enum Fit: String, Codable, Hashable, Sendable, CaseIterable {
  /// Covers the box, the rest is cropped around the focus; small pictures are enlarged.
  case fill
  /// Wholly inside the box, centred on transparency.
  case contain
  /// Both sides scaled on their own.
  case stretch
}

/// The point of a picture that a crop keeps, as fractions of its upright width and height.
package struct Focus: Codable, Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package static let center = Focus(x: 0.5, y: 0.5)
}
