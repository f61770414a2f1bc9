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
