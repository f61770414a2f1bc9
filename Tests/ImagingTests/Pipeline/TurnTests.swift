import Foundation
import Imaging
import Recipes
import Testing

struct TurnTests {
  /// Returns the stored pixels that show `upright` after an orientation is applied.
  private func stored(_ upright: Pixels, _ orientation: Int) -> Pixels {
    let (w, h) = (upright.width, upright.height)
    // The visible position of column c and row r; 6 means that row 0 is right and column 0 on top.
    func seen(_ c: Int, _ r: Int) -> (Int, Int) {
      switch orientation {
      case 2: (w - 1 - c, r)
      case 3: (w - 1 - c, h - 1 - r)
      case 4: (c, h - 1 - r)
      case 5: (r, c)
      case 6: (w - 1 - r, c)
      case 7: (w - 1 - r, h - 1 - c)
      case 8: (r, h - 1 - c)
      default: (c, r)
      }
    }
    return Pixels(width: orientation >= 5 ? h : w, height: orientation >= 5 ? w : h) { c, r in
      let (x, y) = seen(c, r)
      return upright[x, y]
    }
  }

  private func picture(_ pixels: Pixels, orientation: Int) throws -> Picture {
    try Picture(
      .encoded(Inspection(format: .png, size: pixels.size, orientation: orientation), reduction: 1),
      try pixels.encoded(as: "PNG"))
  }

  /// I11: all 8 variants have equal pixels within a tolerance; the result has no orientation tag.
  @Test(arguments: 1...8)
  func `pictures in all eight orientations look the same`(orientation: Int) throws {
    let upright = Pixels.scene(90, 61)
    var reference = try picture(upright, orientation: 1)
    var turned = try picture(stored(upright, orientation), orientation: orientation)
    let recipes = [
      Recipe.simple(40), .simple(40, 30, focus: Focus(x: 0.2, y: 0.9)), .simple(50, fit: .contain),
      .simple(33, 20, fit: .stretch), .simple(100),
      .simple(20, base: PixelSize(width: 40, height: 40), outline: Outline(radius: 7)),
    ]
    for recipe in recipes {
      let file = try turned.rendered(recipe)
      #expect(Anatomy.png(file.bytes) == ["IHDR", "IDAT", "IEND"])
      let image = try Pixels(file)
      #expect(image.difference(to: try Pixels(try reference.rendered(recipe))) <= 1)
    }
  }

  /// A7: a 40×20 JPEG with orientation 6 becomes 20×40, with blue on top.
  @Test func `a sideways photo is rotated upright`() throws {
    let lying = Pixels(width: 40, height: 20) { x, _ in
      x < 20 ? [0, 0, 255, 255] : [255, 0, 0, 255]
    }
    let inspection = Inspection(
      format: .jpeg, size: PixelSize(width: 40, height: 20), orientation: 6)
    var picture = try Picture(
      .encoded(inspection, reduction: 1), try lying.encoded(as: "JPEG", quality: 95))
    let image = try Pixels(try picture.rendered(.simple(20, 40)))
    #expect(image.size == PixelSize(width: 20, height: 40))
    #expect(image[10, 5][2] > 240 && image[10, 5][0] < 15)
    #expect(image[10, 35][0] > 240 && image[10, 35][2] < 15)
  }

  /// A6: only the top left corner is rounded, also for a source with EXIF orientation 6.
  @Test(arguments: [1, 6])
  func `only the requested corner is rounded`(orientation: Int) throws {
    var picture = try picture(.scene(40, 40), orientation: orientation)
    let outline = Outline(topLeft: 12, topRight: 0, bottomRight: 0, bottomLeft: 0)
    let image = try Pixels(try picture.rendered(.simple(40, outline: outline)))
    #expect(image.alpha(0, 0) == 0)
    #expect(image.alpha(39, 0) == 255)
    #expect(image.alpha(0, 39) == 255)
    #expect(image.alpha(39, 39) == 255)
  }
}
