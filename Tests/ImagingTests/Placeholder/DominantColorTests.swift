import Imaging
import Recipes
import Testing

struct DominantColorTests {
  private func color(_ pixels: Pixels) throws -> Color? {
    var picture = try pixels.picture()
    return try picture.rendered(.simple(pixels.width, pixels.height)).metadata.placeholder?.color
  }

  @Test func `the dominant colour of a uniform picture is its colour`() throws {
    #expect(try color(.solid(.sky, 100, 100)) == .sky)
    let veiled = Color(red: 200, green: 10, blue: 30, alpha: 100)
    #expect(try color(.solid(veiled, 20, 20)) == Color(red: 200, green: 10, blue: 30))
  }

  @Test func `the most frequent colour wins, not the mean`() throws {
    let pixels = Pixels(width: 30, height: 30) { x, _ in
      x < 16 ? [250, 0, 0, 255] : x < 23 ? [0, 0, 250, 255] : [0, 250, 0, 255]
    }
    #expect(try color(pixels) == Color(red: 250, green: 0, blue: 0))
  }

  @Test func `pixels are weighted by alpha`() throws {
    // The picture has 20 columns of red at a quarter alpha, and 10 of opaque blue.
    let pixels = Pixels(width: 30, height: 30) { x, _ in
      x < 20 ? [250, 0, 0, 64] : [0, 0, 250, 255]
    }
    #expect(try color(pixels) == Color(red: 0, green: 0, blue: 250))
  }

  @Test func `similar colours are averaged`() throws {
    let pixels = Pixels(width: 20, height: 20) { x, _ in [x < 10 ? 96 : 104, 33, 47, 255] }
    #expect(try color(pixels) == Color(red: 100, green: 33, blue: 47))
  }

  @Test func `the darker of two equally frequent colours wins`() throws {
    let pixels = Pixels(width: 20, height: 20) { x, _ in
      x < 10 ? [200, 200, 200, 255] : [20, 20, 20, 255]
    }
    #expect(try color(pixels) == Color(red: 20, green: 20, blue: 20))
  }

  @Test func `a ring or a shadow does not affect the dominant colour`() throws {
    // Each colour in the picture is rare, so a single colour around it would win if it counted.
    let pixels = Pixels(width: 40, height: 40) { x, y in
      [UInt8(120 + x * 3), UInt8(60 + y * 3), 40, 255]
    }
    let box = PixelSize(width: 40, height: 40)
    let frame = Frame(base: box, box: box, fit: .fill)
    let black = Color(red: 0, green: 0, blue: 0, alpha: 200)
    let around: [Effect] = [
      .border(Border(width: 6, color: .white, mode: .inset)),
      .shadow(Shadow(color: black, radius: 6, x: 0, y: 4, outset: 0)),
    ]
    let margins = Margins(top: 20, right: 20, bottom: 20, left: 20)
    func color(_ effects: [Effect], _ margins: Margins) throws -> Color? {
      var picture = try pixels.picture()
      let recipe = Recipe(
        frame: frame, outline: .circle(in: box), margins: margins, effects: effects,
        encoding: Encoding(format: .png))
      return try picture.rendered(recipe).metadata.placeholder?.color
    }
    let framed = try #require(try color(around, margins))
    let plain = try #require(try color([], .none))
    #expect(framed.blue == plain.blue && framed.blue == 40)
    #expect(abs(Int(framed.red) - Int(plain.red)) < 32)
  }
}
