/// All that decides the pixels of one image, and nothing else; lengths are pixels, never points.
///
/// Recipes that make equal pixels are equal: code that builds one leaves out what does nothing (a
/// hidden border, a square outline's radii, PNG's quality).
package struct Recipe: Codable, Hashable, Sendable {
  /// Raised whenever the pixels or bytes of an unchanged recipe change.
  package static let revision = 5

  package var frame: Frame
  /// Applied in this order to the picture in its box, before the clip.
  package var filters: [Filter]
  /// Everything outside it is cut away.
  package var outline: Outline
  /// Room around the box, for what is drawn outside the outline.
  package var margins: Margins
  /// Applied in this order, after the clip.
  package var effects: [Effect]
  package var encoding: Encoding

  package init(
    frame: Frame, filters: [Filter] = [], outline: Outline, margins: Margins = .none,
    effects: [Effect], encoding: Encoding
  ) {
    self.frame = frame
    self.filters = filters
    self.outline = outline
    self.margins = margins
    self.effects = effects
    self.encoding = encoding
  }

  /// The size of the finished image: the box and its margins.
  package var size: PixelSize {
    PixelSize(
      width: margins.left + frame.box.width + margins.right,
      height: margins.top + frame.box.height + margins.bottom)
  }
}

/// Transparent pixels around the box.
package struct Margins: Codable, Hashable, Sendable {
  package var top: Int
  package var right: Int
  package var bottom: Int
  package var left: Int

  package init(top: Int, right: Int, bottom: Int, left: Int) {
    (self.top, self.right, self.bottom, self.left) = (top, right, bottom, left)
  }

  package static let none = Margins(top: 0, right: 0, bottom: 0, left: 0)
}

/// A rectangle with a radius for each corner; 0 is a right angle.
package struct Outline: Codable, Hashable, Sendable {
  /// How a corner is drawn.
  package enum Curve: String, Codable, Hashable, Sendable {
    /// A quarter of a circle.
    case circular
    /// Without a jump of the curvature, as iOS draws its icons; longer than its radius.
    case continuous
  }

  package var topLeft: Double
  package var topRight: Double
  package var bottomRight: Double
  package var bottomLeft: Double
  /// Always circular if all radii are 0.
  package var curve: Curve

  package init(
    topLeft: Double, topRight: Double, bottomRight: Double, bottomLeft: Double,
    curve: Curve = .circular
  ) {
    self.curve = curve
    self.topLeft = topLeft
    self.topRight = topRight
    self.bottomRight = bottomRight
    self.bottomLeft = bottomLeft
  }

  package static let square = Outline(topLeft: 0, topRight: 0, bottomRight: 0, bottomLeft: 0)

  /// The largest circle, or the capsule in a box that is not square.
  package static func circle(in box: PixelSize) -> Outline {
    let radius = Double(box.shorterSide) / 2
    return Outline(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
  }
}

/// What images are made from; the bytes that belong to it travel beside it.
///
/// A new kind is a case here, and its way to pixels in Imaging/Pipeline/Picture.
package enum RenderSource: Codable, Hashable, Sendable {
  /// An inspected file; `reduction` is the denominator of the JPEG decode.
  case encoded(Inspection, reduction: Int)
  /// One colour, without bytes.
  case color(Color)
  /// A description to draw from, without bytes.
  case generated(Generated)
  /// Pixels that our own code drew: RGBA, 8 bits a channel, row by row.
  case raster(PixelSize)
  /// Finished pictures on one canvas: the PNG of each, one behind the other.
  case sheet(SpriteSheet)
  /// Finished pictures and words on one ground: the file of each, one behind the other.
  case collage(Collage)
}
