package import Foundation
package import Recipes
package import Workers

/// Raw pixels: RGBA, 8 bits a channel, straight alpha, row by row.
package struct Drawing: Hashable, Sendable {
  package let bytes: Data
  package let size: PixelSize

  package init(bytes: Data, size: PixelSize) {
    precondition(bytes.count == size.width * size.height * 4, "four bytes a pixel")
    self.bytes = bytes
    self.size = size
  }

  /// The pixels as a phone stores them that is held upright: a quarter turn clockwise, which EXIF
  /// orientation 6 asks of the viewer, shows them as they were.
  package func lyingOnItsSide() -> Drawing {
    let pixels = [UInt8](bytes)
    var turned: [UInt8] = []
    turned.reserveCapacity(pixels.count)
    for x in (0..<size.width).reversed() {
      for start in stride(from: x * 4, to: pixels.count, by: size.width * 4) {
        for channel in 0..<4 { turned.append(pixels[start + channel]) }
      }
    }
    return Drawing(
      bytes: Data(turned), size: PixelSize(width: size.height, height: size.width))
  }

  /// The job that asks a worker for the file, pixel for pixel.
  package func request(as format: OutputFormat) -> RenderRequest {
    RenderRequest(
      source: .raster(size), payload: bytes,
      recipes: [
        Recipe(
          frame: Frame(base: size, box: size, fit: .stretch), outline: .square, effects: [],
          encoding: Encoding(format: format, quality: format.defaultQuality))
      ])
  }
}
