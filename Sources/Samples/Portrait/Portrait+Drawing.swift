package import Foundation
package import Recipes
package import Workers

extension Portrait {
  /// How much wider the board is than the shorter side: the face is what an avatar shows.
  private static let zoom: Float = 1.1
  /// Larger pictures get noise, so that their files and decoding times are those of photographs.
  private static let largestWithoutNoise = 1200

  /// Pixels of the portrait in a picture of this size; a transparent one has no backdrop.
  ///
  /// Each row is painted from the back to the front, so only one row of exact colours is in memory.
  package func drawn(at size: PixelSize, isTransparent: Bool = false) -> Drawing {
    let (width, height) = (Float(size.width), Float(size.height))
    let side = min(width, height)
    let board = side * Self.zoom
    let top = height - board - min((height - side) / 2, side * 0.12)
    let corner = SIMD2((width - board) / 2, top)
    let groups = isTransparent ? figure : [(backdrop, lean: 0)] + figure
    let (sky, ground) = (colors.sky.premultiplied, colors.ground.premultiplied)
    let noise: Float = max(size.width, size.height) > Self.largestWithoutNoise ? 0.6 : 0
    var random = RandomStream(seed: seed, stream: 3)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.width * size.height * 4)
    for y in 0..<size.height {
      let paper = isTransparent ? .zero : sky + (ground - sky) * (Float(y) / height)
      var row = PixelRow(pixels: Array(repeating: paper, count: size.width))
      for (shapes, lean) in groups {
        row.cross(
          from: (SIMD2(0.5, Float(y) + 0.5) - corner) * (1000 / board), step: 1000 / board,
          leaning: lean)
        for shape in shapes { shape.paint(on: &row) }
      }
      for pixel in row.pixels {
        let scale = pixel.w > 0 ? 255 / pixel.w : 0
        let grain = scale == 0 ? 0 : noise * (Float(random.next() >> 61) - 3.5) + 0.5
        for channel in 0..<3 {
          bytes.append(UInt8(min(max(pixel[channel] * scale + grain, 0), 255)))
        }
        bytes.append(UInt8(min(pixel.w * 255 + 0.5, 255)))
      }
    }
    return Drawing(bytes: Data(bytes), size: size)
  }
}

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
