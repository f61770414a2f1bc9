import Imaging
import Magick
import Recipes
import TestSupport

struct FlatPictureTests {
  private static let webp = Encoding(format: .webp, quality: 80)

  /// Returns stripes in `colors` colours, of which `veiled` are translucent.
  private static func stripes(_ colors: Int, _ width: Int, _ height: Int, veiled: Int = 0)
    -> Pixels
  {
    Pixels(width: width, height: height) { x, y in
      let number = (y * width + x) % colors
      return [
        UInt8(number * 7 % 256), UInt8(number / 37 * 29 % 256), 200,
        number < veiled ? UInt8(1 + number % 254) : 255,
      ]
    }
  }

  /// Returns the bit depth and colour type in the header.
  private static func kind(_ image: RenderedImage) -> [UInt8] { Array(image.bytes[24..<26]) }

  /// An ICO supports neither palettes nor grayscale.
  @Test func `a PNG without a palette stores all four channels`() throws {
    for pixels in [Self.stripes(3, 20, 20), .solid(Color(red: 9, green: 9, blue: 9), 20, 20)] {
      var picture = try pixels.picture()
      let encoding = Encoding(format: .png, pixels: .direct)
      let image = try picture.rendered(.simple(20, encoding: encoding))
      #expect(Self.kind(image) == [8, 6])
      #expect(try Pixels(image) == pixels)
    }
    // If the JSON of a default encoding changed, every cached image would be re-rendered.
    let usual = try JSONEncoder().encode(Encoding(format: .png))
    #expect(String(decoding: usual, as: UTF8.self) == "{\"format\":\"png\"}")
  }

  @Test(arguments: [(1, 1), (2, 1), (3, 2), (4, 2), (5, 4), (16, 4), (17, 8), (255, 8), (256, 8)])
  func `a palette uses the fewest bits and is lossless`(colors: Int, depth: Int) throws {
    for (width, height) in [(60, 40), (61, 37), (1_031, 3)] {
      for veiled in [0, 1, colors / 2, colors] {
        let pixels = Self.stripes(colors, width, height, veiled: veiled)
        var picture = try pixels.picture()
        let image = try picture.rendered(.simple(width, height))
        #expect(try Pixels(image) == pixels)
        #expect(Self.kind(image) == [UInt8(depth), 3], "\(colors) \(width) \(veiled)")
        let names = Anatomy.png(image.bytes)
        #expect(names == (veiled > 0 ? ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"] : names))
        #expect(names.contains("tRNS") == (veiled > 0))
        #expect(try Inspection(inspecting: image.bytes).size == pixels.size)
      }
    }
  }

  @Test func `a picture with 257 colours does not get a palette`() throws {
    let pixels = Self.stripes(257, 60, 40)
    var picture = try pixels.picture()
    let image = try picture.rendered(.simple(60, 40))
    #expect(Self.kind(image) == [8, 2])
    #expect(try Pixels(image) == pixels)
  }

  @Test func `a palette lists transparent colours first, then the rest by frequency`() throws {
    let pixels = Pixels(width: 100, height: 50) { x, _ in
      switch x {
      case ..<60: [10, 20, 30, 255]
      case ..<70: [9, 9, 9, 255]
      case ..<80: [8, 8, 8, 255]
      default: [200, 100, 50, x < 90 ? 128 : 64]
      }
    }
    var picture = try pixels.picture()
    let bytes = [UInt8](try picture.rendered(.simple(100, 50)).bytes)
    // The chunk's data starts after the signature, the header, and a length and name.
    let colors: [UInt8] = [200, 100, 50, 200, 100, 50, 10, 20, 30, 8, 8, 8, 9, 9, 9]
    #expect(Array(bytes[41..<41 + 15]) == colors)
    #expect(Array(bytes[41 + 15 + 12..<41 + 15 + 14]) == [64, 128])
  }

  @Test func `a palette halves the file size of a disc and quarters that of a square`() throws {
    try ImageMagick.start()
    let side = 192
    let size = PixelSize(width: side, height: side)
    for (outline, factor) in [(Outline.circle(in: size), 2.0), (.square, 4)] {
      var blank = try Picture(.color(.sky))
      let image = try blank.rendered(.simple(side, outline: outline))
      let pixels = try Pixels(image)
      let other = try Canvas(rgba: pixels.bytes.span, width: side, height: side)
        .encoded(as: "PNG", options: [("png:color-type", "6"), ("png:exclude-chunks", "all")])
      #expect(Double(image.bytes.count) * factor < Double(other.count))
    }
  }

