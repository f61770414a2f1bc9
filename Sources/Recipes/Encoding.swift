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
