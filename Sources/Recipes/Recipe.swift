/// All that decides the pixels of one image, and nothing else; lengths are pixels, never points.
///
/// Recipes that make equal pixels are equal: code that builds one leaves out what does nothing (a
/// hidden border, a square outline's radii, PNG's quality).
package struct Recipe: Codable, Hashable, Sendable {
  /// Raised whenever the pixels or bytes of an unchanged recipe change.
  package static let revision = 6

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
    (self.frame, self.filters, self.outline) = (frame, filters, outline)
    (self.margins, self.effects, self.encoding) = (margins, effects, encoding)
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
  package enum Curve: String, Codable, Hashable, Sendable {
    /// A quarter of a circle.
    case circular
    /// Without a jump of the curvature, as iOS draws its icons; longer than its radius.
    case continuous

    /// Where the curve leaves the sides, in radii; of the continuous one as UIKit has it.
    package var extent: Double { self == .circular ? 1 : 1.528665 }
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
  /// By faces, with free room above one as a fraction of its height; without a face smart, or else the
  /// frame's focus. `detector` is the digest of its data in `RenderResources`.
  /// A quick search looks at fewer windows, and misses more faces; nil instead of false keeps the keys of
  /// images as they were.
  case face(detector: String, headRoom: Double, isSmartOtherwise: Bool, isQuick: Bool? = nil)
}

/// The container and its settings.
package struct Encoding: Codable, Hashable, Sendable {
  /// How a PNG stores its pixels, for readers that do not accept every form.
  package enum PixelForm: String, Codable, Hashable, Sendable {
    /// Always red, green, blue and alpha of 8 bits each: what an ICO may contain.
    case direct
  }

  package var format: OutputFormat
  /// 1…100; nil for formats without quality.
  package var quality: Int?
  /// Only for WebP: whether all parts and colours of a small image are kept alike; nil instead of
  /// false keeps the keys of other images as they were.
  package var isFine: Bool?
  /// The most bytes that the file should have; nil for any number.
  ///
  /// The encoder gives up quality for it, or takes more time if the format has no quality. If that
  /// is not enough, the file is as small as possible and larger than this.
  package var limit: Int?
  /// Only for PNG; nil for the form that takes the fewest bytes.
  package var pixels: PixelForm?

  package init(
    format: OutputFormat, quality: Int? = nil, limit: Int? = nil, pixels: PixelForm? = nil
  ) {
    (self.format, self.quality, self.limit, self.pixels) = (format, quality, limit, pixels)
  }

  /// The encoding of an image of a style, which may say its quality.
  ///
  /// The smaller a WebP is, the more of its pixels are edges, and the more quality they need.
  package init(
    format: OutputFormat, size: PixelSize, quality asked: Int? = nil, limit: Int? = nil
  ) {
    self.init(
      format: format, quality: format.defaultQuality.map { asked ?? $0 }, limit: limit)
    let side = max(size.width, size.height)
    guard format == .webp, asked == nil, side <= 128 else { return }
    (quality, isFine) = (92 - side / 16, true)
  }
}

package enum OutputFormat: String, Codable, Hashable, Sendable, CaseIterable {
  case png
  case webp
  case avif
  case jpeg

  package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
  package var mimeType: String { "image/\(rawValue)" }
  package var hasAlpha: Bool { self != .jpeg }

  /// The most pixels a side; WebP counts them in 14 bits.
  package var largestSide: Int { self == .webp ? 16_383 : 16_384 }

  /// Formats that we do not write, with the reason.
  package static let unsupported: [String: String] = [
    "jxl": "Debian builds ImageMagick without JPEG XL",
    "heic": "hardly any browser shows HEIC",
  ]

  /// Nil if the format has no quality setting; of small WebPs see `Encoding`.
  package var defaultQuality: Int? {
    switch self {
    case .png: nil
    case .webp: 80
    case .avif: 50
    case .jpeg: 85
    }
  }
}
