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
}

/// The containers we write.
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

  /// Nil if the format has no quality setting.
  package var defaultQuality: Int? {
    switch self {
    case .png: nil
    case .webp: 80
    case .avif: 50
    case .jpeg: 85
    }
  }
}
