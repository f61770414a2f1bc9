/// Everything that affects the pixels of an image; lengths are in pixels, never points.
///
/// Settings without an effect, such as a hidden border or a PNG's quality, must be omitted, because
/// every setting is part of the image's cache key.
package struct Recipe: Codable, Hashable, Sendable {
  /// A version number, incremented when unchanged recipes produce different pixels or bytes.
  package static let revision = 8

  package var frame: Frame
  package var filters: [Filter]
  package var outline: Outline
  /// The space around the box for effects that extend beyond the outline.
  package var margins: Margins
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

/// A rectangle with a radius for each corner; 0 means a right angle.
package struct Outline: Codable, Hashable, Sendable {
  package enum Curve: String, Codable, Hashable, Sendable {
    case circular
    /// A curve with continuous curvature, like the corners of iOS icons.
    case continuous

    /// The length of the curve along a side, as a multiple of the radius; UIKit uses 1.528665.
    package var extent: Double { self == .circular ? 1 : 1.528665 }
  }

  package var topLeft: Double
  package var topRight: Double
  package var bottomRight: Double
  package var bottomLeft: Double
  /// The shape of the corners, which is `.circular` if all radii are 0.
  package var curve: Curve

  package init(
    topLeft: Double, topRight: Double, bottomRight: Double, bottomLeft: Double,
    curve: Curve = .circular
  ) {
    (self.curve, self.topLeft, self.topRight) = (curve, topLeft, topRight)
    (self.bottomRight, self.bottomLeft) = (bottomRight, bottomLeft)
  }

  package static let square = Outline(topLeft: 0, topRight: 0, bottomRight: 0, bottomLeft: 0)

  /// Returns the largest circle, or a capsule if the box is not square.
  package static func circle(in box: PixelSize) -> Outline {
    let radius = Double(box.shorterSide) / 2
    return Outline(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
  }
}

/// The scaling and cropping of the source picture.
package struct Frame: Codable, Hashable, Sendable {
  /// The box at the style's largest scale; smaller images are usually scaled down from this size.
  package var base: PixelSize
  package var box: PixelSize
  package var fit: Fit
  /// The focus point, which is always the centre unless `fit` is `.fill`.
  package var focus: Focus
  /// The method for finding a better focus; nil unless `fit` is `.fill`.
  package var finder: FocusFinder?
  /// The zoom relative to the largest possible crop; nil instead of 1, to keep cache keys stable.
  package var zoom: Double?

  package init(
    base: PixelSize, box: PixelSize, fit: Fit, focus: Focus = .center, finder: FocusFinder? = nil
  ) {
    (self.base, self.box, self.fit, self.focus, self.finder) = (base, box, fit, focus, finder)
  }
}

package enum Fit: String, Codable, Hashable, Sendable, CaseIterable {
  /// Covers the box; crops around the focus, and enlarges small pictures.
  case fill
  case contain
  case stretch
}

/// The focus point of a crop, as fractions of the width and height of the upright picture.
package struct Focus: Codable, Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    (self.x, self.y) = (x, y)
  }

  package static let center = Focus(x: 0.5, y: 0.5)
}

package enum FocusFinder: Codable, Hashable, Sendable {
  /// Finds the focus by detail and skin colours.
  case smart
  /// Finds faces; if none is found, uses `smart` (if `isSmartOtherwise`) or the frame's focus.
  ///
  /// `detector` is a digest in `RenderResources`. `headRoom` is a fraction of the face's height.
  /// `isQuick` saves time but misses more faces; `zooms` zooms in on a small face.
  /// Both are nil instead of false, to keep cache keys stable.
  case face(
    detector: String, headRoom: Double, isSmartOtherwise: Bool, isQuick: Bool? = nil,
    zooms: Bool? = nil)
}

package struct Encoding: Codable, Hashable, Sendable {
  /// A fixed pixel format, for programs that do not support every kind of PNG.
  package enum PixelForm: String, Codable, Hashable, Sendable {
    /// RGBA with 8 bits per channel, as required in ICO files.
    case direct
  }

  package var format: OutputFormat
  /// The quality from 1 to 100; nil for formats without a quality setting.
  package var quality: Int?
  /// Whether the WebP encoder spends extra time to preserve colours and detail in small images; nil
  /// instead of false, to keep cache keys stable.
  package var isFine: Bool?
  /// The maximum file size in bytes, or nil if the size is unlimited.
  ///
  /// To meet the limit, the encoder lowers the quality, or spends more time on formats without a
  /// quality setting. If the limit cannot be met, it returns the smallest file.
  package var limit: Int?
  /// The pixel format of a PNG; nil selects the one that makes the smallest file.
  package var pixels: PixelForm?

  package init(
    format: OutputFormat, quality: Int? = nil, limit: Int? = nil, pixels: PixelForm? = nil
  ) {
    (self.format, self.quality, self.limit, self.pixels) = (format, quality, limit, pixels)
  }

  /// Creates an encoding; the default quality is higher for small WebP images, which consist mostly
  /// of edges.
  package init(
    format: OutputFormat, size: PixelSize, quality asked: Int? = nil, limit: Int? = nil
  ) {
    self.init(format: format, quality: format.defaultQuality.map { asked ?? $0 }, limit: limit)
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

  /// The maximum width and height in pixels; WebP stores them in 14 bits.
  package var largestSide: Int { self == .webp ? 16_383 : 16_384 }

  package static let unsupported: [String: String] = [
    "jxl": "Debian builds ImageMagick without JPEG XL",
    "heic": "hardly any browser supports HEIC",
  ]

  /// The default quality, or nil for PNG; `Encoding` uses a higher one for small WebP images.
  package var defaultQuality: Int? {
    switch self {
    case .png: nil
    case .webp: 80
    case .avif: 50
    case .jpeg: 85
    }
  }
}
