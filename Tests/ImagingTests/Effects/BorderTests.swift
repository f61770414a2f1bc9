import Foundation
import Imaging
import Recipes
import Testing

struct BorderTests {
  private static let translucent = Color(red: 255, green: 0, blue: 0, alpha: 0x80)

  private func render(
    _ border: Border, on color: Color = .sky, side: Int = 100, outline: Outline? = nil
  ) throws -> Pixels {
    try ImageMagick.start()
    var picture = try Picture(.color(color))
    let outline = outline ?? Outline.circle(in: PixelSize(width: side, height: side))
    return try Pixels(
      try picture.rendered(.simple(side, outline: outline, effects: [.border(border)])))
  }

  /// A8: a translucent ring is composited over the picture, and the corners stay transparent.
  @Test func `the picture shows through a translucent ring`() throws {
    let image = try render(Border(width: 5, color: Self.translucent, mode: .over))
    #expect(image[49, 2] == [153, 50, 101, 255])
    #expect(image[49, 6] == [51, 102, 204, 255])
    #expect(image[0, 0] == [0, 0, 0, 0])
  }

  /// A9: an inset ring replaces the picture, and an opaque ring leaves no gap in the alpha.
  @Test func `an inset ring replaces the picture below it and leaves no seam`() throws {
    let image = try render(Border(width: 5, color: Self.translucent, mode: .inset))
    #expect(image[49, 2] == [255, 0, 0, 128])
    #expect(image[49, 6] == [51, 102, 204, 255])
    for width in [1, 2.5, 5, 7.3] {
      let opaque = try render(Border(width: width, color: .ruby, mode: .inset))
      for degrees in 0..<360 {
        let angle = Double(degrees) * .pi / 180
        // A slanted ray ends half a pixel earlier, where pixels are still fully covered.
        for step in 0...(degrees % 90 == 0 ? 98 : 97) {
          let distance = Double(step) / 2
          let x = Int((49.5 + cos(angle) * distance).rounded())
          let y = Int((49.5 + sin(angle) * distance).rounded())
          #expect(opaque.alpha(x, y) >= 250)
        }
      }
    }
  }

  /// A10: the ring follows the corners, and the picture fills the inside of each corner.
  @Test func `a border follows the corners`() throws {
    let image = try render(
      Border(width: 5, color: .ruby, mode: .over), outline: Outline(radius: 10))
    #expect(image[2, 50] == [255, 0, 0, 255])
    #expect(image[50, 2] == [255, 0, 0, 255])
    #expect(image[15, 15] == [51, 102, 204, 255])
    #expect(image.alpha(0, 0) == 0)
  }

  /// A11: a border of half the side fills the circle with its colour.
  @Test(arguments: [PlainRing.over, .inset])
  func `a border as wide as half the side forms a disc`(mode: PlainRing) throws {
    let image = try render(Border(width: 50, color: .ruby, mode: mode))
    for y in 0..<100 {
      for x in 0..<100 where hypot(Double(x) - 49.5, Double(y) - 49.5) < 49 {
        #expect(image[x, y] == [255, 0, 0, 255])
      }
    }
    let thinner = try render(Border(width: 49, color: .ruby, mode: mode))
    #expect(thinner[49, 49][2] > 100)
  }
}
