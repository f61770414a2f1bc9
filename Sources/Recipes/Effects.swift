/// A rendering step after the picture has been clipped to its outline.
package enum Effect: Codable, Hashable, Sendable {
  case underlay(Color)
  case overlay(Fill)
  /// Clips to the alpha of a mask, which is given by its digest and stretched to the box.
  case mask(String, Inspection)
  case border(Border)
  case shadow(Shadow)
  case decoration(Decoration)
  /// Composites the whole box, including its corners, on an opaque colour.
  case matte(Color)
  case guides(NinePatchGuides)
}

/// Rings that follow the outline and do not overlap.
package struct Border: Codable, Hashable, Sendable {
  /// A band between two curves that are parallel to the outline.
  package struct Ring: Codable, Hashable, Sendable {
    /// The inset of the outer edge from the outline, in pixels; negative if the edge is outside.
    package var from: Double
    /// The inset of the inner edge from the outline, in pixels; greater than `from`.
    package var to: Double
    package var fill: Fill
    /// Whether the ring is painted over the picture rather than behind it.
    package var isOver: Bool

    package init(from: Double, to: Double, fill: Fill, isOver: Bool) {
      (self.from, self.to, self.fill, self.isOver) = (from, to, fill, isOver)
    }
  }

  package var rings: [Ring]
  /// The inset of the picture's edge from the outline, in pixels.
  package var cut: Double

  package init(rings: [Ring], cut: Double = 0) {
    self.rings = rings
    self.cut = cut
  }
}

/// A blurred silhouette of the outline, not of the picture's alpha; lengths are in pixels.
package struct Shadow: Codable, Hashable, Sendable {
  package var color: Color
  /// The standard deviation of the blur.
  package var radius: Double
  package var x: Double
  package var y: Double
  /// The distance by which the silhouette extends beyond the outline: ring width plus spread.
  package var outset: Double

  package init(
    color: Color = .invisible, radius: Double = 0, x: Double = 0, y: Double = 0, outset: Double = 0
  ) {
    (self.color, self.radius, self.x, self.y, self.outset) = (color, radius, x, y, outset)
  }

  /// The smallest visible radius: the blur ends at three sigmas, and must reach the next pixel.
  package static let smallestRadius = 1.0 / 3
}

/// A dot or a badge, with a gap cut into the picture around it.
package struct Decoration: Codable, Hashable, Sendable {
  package enum Content: Codable, Hashable, Sendable {
    case dot(Color)
    /// A badge picture: its digest in `RenderResources`, and its inspection.
    case picture(String, Inspection)
  }

  package var content: Content
  /// The centre, in pixels from the left and top edges of the box.
  package var x: Double
  package var y: Double
  /// The diameter of the dot, or the side of the square that contains the badge, in pixels.
  package var diameter: Double
  /// The width of the transparent ring around the decoration, in pixels.
  package var gap: Double

  package init(content: Content, x: Double, y: Double, diameter: Double, gap: Double) {
    (self.content, self.x, self.y, self.diameter, self.gap) = (content, x, y, diameter, gap)
  }
}

/// The guide lines of an Android nine-patch: black lines, one pixel wide, around a square box.
///
/// All four margins must be one pixel. The ranges are in pixels and apply to columns and rows.
package struct NinePatchGuides: Codable, Hashable, Sendable {
  /// The stretchable area, marked by the lines above and to the left of the box.
  package var stretched: Range<Int>
  /// The content area, marked by the lines below and to the right of the box.
  package var content: Range<Int>

  package init(stretched: Range<Int>, content: Range<Int>) {
    (self.stretched, self.content) = (stretched, content)
  }
}

/// A rendering step before the picture is clipped to its outline.
package enum Filter: Codable, Hashable, Sendable {
  /// Replaces colours with grey of the same luma, like the CSS filter `grayscale(1)`.
  ///
  /// Luma is the sum of the nonlinear sRGB components with Rec. 709 weights, as in browsers.
  case grayscale
  /// Tints the picture; the tint's alpha is its strength.
  ///
  /// Each pixel becomes the colour of the same luma on the line from black through the tint to
  /// white. For luma y and tint luma t, that is `tint × y / t` up to t, and `tint + (white − tint)
  /// × (y − t) / (1 − t)` above t.
  case tint(Color)
  /// Applies a Gaussian blur whose standard deviation is `radius` pixels; repeats edge pixels.
  case blur(radius: Double)

  /// The smallest visible radius: smaller ones change opaque pixels by less than half a level.
  package static let smallestBlur = 0.25
}