  @Test func `a very small picture does not get a palette`() throws {
    try ImageMagick.start()
    for color in [Color.sky, Color(red: 1, green: 2, blue: 3, alpha: 4)] {
      var blank = try Picture(.color(color))
      let image = try blank.rendered(.simple(1))
      #expect(Self.kind(image)[1] != 3)
      #expect(image.bytes.count <= 100)
    }
  }

  @Test func `a grey picture is stored losslessly in one channel`() throws {
    for isVeiled in [false, true] {
      let pixels = Pixels(width: 64, height: 64) { x, y in
        let value = UInt8((x * 31 + y * y * 7 + x * y) & 255)
        return [value, value, value, isVeiled ? UInt8(1 + (x * 13 + y * 5) % 255) : 255]
      }
      var picture = try pixels.picture()
      let image = try picture.rendered(.simple(64))
      #expect(try Pixels(image) == pixels)
      let smooth = Pixels(width: 64, height: 64) { x, y in
        let value = UInt8(x + y)
        return [value, value, value, isVeiled ? UInt8(255 - y * 3) : 255]
      }
      picture = try smooth.picture()
      let ramp = try picture.rendered(.simple(64))
      #expect(try Pixels(ramp) == smooth)
      #expect(Self.kind(isVeiled ? image : ramp) == [8, isVeiled ? 4 : 0])
    }
  }

  @Test func `a flat WebP is lossless, including its alpha`() throws {
    let pixels = Pixels(width: 96, height: 96) { x, y in
      switch (x / 12 + y / 16) % 5 {
      case 0: [0, 0, 0, 0]
      case 1: [255, 0, 0, 1]
      case 2: [3, 250, 17, 128]
      case 3: [255, 255, 254, 254]
      default: [1, 2, 3, 255]
      }
    }
    var picture = try pixels.picture()
    let image = try picture.rendered(.simple(96, encoding: Self.webp))
    #expect(try Pixels(image, as: .webp) == pixels)
    #expect(Anatomy.webp(image.bytes) == ["VP8L"])
  }

  @Test func `the smaller WebP is chosen, so a photo stays lossy`() throws {
    var scene = try Pixels.scene(96, 96).picture()
    #expect(
      Anatomy.webp(try scene.rendered(.simple(96, encoding: Self.webp)).bytes).contains("VP8 "))
    // The picture has few colours, but lossless compression would add most of a kilobyte.
    var random = SeededRandom(seed: 5)
    let noise = Pixels(width: 64, height: 64) { _, _ in
      let value = UInt8.random(in: 100...160, using: &random)
      return [value, value, value, 255]
    }
    var picture = try noise.picture()
    let image = try picture.rendered(.simple(64, encoding: Self.webp))
    #expect(Anatomy.webp(image.bytes) == ["VP8 "])
  }

  @Test func `a picture with many different greys does not get a palette`() throws {
    for (count, type) in [(16, 3), (17, 0)] {
      var random = SeededRandom(seed: 6)
      let noise = Pixels(width: 80, height: 60) { _, _ in
        let value = UInt8(Int.random(in: 0..<count, using: &random) * 15)
        return [value, value, value, 255]
      }
      var picture = try noise.picture()
      let image = try picture.rendered(.simple(80, 60))
      #expect(Self.kind(image)[1] == UInt8(type))
      #expect(try Pixels(image) == noise)
    }
  }

  @Test func `identical pictures produce identical files, whatever was rendered before`() throws {
    let pixels = Self.stripes(100, 60, 40, veiled: 50)
    var first = try pixels.picture()
    var second = try Self.stripes(255, 60, 40).picture()
    _ = try second.rendered(.simple(60, 40))
    second = try pixels.picture()
    for encoding in [Encoding(format: .png), Self.webp] {
      let recipe = Recipe.simple(60, 40, encoding: encoding)
      #expect(try first.rendered(recipe) == second.rendered(recipe))
    }
  }
}
