/// The container and its settings.
package struct Encoding: Codable, Hashable, Sendable {
  /// How a PNG holds its pixels, where readers do not take every way.
  package enum PixelForm: String, Codable, Hashable, Sendable {
    /// Red, green, blue and alpha of 8 bits each, whatever the picture: what an ICO may contain.
    case direct
  }

  package var format: OutputFormat
  /// 1…100; nil for formats without quality.
  package var quality: Int?
  /// Bytes that the file should not have more of; nil for any number.
  ///
  /// Quality is given up for it, and time where there is none. Where that is not enough, the file
  /// is as small as it gets and larger than this.
  package var limit: Int?
  /// Only for PNG; nil for whatever takes the fewest bytes.
  package var pixels: PixelForm?

  package init(
    format: OutputFormat, quality: Int? = nil, limit: Int? = nil, pixels: PixelForm? = nil
  ) {
    self.format = format
    self.quality = quality
    self.limit = limit
    self.pixels = pixels
  }
}

/// The containers we write.
///
/// A new format is a case here; every property then asks for its value.
package enum OutputFormat: String, Codable, Hashable, Sendable, CaseIterable {
  case png
  case webp
  case jpeg

  package var fileExtension: String {
    switch self {
    case .png: "png"
    case .webp: "webp"
    case .jpeg: "jpg"
    }
  }

  package var mimeType: String {
    switch self {
    case .png: "image/png"
    case .webp: "image/webp"
    case .jpeg: "image/jpeg"
    }
  }

  /// Pixels a side that a file of this format can have, no more than are read anywhere.
  ///
  /// WebP counts them in 14 bits.
  package var largestSide: Int {
    switch self {
    case .png, .jpeg: 16_384
    case .webp: 16_383
    }
  }

  package var hasAlpha: Bool {
    switch self {
    case .png, .webp: true
    case .jpeg: false
    }
  }

  /// Formats that people ask for and we do not write, with the reason.
  package static let unsupported: [String: String] = [
    "avif": "ImageMagick 6 writes AVIF without transparency",
    "jxl": "ImageMagick 6 is built without JPEG XL",
    "heic": "hardly any browser shows HEIC",
  ]

  /// Nil where the format has no quality setting.
  package var defaultQuality: Int? {
    switch self {
    case .png: nil
    case .webp: 80
    case .jpeg: 85
    }
  }
}
