/// Everything that affects the pixels of an image; lengths are in pixels, never points.
///
/// Settings that change nothing, such as a hidden border or a PNG's quality, must be omitted, so
/// that they do not change the image's cache key.
package struct Recipe: Codable, Hashable, Sendable {
  /// Incremented when the pixels or bytes of an unchanged recipe change.
  package static let revision = 7

  package var frame: Frame
  /// Applied in order to the picture in its box, before the clip.
  package var filters: [Filter]
  package var outline: Outline
  /// Space around the box for effects outside the outline.
  package var margins: Margins
  /// Applied in order, after the clip.
  package var effects: [Effect]
  package var encoding: Encoding

  package init(
    frame: Frame, filters: [Filter] = [], outline: Outline, margins: Margins = .none,
    effects: [Effect], encoding: Encoding
  ) {
    (self.frame, self.filters, self.outline) = (frame, filters, outline)
    (self.margins, self.effects, self.encoding) = (margins, effects, encoding)
  }

  package var size: PixelSize {
    PixelSize(
      width: margins.left + frame.box.width + margins.right,
      height: margins.top + frame.box.height + margins.bottom)
  }
}

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
    case circular
    /// Has continuous curvature, as on iOS icons, and extends beyond its radius.
    case continuous

    /// The length of the curve along a side, in radii; the value for `continuous` is UIKit's.
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

  /// Returns the largest circle, or a capsule if the box is not square.
  package static func circle(in box: PixelSize) -> Outline {
    let radius = Double(box.shorterSide) / 2
    return Outline(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
  }
}

/// How the source is scaled to the size of the image.
package struct Frame: Codable, Hashable, Sendable {
  /// The box at the style's largest scale, from which smaller boxes are scaled.
  package var base: PixelSize
  package var box: PixelSize
  package var fit: Fit
  /// Always the centre unless `fit` is `.fill`.
  package var focus: Focus
  /// Searches for a better focus; nil unless `fit` is `.fill`.
  package var finder: FocusFinder?

  package init(
    base: PixelSize, box: PixelSize, fit: Fit, focus: Focus = .center, finder: FocusFinder? = nil
  ) {
    (self.base, self.box, self.fit, self.focus, self.finder) = (base, box, fit, focus, finder)
  }
}

package enum Fit: String, Codable, Hashable, Sendable, CaseIterable {
  /// Covers the box and crops the rest around the focus; enlarges small pictures.
  case fill
  /// Fits inside the box, centred on a transparent background.
  case contain
  /// Scales both sides independently.
  case stretch
}

/// The focus point of a crop, as fractions of the upright width and height.
package struct Focus: Codable, Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package static let center = Focus(x: 0.5, y: 0.5)
}

package enum FocusFinder: Codable, Hashable, Sendable {
  /// Uses detail and skin colours.
  case smart
  /// Uses faces; if no face is found, uses `smart` or the frame's focus.
  ///
  /// `detector` is the digest of its data in `RenderResources`. `headRoom` is a fraction of the
  /// face's height. A quick search misses more faces. Nil, not false, keeps cache keys stable.
  case face(detector: String, headRoom: Double, isSmartOtherwise: Bool, isQuick: Bool? = nil)
}

package struct Encoding: Codable, Hashable, Sendable {
  /// A fixed pixel format, for readers that do not accept every PNG.
  package enum PixelForm: String, Codable, Hashable, Sendable {
    /// Always 8-bit RGBA, as an ICO requires.
    case direct
  }

  package var format: OutputFormat
  /// 1…100; nil for formats without quality.
  package var quality: Int?
  /// WebP only: spends extra time to keep colours and detail accurate in small images.
  ///
  /// Nil instead of false keeps cache keys stable.
  package var isFine: Bool?
  /// The maximum file size in bytes; nil for no limit.
  ///
  /// The encoder lowers the quality, or spends more time on formats without a quality setting. If
  /// that is not enough, it returns the smallest file, even if it exceeds the limit.
  package var limit: Int?
  /// PNG only; nil selects the smallest form.
  package var pixels: PixelForm?

  package init(
    format: OutputFormat, quality: Int? = nil, limit: Int? = nil, pixels: PixelForm? = nil
  ) {
    (self.format, self.quality, self.limit, self.pixels) = (format, quality, limit, pixels)
  }

  /// Selects the encoding of a style's image.
  ///
  /// A small WebP consists mostly of edges, so its default quality is higher.
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

  /// The maximum side in pixels; WebP stores it in 14 bits.
  package var largestSide: Int { self == .webp ? 16_383 : 16_384 }

  /// Output formats that are not supported, with the reason.
  package static let unsupported: [String: String] = [
    "jxl": "Debian builds ImageMagick without JPEG XL",
    "heic": "hardly any browser supports HEIC",
  ]

  /// Nil if the format does not have a quality setting; `Encoding` adjusts it for small WebP files.
  package var defaultQuality: Int? {
    switch self {
    case .png: nil
    case .webp: 80
    case .avif: 50
    case .jpeg: 85
    }
  }
}
