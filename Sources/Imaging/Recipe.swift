/// All that decides the pixels of one image, and nothing else; in pixels, never in points.
///
/// Two recipes that make equal pixels are equal values: whoever builds one leaves out what does
/// nothing (a hidden border, a square outline's radii, PNG's quality).
package struct Recipe: Codable, Hashable, Sendable {
  /// Raised whenever the pixels or bytes of an unchanged recipe change.
  package static let revision = 1

  package var frame: Frame
  /// What is cut away: nothing outside it is ever painted, except by a matte.
  package var outline: Outline
  /// Applied in this order, after the clip.
  package var effects: [Effect]
  package var encoding: Encoding

  package init(frame: Frame, outline: Outline, effects: [Effect], encoding: Encoding) {
    self.frame = frame
    self.outline = outline
    self.effects = effects
    self.encoding = encoding
  }
}

/// How the source is brought to the size of the image.
package struct Frame: Codable, Hashable, Sendable {
  /// The box of the style's largest scale: smaller boxes are made from it.
  package var base: PixelSize
  package var box: PixelSize
  package var fit: Fit
  /// Always the centre unless `fit` is `.fill`.
  package var focus: Focus

  package init(base: PixelSize, box: PixelSize, fit: Fit, focus: Focus = .center) {
    self.base = base
    self.box = box
    self.fit = fit
    self.focus = focus
  }
}

/// A rectangle with a circular arc of its own radius at each corner; radius 0 is a right angle.
package struct Outline: Codable, Hashable, Sendable {
  package var topLeft: Double
  package var topRight: Double
  package var bottomRight: Double
  package var bottomLeft: Double

  package init(topLeft: Double, topRight: Double, bottomRight: Double, bottomLeft: Double) {
    self.topLeft = topLeft
    self.topRight = topRight
    self.bottomRight = bottomRight
    self.bottomLeft = bottomLeft
  }

  package static let square = Outline(topLeft: 0, topRight: 0, bottomRight: 0, bottomLeft: 0)

  /// The largest circle, or on a box that is not square the capsule.
  package static func circle(in box: PixelSize) -> Outline {
    let radius = Double(box.shorterSide) / 2
    return Outline(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
  }
}
