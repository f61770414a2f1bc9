/// One step after the clip.
package enum Effect: Codable, Hashable, Sendable {
  /// Paints a colour behind the picture, inside the outline only.
  case underlay(Color)
  /// Paints over the picture, inside the outline only.
  case overlay(Fill)
  /// Keeps what lies inside the alpha of a picture in `RenderResources`, stretched to the box.
  case mask(String, Inspection)
  case border(Border)
  case shadow(Shadow)
  case decoration(Decoration)
  /// Flattens the whole box, corners included, on an opaque colour.
  case matte(Color)
  case guides(NinePatchGuides)
}

/// Rings along the outline that do not overlap.
package struct Border: Codable, Hashable, Sendable {
  /// The band between two parallels of the outline.
  package struct Ring: Codable, Hashable, Sendable {
    /// Pixels inwards from the outline to the outer edge; below 0 it lies outside.
    package var from: Double
    /// The same for the inner edge; more than `from`.
    package var to: Double
    package var fill: Fill
    /// Whether the picture lies under it.
    package var isOver: Bool

    package init(from: Double, to: Double, fill: Fill, isOver: Bool) {
      (self.from, self.to, self.fill, self.isOver) = (from, to, fill, isOver)
    }
  }

  package var rings: [Ring]
  /// The parallel at which the picture ends, in pixels inwards; 0 is the outline itself.
  package var cut: Double

  package init(rings: [Ring], cut: Double = 0) {
    self.rings = rings
    self.cut = cut
  }
}

/// A blurred silhouette behind the picture.
///
/// It comes from the geometry, not from the picture's alpha: opaque and transparent pictures cast
/// the same shadow. All lengths are pixels, and points in a style.
package struct Shadow: Codable, Hashable, Sendable {
  package var color: Color
  /// The standard deviation of the blur.
  package var radius: Double
  package var x: Double
  package var y: Double
  /// How far the edge of the silhouette lies outside the outline (a ring, and the spread).
  package var outset: Double

  package init(
    color: Color = .invisible, radius: Double = 0, x: Double = 0, y: Double = 0, outset: Double = 0
  ) {
    (self.color, self.radius, self.x, self.y, self.outset) = (color, radius, x, y, outset)
  }

  /// A smaller radius does nothing: the blur ends at three deviations, before the next pixel.
  package static let smallestRadius = 1.0 / 3
}

/// A dot or a badge picture, in a hole that is cut around it.
package struct Decoration: Codable, Hashable, Sendable {
  package enum Content: Codable, Hashable, Sendable {
    case dot(Color)
    /// The digest of a picture in `RenderResources`, and its inspection.
    case picture(String, Inspection)
  }

  package var content: Content
  /// The middle, in pixels from the left and top edge of the box.
  package var x: Double
  package var y: Double
  /// Pixels of the disc, or of the square that a picture fits into.
  package var diameter: Double
  /// Pixels of the ring around it that is cut out.
  package var gap: Double

  package init(content: Content, x: Double, y: Double, diameter: Double, gap: Double) {
    (self.content, self.x, self.y, self.diameter, self.gap) = (content, x, y, diameter, gap)
  }
}

/// The frame of a nine-patch: black lines, one pixel wide, around a picture that stretches.
///
/// Ranges are pixels of the square box, columns and rows alike. Each of its four margins must be one
/// pixel.
package struct NinePatchGuides: Codable, Hashable, Sendable {
  /// What is repeated; the lines above the box and at its left.
  package var stretched: Range<Int>
  /// What content may use; the lines below it and at its right.
  package var content: Range<Int>

  package init(stretched: Range<Int>, content: Range<Int>) {
    (self.stretched, self.content) = (stretched, content)
  }
}

/// One step on the picture in its box, before the clip.
package enum Filter: Codable, Hashable, Sendable {
  /// Takes the colour away and keeps the luma, as the CSS filter `grayscale(1)` does.
  ///
  /// Luma is the sum of the stored sRGB values with the weights of Rec. 709: the grey that browsers
  /// and design programs show, not the darker one of linear light.
  case grayscale
  /// Dyes the picture: its lightness, in the hue of a colour, as strongly as the colour is opaque.
  ///
  /// A pixel of luma y becomes the colour of that luma on the line from black through the tint to
  /// white: `tint × y / t` up to the tint's own luma t, and above it
  /// `tint + (white − tint) × (y − t) / (1 − t)`. Luma is a linear sum, so every tint keeps it. The
  /// tint's alpha mixes the result with the pixel.
  case tint(Color)
  /// A Gaussian blur that continues the edge pixels of the box outside; the radius is its standard
  /// deviation in pixels.
  case blur(radius: Double)

  /// A smaller blur does nothing: no neighbour changes an opaque pixel by half a level.
  package static let smallestBlur = 0.25
}
