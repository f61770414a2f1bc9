/// A picture that is drawn from a description, in any size.
package enum Generated: Codable, Hashable, Sendable {
  case initials(Initials)
  case identicon(Identicon)
  case strip(Strip)
}

/// Letters on a plain ground.
package struct Initials: Codable, Hashable, Sendable {
  /// One or two grapheme clusters.
  package var text: String
  package var ink: Color
  package var ground: Color
  /// Digests of the fonts to try, in this order, by which `RenderResources` knows them.
  package var fonts: [String]

  package init(text: String, ink: Color, ground: Color, fonts: [String]) {
    (self.text, self.ink, self.ground, self.fonts) = (text, ink, ground, fonts)
  }
}

/// A symmetric pattern of coloured squares.
package struct Identicon: Codable, Hashable, Sendable {
  /// Indices into the colours, row by row, `side` × `side`.
  package var cells: [UInt8]
  package var side: Int
  /// Two or three; the first is the ground.
  package var colors: [Color]

  package init(cells: [UInt8], side: Int, colors: [Color]) {
    (self.cells, self.side, self.colors) = (cells, side, colors)
  }
}

/// The soft shadow of a long straight edge; it depends only on the distance to the edge.
///
/// Lengths are points, which the size of the picture converts to pixels. All columns are equal, so
/// one is enough for a picture that repeats.
package struct Strip: Codable, Hashable, Sendable {
  package var color: Color
  /// The standard deviation of the blur.
  package var radius: Double
  /// How far the shadow is moved down.
  package var offset: Double
  /// Height of the whole picture.
  package var height: Int
  /// Whether the shadow lies above the edge and ends there; otherwise it begins there.
  package var isAbove: Bool

  package init(color: Color, radius: Double, offset: Double, height: Int, isAbove: Bool) {
    self.color = color
    self.radius = radius
    self.offset = offset
    self.height = height
    self.isAbove = isAbove
  }
}
