import Foundation
import Magick

/// Loads every coder by using it once: coders are opened at first use, which a locked-in worker
/// could not do, and a missing one must show at the start.
enum WarmUp {
  static func run() throws(ImagingRuntime.Refusal) {
    let size = PixelSize(width: 8, height: 8)
    let raster = Raster(size: size, filledWith: Color(red: 200, green: 100, blue: 50))
    for format in OutputFormat.allCases {
      let encoding = Encoding(format: format, quality: format.defaultQuality)
      do throws(MagickError) {
        let image = try encoding.encode(raster)
        var canvas = try Canvas(decoding: image.bytes, coder: format.coder)
        try canvas.normalizeColors()
        guard canvas.width == size.width, canvas.height == size.height else {
          throw MagickError(call: "warm-up", message: "8 × 8 pixels did not come back")
        }
      } catch {
        throw ImagingRuntime.Refusal(
          reason: "ImageMagick cannot write and read \(format.rawValue): \(error.sentence)")
      }
    }
    // GIF is only read. The smallest one: 1 × 1, two colours.
    let gif = Data([
      0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255,
      0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
    ])
    do throws(MagickError) {
      _ = try Canvas(decoding: gif, coder: "GIF")
    } catch {
      throw ImagingRuntime.Refusal(reason: "ImageMagick cannot read gif: \(error.sentence)")
    }
  }
}
