import Recipes
import TestSupport
import Workers

enum Samples {
  /// Returns six recipes: a circle at 1x, 2x and 3x, each as WebP and PNG.
  static func recipes(side: Int = 64) -> [Recipe] {
    [1, 2, 3].flatMap { scale in
      [OutputFormat.webp, .png].map { recipe(side: side * scale, base: side * 3, $0) }
    }
  }

  static func recipe(side: Int, base: Int? = nil, _ format: OutputFormat) -> Recipe {
    let box = PixelSize(width: side, height: side)
    let base = base ?? side
    return Recipe(
      frame: Frame(base: PixelSize(width: base, height: base), box: box, fit: .fill),
      outline: .circle(in: box), effects: [],
      encoding: Encoding(format: format, quality: format.defaultQuality))
  }

  /// Returns a request whose pixels depend on `seed`.
  static func raster(seed: Int = 1, side: Int = 96, recipes: [Recipe]? = nil) -> RenderRequest {
    var pixels = Data(capacity: side * side * 4)
    for y in 0..<side {
      for x in 0..<side {
        pixels.append(contentsOf: [
          UInt8(truncatingIfNeeded: x &* seed), UInt8(truncatingIfNeeded: y &+ seed),
          UInt8(truncatingIfNeeded: (x ^ y) &+ seed &* 7), 255,
        ])
      }
    }
    return RenderRequest(
      source: .raster(PixelSize(width: side, height: side)), payload: pixels,
      recipes: recipes ?? [recipe(side: 48, .png)])
  }

  static func png(_ bytes: Data, side: Int, recipes: [Recipe]? = nil) -> RenderRequest {
    let inspection = Inspection(format: .png, size: PixelSize(width: side, height: side))
    return RenderRequest(
      source: .encoded(inspection, reduction: 1), payload: bytes,
      recipes: recipes ?? [recipe(side: 64, .png)])
  }

  /// Returns a black PNG of `side` × `side` pixels in few bytes.
  static func blankPNG(side: Int) -> Data {
    let data = TestPicture.chunk("IDAT", Zlib.zeros(side * (side * 3 + 1)))
    return TestPicture.png(width: side, height: side, kind: .color, chunks: [data])
  }

  /// Returns a progressive JPEG with 64 empty scans, each of which visits every block.
  static func scanBomb(side: Int) -> Data {
    var jpeg: [UInt8] = [0xFF, 0xD8]
    jpeg += TestPicture.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    jpeg += TestPicture.frameSegment(width: side, height: side, channels: 3, marker: 0xC2)
    // A DC and an AC table, each with a single code of one bit.
    let code: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
    jpeg += TestPicture.segment(0xC4, [0x00] + code + [0x10] + code)
    jpeg += TestPicture.scanSegment(channels: [1, 2, 3], from: 0, through: 0)
    // One bit per block and channel, so that no data is missing; then as many scans as are allowed.
    let blocks = (side + 7) / 8 * ((side + 7) / 8)
    jpeg += [UInt8](repeating: 0, count: (3 * blocks + 7) / 8)
    for scan in 0..<63 {
      jpeg += TestPicture.scanSegment(channels: [UInt8(scan % 3 + 1)], from: 1, through: 63)
    }
    return Data(jpeg + [0xFF, 0xD9])
  }
}
