/// One step on the picture in its box, before the clip.
///
/// A new filter is a case and a type here, and its drawing in Imaging/Filters.
package enum Filter: Codable, Hashable, Sendable {
  case grayscale(Grayscale)
  case tint(Tint)
  case blur(Blur)
}

/// Takes the colour away and keeps the luma, as the CSS filter `grayscale(1)` does.
///
/// Luma is the sum of the stored sRGB values by the weights of Rec. 709. Mock-ups in browsers and
/// design programs show this grey, not the darker one of linear light.
package struct Grayscale: Codable, Hashable, Sendable {
  package init() {}
}

/// Dyes the picture: its lightness, in the hue of a colour, as strongly as the colour is opaque.
///
/// A pixel of luma y (see `Grayscale`) becomes the colour of that luma on the way from black over
/// the tint to white: `tint × y / t` up to the tint's own luma t, and above it
/// `tint + (white − tint) × (y − t) / (1 − t)`. Luma is a linear sum, so it is kept whatever the
/// tint is. The tint's alpha mixes that with the pixel.
package struct Tint: Codable, Hashable, Sendable {
  package var color: Color

  package init(color: Color) {
    self.color = color
  }
}

/// A Gaussian blur; the edge pixels of the box go on for ever.
package struct Blur: Codable, Hashable, Sendable {
  /// The standard deviation in pixels, above 0.
  package var radius: Double

  package init(radius: Double) {
    self.radius = radius
  }

  /// Below it a blur does nothing: no neighbour changes an opaque pixel by half a level, whatever
  /// stands beside what.
  package static let smallestRadius = 0.25
}
