import Imaging
import Recipes
import Testing

struct GuidesTests {
  private static let black: [UInt8] = [0, 0, 0, 255]
  private static let clear: [UInt8] = [0, 0, 0, 0]

  @Test func `each side of the frame contains only its own guide`() throws {
    let layout = CanvasLayout(9, room: 1, outline: Outline(radius: 3))
    let effect = Effect.guides(NinePatchGuides(stretched: 2..<4, content: 1..<8))
    let pixels = try layout.rendered([effect])
    let plain = try layout.rendered([])
    for y in 0..<11 {
      for x in 0..<11 {
        let isFrame = x == 0 || y == 0 || x == 10 || y == 10
        let isLine =
          (y == 0 && (3...4).contains(x)) || (x == 0 && (3...4).contains(y))
          || (y == 10 && (2...8).contains(x)) || (x == 10 && (2...8).contains(y))
        let wanted = isLine ? Self.black : isFrame ? Self.clear : plain[x, y]
        #expect(pixels[x, y] == wanted, "\(x), \(y)")
      }
    }
  }

  /// Android reports translucent pixels in the frame as an error.
  @Test func `the guides replace all pixels in the frame`() throws {
    let layout = CanvasLayout(8, room: 1, outline: Outline(radius: 4))
    let shadow = Effect.shadow(Shadow(color: .ruby, radius: 2, x: 1, y: 1, outset: 1))
    let effect = Effect.guides(NinePatchGuides(stretched: 0..<8, content: 3..<4))
    let pixels = try layout.rendered([shadow, effect])
    let shadowed = try layout.rendered([shadow])
    #expect(shadowed.alpha(0, 4) > 0)
    for place in 0..<10 {
      for (x, y) in [(place, 0), (0, place), (place, 9), (9, place)] {
        #expect([Self.black, Self.clear].contains(pixels[x, y]), "\(x), \(y)")
      }
    }
    for (x, y) in [(0, 0), (9, 0), (0, 9), (9, 9)] { #expect(pixels[x, y] == Self.clear) }
    #expect(pixels[4, 4] == shadowed[4, 4])
  }
}
