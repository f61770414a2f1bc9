/// A step applied after the clip.
package enum Effect: Codable, Hashable, Sendable {
  /// Paints a colour behind the picture, inside the outline.
  case underlay(Color)
  /// Paints over the picture, inside the outline.
  case overlay(Fill)
  /// Clips to the alpha of a picture in `RenderResources`, stretched to the box.
  case mask(String, Inspection)
  case border(Border)
  case shadow(Shadow)
  case decoration(Decoration)
  /// Flattens the whole box, including its corners, on an opaque colour.
  case matte(Color)
  case guides(NinePatchGuides)
}

/// Rings that follow the outline without overlapping.
package struct Border: Codable, Hashable, Sendable {
  /// The band between two curves parallel to the outline.
  package struct Ring: Codable, Hashable, Sendable {
    /// How far the outer edge is inside the outline, in pixels; negative values are outside.
    package var from: Double
    /// How far the inner edge is inside the outline; greater than `from`.
    package var to: Double
    package var fill: Fill
    /// Whether the ring covers the picture.
    package var isOver: Bool

    package init(from: Double, to: Double, fill: Fill, isOver: Bool) {
      (self.from, self.to, self.fill, self.isOver) = (from, to, fill, isOver)
    }
  }

  package var rings: [Ring]
  /// How far the picture's edge is inside the outline, in pixels.
  package var cut: Double

  package init(rings: [Ring], cut: Double = 0) {
    self.rings = rings
    self.cut = cut
  }
}

/// A blurred silhouette behind the picture.
///
/// It follows the outline, not the picture's alpha, so transparent pictures cast the same shadow as
/// opaque ones. Lengths are in pixels here, and in points in a style.
package struct Shadow: Codable, Hashable, Sendable {
  package var color: Color
  /// The standard deviation of the blur.
  package var radius: Double
  package var x: Double
  package var y: Double
  /// How far the silhouette extends beyond the outline: a ring's width plus the spread.
  package var outset: Double

  package init(
    color: Color = .invisible, radius: Double = 0, x: Double = 0, y: Double = 0, outset: Double = 0
  ) {
    (self.color, self.radius, self.x, self.y, self.outset) = (color, radius, x, y, outset)
  }

  /// A smaller radius is invisible: the blur ends at three sigmas, before the next pixel.
  package static let smallestRadius = 1.0 / 3
}

/// A dot or a badge picture, with a gap cut around it.
package struct Decoration: Codable, Hashable, Sendable {
  package enum Content: Codable, Hashable, Sendable {
    case dot(Color)
    /// A digest in `RenderResources`, and the picture's inspection.
    case picture(String, Inspection)
  }

  package var content: Content
  /// The centre, in pixels from the left and top edge of the box.
  package var x: Double
  package var y: Double
  /// The diameter of the disc in pixels, or the side of the square that contains the picture.
  package var diameter: Double
  /// The width of the transparent ring around the decoration, in pixels.
  package var gap: Double

  package init(content: Content, x: Double, y: Double, diameter: Double, gap: Double) {
    (self.content, self.x, self.y, self.diameter, self.gap) = (content, x, y, diameter, gap)
  }
}

/// The frame of an Android nine-patch: black lines, one pixel wide, around the box.
///
/// Ranges are in pixels of the square box, for both columns and rows. All four margins must be one
/// pixel.
package struct NinePatchGuides: Codable, Hashable, Sendable {
  /// The stretchable area, marked by the lines above and to the left of the box.
  package var stretched: Range<Int>
  /// The content area, marked by the lines below and to the right of the box.
  package var content: Range<Int>

  package init(stretched: Range<Int>, content: Range<Int>) {
    (self.stretched, self.content) = (stretched, content)
  }
}

/// An operation on the picture in its box, before the clip.
package enum Filter: Codable, Hashable, Sendable {
  /// Removes the colour and keeps the luma, like the CSS filter `grayscale(1)`.
  ///
  /// Luma weights the stored sRGB values by Rec. 709, as browsers and design programs do. Grey from
  /// linear light would be darker.
  case grayscale
  /// Tints the picture; the tint's alpha is its strength.
  ///
  /// A pixel of luma y becomes the colour with that luma on the line from black through the tint to
  /// white. That is `tint × y / t` up to the tint's luma t, and `tint + (white − tint) × (y − t) /
  /// (1 − t)` above. Luma is a linear sum, so tinting preserves it.
  case tint(Color)
  /// A Gaussian blur that repeats the edge pixels; the radius is its standard deviation in pixels.
  case blur(radius: Double)

  /// A smaller blur is invisible: it changes an opaque pixel by less than half a level.
  package static let smallestBlur = 0.25
}
