/// How the source is brought to the size of the image.
package struct Frame: Codable, Hashable, Sendable {
  /// The box of the style's largest scale, from which smaller boxes are made.
  package var base: PixelSize
  package var box: PixelSize
  package var fit: Fit
  /// Always the centre unless `fit` is `.fill`.
  package var focus: Focus
  /// Looks for a better point in the picture; nil unless `fit` is `.fill`.
  package var finder: FocusFinder?

  package init(
    base: PixelSize, box: PixelSize, fit: Fit, focus: Focus = .center, finder: FocusFinder? = nil
  ) {
    (self.base, self.box, self.fit, self.focus, self.finder) = (base, box, fit, focus, finder)
  }
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

/// How the point of a picture that a crop keeps is found.
package enum FocusFinder: Codable, Hashable, Sendable {
  /// By detail and by the colours of skin.
  case smart
  /// By faces; without a face, as `isSmartOtherwise` says.
  case face(Face)

  package struct Face: Codable, Hashable, Sendable {
    /// The digest of the detector's data in `RenderResources`.
    package var detector: String
    /// Free room above a face, as a fraction of its height.
    package var headRoom: Double
    /// Without a face: smart, or else the frame's focus.
    package var isSmartOtherwise: Bool

    package init(detector: String, headRoom: Double, isSmartOtherwise: Bool) {
      (self.detector, self.headRoom, self.isSmartOtherwise) = (detector, headRoom, isSmartOtherwise)
    }
  }
}
