import Foundation
import Magick

/// The container and its one setting.
package struct Encoding: Codable, Hashable, Sendable {
  package var format: OutputFormat
  /// 1…100; nil for formats without quality.
  package var quality: Int?

  package init(format: OutputFormat, quality: Int? = nil) {
    self.format = format
    self.quality = quality
  }

  /// Writes a finished picture; why these settings, docs/decisions/0001 tells.
  func encode(_ raster: Raster) throws(MagickError) -> RenderedImage {
    let canvas = try Canvas(
      rgba: raster.bytes.span, width: raster.size.width, height: raster.size.height)
    var options: [(key: String, value: String)] = []
    switch format {
    case .png:
      options = [
        ("png:compression-level", "1"), ("png:compression-filter", "5"),
        ("png:compression-strategy", "3"), ("png:bit-depth", "8"),
        ("png:color-type", raster.isOpaque ? "2" : "6"), ("png:exclude-chunks", "all"),
      ]
    case .webp:
      options = [("webp:method", "2"), ("webp:alpha-filtering", "0")]
    case .jpeg:
      break
    }
    let bytes = try canvas.encoded(as: format.coder, quality: quality, options: options)
    return RenderedImage(bytes: bytes, size: raster.size)
  }
}

extension OutputFormat {
  /// ImageMagick's name.
  var coder: String {
    switch self {
    case .png: "PNG"
    case .webp: "WEBP"
    case .jpeg: "JPEG"
    }
  }
}
