import Foundation
import Imaging
import Recipes
import Testing

struct OverlayTests {
  private static let dark = [
    Color(red: 0, green: 0, blue: 0, alpha: 0x1A), Color(red: 0, green: 0, blue: 0, alpha: 0x66),
  ]

  private func image(
    _ fill: Fill, on color: Color = .white, outline: Outline = .square
  ) throws -> Pixels {
    try CanvasLayout(100, room: 0, outline: outline).rendered([.overlay(fill)], on: color)
  }

  /// E3: on white, the rows 0, 50 and 99 have the values 229, 190 and 153, within 1.
  @Test func `an overlay darkens from top to bottom`() throws {
    let overlay = Effect.overlay(.linear(Self.dark, degrees: 180))
    try ImageMagick.start()
    var picture = try Picture(.color(.white))
    let file = try picture.rendered(.simple(100, effects: [overlay]))
    #expect(file.bytes[24] == 8)
    let image = try Pixels(file)
    for (row, wanted) in [(0, 229), (50, 190), (99, 153)] {
      for column in [0, 31, 99] {
        let pixel = image[column, row]
        #expect(abs(Int(pixel[0]) - wanted) <= 1)
        #expect(pixel == [pixel[0], pixel[0], pixel[0], 255])
      }
    }
  }

  /// E5: of three colours, the second is in the middle row; a single colour is flat.
  @Test func `overlay colours are evenly spaced`() throws {
    let three = try image(.linear([.ruby, .sky, .lime], degrees: 180))
    for (value, wanted) in zip(three[50, 50], [51, 102, 204, 255]) {
      #expect(abs(Int(value) - wanted) <= 3)
    }
    for row in [49, 50] {
      let middle = zip(three[50, row], [51, 102, 204, 255]).map { abs(Int($0) - $1) }
      #expect((middle.max() ?? 9) <= 3)
    }
    let tall = try CanvasLayout(1, 1001, room: 0, outline: .square).rendered(
      [.overlay(.linear([.ruby, .sky, .lime], degrees: 180))], on: .white)
    for (value, wanted) in zip(tall[0, 500], [51, 102, 204, 255]) {
      #expect(abs(Int(value) - wanted) <= 1)
    }
    let flat = try image(.solid(Color(red: 0, green: 0, blue: 0, alpha: 51)))
    #expect(Set(flat.bytes) == [204, 255])
    let five = try image(.linear([.ruby, .lime, .ruby, .lime, .ruby], degrees: 90))
    #expect(five[25, 0][1] > 245 && five[50, 0][0] > 245 && five[75, 0][1] > 245)
  }

  /// E1: an overlay never paints outside the shape.
  @Test func `an overlay stays inside the outline and does not change its edge`() throws {
    let circle = Outline(radius: 50)
    let image = try image(.linear(Self.dark, degrees: 180), on: .sky, outline: circle)
    let mask = Mask(circle, size: PixelSize(width: 100, height: 100))
    #expect(image.alphas == mask.coverage.map(Int.init))
    #expect(image.alpha(0, 0) == 0)
  }

  @Test func `an overlay is visible where the picture is transparent`() throws {
    let half = Color(red: 255, green: 0, blue: 0, alpha: 128)
    let circle = Outline(radius: 50)
    let clear = try image(.solid(half), on: .clear, outline: circle)
    #expect(clear[50, 50] == [255, 0, 0, 128])
    let mask = Mask(circle, size: PixelSize(width: 100, height: 100))
    for (alpha, covered) in zip(clear.alphas, mask.coverage) {
      #expect(abs(alpha * 255 - Int(covered) * 128) <= 255)
    }
    let translucent = try image(.solid(half), on: Color(red: 0, green: 0, blue: 255, alpha: 100))
    #expect(abs(translucent.alpha(50, 50) - 178) <= 1)
  }

  @Test(arguments: [
    (0.0, 50, 99, 50, 0), (90, 0, 50, 99, 50), (180, 50, 0, 50, 99), (270, 99, 50, 0, 50),
    (45, 0, 99, 99, 0), (135, 0, 0, 99, 99), (225, 99, 0, 0, 99), (315, 99, 99, 0, 0),
  ])
  func `gradient directions match CSS`(
    degrees: Double, fromX: Int, fromY: Int, toX: Int, toY: Int
  ) throws {
    let blue = Color(red: 0, green: 0, blue: 255)
    let image = try image(.linear([.ruby, blue], degrees: degrees))
    #expect(image[fromX, fromY][0] >= 252 && image[fromX, fromY][2] <= 3)
    #expect(image[toX, toY][2] >= 252 && image[toX, toY][0] <= 3)
    #expect(abs(Int(image[50, 50][0]) - 127) <= 3)
  }

  @Test func `an overlay spans the box, not the canvas`() throws {
    let blue = Color(red: 0, green: 0, blue: 255)
    let image = try CanvasLayout(40, room: 30, outline: .square).rendered(
      [.overlay(.linear([.ruby, blue], degrees: 180))], on: .white)
    #expect(image[50, 30][0] >= 250)
    #expect(image[50, 69][2] >= 250)
    #expect(image.alpha(50, 29) == 0)
  }

  @Test func `an overlay with 200 colours shows each at its position`() throws {
    let (black, white) = (Color(red: 0, green: 0, blue: 0), Color.white)
    let colors = (0..<200).map { $0 % 2 == 0 ? black : white }
    let layout = CanvasLayout(1990, 1, room: 0, outline: .square)
    let image = try layout.rendered([.overlay(.linear(colors, degrees: 90))])
    for x in 0..<1990 {
      let way = (Double(x) + 0.5) / 1990 * 199
      let wave = abs(way.remainder(dividingBy: 2))
      #expect(abs(Double(image[x, 0][0]) - 255 * wave) <= 2, "column \(x)")
    }
  }
}
