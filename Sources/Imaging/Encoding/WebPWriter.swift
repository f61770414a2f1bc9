import Foundation
import Magick
import Recipes
import WebP

/// A WebP encoder based on libwebp; decision 19 explains why ImageMagick is not used.
final class WebPWriter {
  /// The header and compressed alpha for each alpha plane.
  private var heads = BoundedCache<Alpha, WebPHead>(limit: 4 << 20)

  private struct Alpha: Hashable {
    let size: PixelSize
    let bytes: [UInt8]

    /// Hashes only a sample, which is enough to distinguish planes; `==` compares all bytes.
    func hash(into hasher: inout Hasher) {
      hasher.combine(size)
      for index in stride(from: 0, to: bytes.count, by: 509) { hasher.combine(bytes[index]) }
    }
  }

  func lossless(_ raster: Raster) throws(MagickError) -> Data {
    do throws(WebPError) {
      return try WebPPicture.lossless(
        rgba: raster.bytes.span, width: raster.size.width, height: raster.size.height)
    } catch {
      throw MagickError(call: "WebPEncode", message: error.message)
    }
  }

  /// Returns the same bytes as libwebp, but reuses an earlier picture's compressed alpha.
  func file(of raster: Raster, quality: Int?, isFine: Bool) throws(MagickError) -> Data {
    do throws(WebPError) {
      var picture = try WebPPicture(
        rgba: raster.bytes.span, width: raster.size.width, height: raster.size.height,
        isFine: isFine)
      guard let bytes = picture.alpha else { return try picture.encoded(quality: quality) }
      let alpha = Alpha(size: raster.size, bytes: bytes)
      if let head = heads[alpha] {
        picture.dropAlpha()
        return head.joined(to: try picture.encoded(quality: quality))
      }
      let file = try picture.encoded(quality: quality)
      if let head = WebPHead(of: file) {
        heads.keep(head, for: alpha, cost: bytes.count + head.count)
      }
      return file
    } catch {
      throw MagickError(call: "WebPEncode", message: error.message)
    }
  }
}
