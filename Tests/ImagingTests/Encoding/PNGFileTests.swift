import Imaging
import Recipes
import TestSupport

struct PNGFileTests {
  private static func noise(_ width: Int, _ height: Int, isGray: Bool, isOpaque: Bool) -> Pixels {
    var state: UInt32 = 7
    func next() -> UInt8 {
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    return Pixels(width: width, height: height) { _, _ in
      let red = next()
      return [red, isGray ? red : next(), isGray ? red : next(), isOpaque ? 255 : max(1, next())]
    }
  }

  /// Decodes the file with ImageMagick and with the tests' own reader.
  private static func check(_ pixels: Pixels, type: UInt8) throws {
    var picture = try pixels.picture()
    let image = try picture.rendered(.simple(pixels.width, pixels.height))
    let what = Comment("\(pixels.width) x \(pixels.height), type \(type)")
    #expect(image.bytes[25] == type, what)
    #expect(try Pixels(image) == pixels, what)
    #expect(try PNGReader(image.bytes).pixels == pixels.bytes, what)
    #expect(try Inspection(inspecting: image.bytes).size == pixels.size, what)
    // Noise grows by less than one percent plus the chunks; each row has a filter byte.
    let channels = [0: 1, 2: 3, 4: 2][type, default: 4]
    let rows = (pixels.width * channels + 1) * pixels.height
    #expect(image.bytes.count < rows * 101 / 100 + 300, what)
  }

  @Test(arguments: [(1, 8_192), (8_192, 1), (1, 300), (300, 1), (17, 23), (400, 300)])
  func `noise of every kind survives a round trip`(width: Int, height: Int) throws {
    for (isGray, isOpaque, type) in [
      (true, true, UInt8(0)), (false, true, 2), (true, false, 4), (false, false, 6),
    ] {
      let pixels = Self.noise(width, height, isGray: isGray, isOpaque: isOpaque)
      // Pictures with up to 256 greys are stored with a palette.
      let isFlat =
        Set(
          stride(from: 0, to: pixels.bytes.count, by: 4).map { pixels.bytes[$0..<$0 + 4] }
        ).count <= 256
      if !isFlat { try Self.check(pixels, type: type) }
    }
  }

  @Test(arguments: [(1, 1), (1, 8_192), (8_192, 1), (640, 480)])
  func `a fully transparent picture takes few bytes`(width: Int, height: Int) throws {
    let clear = Pixels.solid(Color(red: 0, green: 0, blue: 0, alpha: 0), width, height)
    for pixels: Encoding.PixelForm? in [nil, .direct] {
      var picture = try clear.picture()
      let image = try picture.rendered(
        .simple(width, height, encoding: Encoding(format: .png, pixels: pixels)))
      #expect(try Pixels(image) == clear)
      #expect(try PNGReader(image.bytes).pixels == clear.bytes)
      #expect(image.bytes.count < 100 + width * height / 50)
    }
  }
}
