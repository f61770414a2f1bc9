import Bytes
import Foundation
import Heif
import Magick
import Recipes

extension Encoding {
  /// Encodes a picture with or without its palette; decisions 1, 9 and 18 explain the settings.
  func encode(
    _ raster: Raster, _ palette: Palette?, by webP: WebPWriter
  ) throws(MagickError) -> RenderedImage {
    let flat = try palette.flatMap { (palette) throws(MagickError) in
      try flatFile(of: raster, palette, by: webP)
    }
    let usual = try file(of: raster, quality: quality, by: webP)
    let first = Self.smaller(flat, usual)
    guard let limit else { return RenderedImage(bytes: first) }
    var best = (bytes: first, quality: quality)
    if first.count > limit {
      if let quality {
        let isLossless = flat.map { $0.count <= usual.count } ?? false
        best = try search(
          raster, from: (first, isLossless ? nil : quality), below: quality, limit: limit,
          by: webP)
      } else {
        best.bytes = Self.smaller(
          first, try file(of: raster, quality: nil, isDense: true, by: webP))
      }
    }
    return RenderedImage(bytes: best.bytes, metadata: RenderMetadata(quality: best.quality))
  }

  /// Returns the highest-quality file within the size limit, or the smallest file if none fits.
  ///
  /// The returned quality is nil if the smallest file is lossless.
  private func search(
    _ raster: Raster, from first: (bytes: Data, quality: Int?), below quality: Int, limit: Int,
    by webP: WebPWriter
  ) throws(MagickError) -> (bytes: Data, quality: Int?) {
    var smallest = first
    var fitting: (bytes: Data, quality: Int?)?
    var low = 1
    var high = quality - 1
    var left = raster.isLarge ? 3 : 7
    while low <= high, left > 0 {
      left -= 1
      let middle = left == 0 && fitting == nil ? low : (low + high) / 2
      let bytes = try file(of: raster, quality: middle, by: webP)
      if bytes.count <= limit {
        fitting = (bytes, middle)
        low = middle + 1
      } else {
        if bytes.count <= smallest.bytes.count { smallest = (bytes, middle) }
        high = middle - 1
      }
    }
    return fitting ?? smallest
  }

  private func flatFile(
    of raster: Raster, _ palette: Palette, by webP: WebPWriter
  ) throws(MagickError) -> Data? {
    guard [.png, .webp].contains(format), pixels == nil else { return nil }
    return format == .png
      ? try PNGFile.data(of: palette, size: raster.size) : try webP.lossless(raster)
  }

  /// Encodes the picture; `isDense` makes a PNG smaller, but takes longer.
  private func file(
    of raster: Raster, quality: Int?, isDense: Bool = false, by webP: WebPWriter
  ) throws(MagickError) -> Data {
    switch format {
    case .png:
      return try PNGFile.data(
        of: raster, as: pixels == .direct ? .rgba : .init(of: raster),
        level: isDense ? (raster.isLarge ? 6 : 12) : nil)
    case .webp:
      return try webP.file(of: raster, quality: quality, isFine: isFine == true)
    case .avif:
      do throws(HEIFError) {
        return try AVIFFile.data(
          rgba: raster.bytes.span, width: raster.size.width, height: raster.size.height,
          quality: quality ?? 100, isOpaque: raster.isOpaque)
      } catch {
        throw MagickError(call: "heif_context_encode_image", message: error.message)
      }
    case .jpeg:
      let (width, height) = (raster.size.width, raster.size.height)
      return try Canvas(rgba: raster.bytes.span, width: width, height: height)
        .encoded(as: format.coder, quality: quality)
    }
  }

  private static func smaller(_ first: Data?, _ second: Data) -> Data {
    guard let first, first.count <= second.count else { return second }
    return first
  }
}

extension OutputFormat {
  var coder: String { rawValue.uppercased() }
}

extension Raster {
  /// Whether encoding is so slow that the search tries fewer files.
  fileprivate var isLarge: Bool { size.width * size.height > 4 << 20 }
}
