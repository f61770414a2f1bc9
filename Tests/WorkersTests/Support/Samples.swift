import Foundation
import Recipes
import Workers

/// Requests and bytes that tests send to workers.
enum Samples {
  /// The usual six: a circle at 1x, 2x and 3x, each as WebP and PNG.
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

  /// A request whose source is a picture that `seed` decides.
  static func raster(
    seed: Int = 1, side: Int = 96, recipes: [Recipe]? = nil
  ) -> RenderRequest {
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

  /// A black PNG, `side` pixels square, of which nothing but the size is large.
  static func blankPNG(side: Int) -> Data {
    var png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    // 8 bit, red green blue, not interlaced.
    png.append(chunk("IHDR", bigEndian(side) + bigEndian(side) + [8, 2, 0, 0, 0]))
    png.append(chunk("IDAT", Deflate.zeros(side * (side * 3 + 1))))
    png.append(chunk("IEND", []))
    return png
  }

  /// A progressive JPEG that says nothing in 64 scans, each of which visits every block.
  static func scanBomb(side: Int) -> Data {
    var jpeg = Data([0xFF, 0xD8])
    jpeg.append(segment(0xDB, [0] + [UInt8](repeating: 1, count: 64)))
    let size = [UInt8(side >> 8), UInt8(side & 0xFF), UInt8(side >> 8), UInt8(side & 0xFF)]
    jpeg.append(
      segment(0xC2, [8] + size + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]))
    // One code of one bit in a table for DC and in one for AC.
    let code: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
    jpeg.append(segment(0xC4, [0x00] + code + [0x10] + code))
    jpeg.append(segment(0xDA, [3, 1, 0x00, 2, 0x00, 3, 0x00, 0, 0, 0x00]))
    // One bit a block and channel, so that no data is missing; then as many scans as are allowed.
    let blocks = (side + 7) / 8 * ((side + 7) / 8)
    jpeg.append(Data(count: (3 * blocks + 7) / 8))
    for scan in 0..<63 {
      jpeg.append(segment(0xDA, [1, UInt8(scan % 3 + 1), 0x00, 1, 63, 0x00]))
    }
    jpeg.append(contentsOf: [0xFF, 0xD9])
    return jpeg
  }

  private static func segment(_ marker: UInt8, _ body: [UInt8]) -> Data {
    let length = body.count + 2
    return Data([0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + body)
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> Data {
    let named = Array(name.utf8) + body
    return Data(bigEndian(body.count) + named + bigEndian(Int(crc32(named))))
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~crc
  }
}

/// A zlib stream of nothing but zeros, 1,000 times smaller than they are.
enum Deflate {
  static func zeros(_ count: Int) -> [UInt8] {
    var bits = BitWriter()
    // The last block, with the fixed codes.
    bits.write(0b011, count: 3)
    bits.write(code: 0x30, count: 8)
    var left = count - 1
    // 258 times the byte before: symbol 285, then distance 1.
    while left >= 258 {
      bits.write(code: 0xC5, count: 8)
      bits.write(code: 0, count: 5)
      left -= 258
    }
    for _ in 0..<left { bits.write(code: 0x30, count: 8) }
    bits.write(code: 0, count: 7)
    let adler = UInt32(count % 65_521) << 16 | 1
    let sum = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: adler >> UInt32($0)) }
    return [0x78, 0x01] + bits.bytes + sum
  }

  private struct BitWriter {
    var bytes: [UInt8] = []
    private var filled = 8

    mutating func write(_ value: Int, count: Int) {
      for bit in 0..<count { write(bit: value >> bit & 1) }
    }

    /// Huffman codes begin with their highest bit.
    mutating func write(code: Int, count: Int) {
      for bit in (0..<count).reversed() { write(bit: code >> bit & 1) }
    }

    private mutating func write(bit: Int) {
      if filled == 8 {
        bytes.append(0)
        filled = 0
      }
      bytes[bytes.count - 1] |= UInt8(bit << filled)
      filled += 1
    }
  }
}
