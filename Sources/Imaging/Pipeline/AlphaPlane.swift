import Foundation
import Magick
import Recipes

/// The alpha of a picture whose decoder does not deliver it.
struct AlphaPlane {
  let values: [UInt8]
  let width: Int
  /// Whether the colours were multiplied with it.
  let isPremultiplied: Bool

  /// Nil when the file has none; it must have the size of its picture.
  init?(ofHEIF file: Data, coder: String, size: PixelSize) throws(Rejection) {
    guard let alpha = try HEIFMeta.alphaFile(of: file) else { return nil }
    do throws(MagickError) {
      let canvas = try Canvas(decoding: alpha.file, coder: coder)
      guard canvas.width == size.width, canvas.height == size.height else {
        throw MagickError(call: "alpha", message: "it has another size than its picture")
      }
      // What is stored as brightness comes first, whatever the colour model; the rest is empty.
      let pixels = try canvas.rgba()
      let span = pixels.span
      var values = [UInt8](repeating: 0, count: span.count / 4)
      for index in values.indices { values[index] = span[index &* 4] }
      self.values = values
    } catch {
      throw Rejection(.decodeFailed, error.sentence)
    }
    width = size.width
    isPremultiplied = alpha.isPremultiplied
  }

  /// Gives a part of the picture, RGBA, the transparency that it has.
  func apply(to bytes: inout [UInt8], columns: Range<Int>, rows: Range<Int>) {
    var pixels = bytes.mutableSpan
    let values = values.span
    var at = 0
    for row in rows {
      for column in columns {
        let alpha = values[row &* width &+ column]
        if isPremultiplied, alpha > 0 {
          for channel in at..<at &+ 3 {
            let whole = (Int(pixels[channel]) &* 255 &+ Int(alpha) / 2) / Int(alpha)
            pixels[channel] = UInt8(min(whole, 255))
          }
        }
        pixels[at &+ 3] = alpha
        at &+= 4
      }
    }
  }
}
