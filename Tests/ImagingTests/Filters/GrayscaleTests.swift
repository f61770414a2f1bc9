import Foundation
import Imaging
import Recipes
import Testing

struct GrayscaleTests {
  private func filtered(_ pixels: Pixels) throws -> Pixels { try pixels.filtered(.grayscale) }

  @Test func `a colour becomes a grey with the same luma`() throws {
    let colors: [[UInt8]] = [
      [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 0, 99],
    ]
    let image = try filtered(Pixels(width: 2, height: 2) { x, y in colors[y * 2 + x] })
    // Computed by hand with the BT.709 weights: 0.2126, 0.7152 and 0.0722 of 255.
    let wanted: [[UInt8]] = [
      [54, 54, 54, 255], [182, 182, 182, 255], [18, 18, 18, 255], [237, 237, 237, 99],
    ]
    for index in 0..<4 { #expect(image[index % 2, index / 2] == wanted[index]) }
  }

  @Test func `greyscale does not change greys`() throws {
    let grays = Pixels(width: 16, height: 16) { x, y in
      let gray = UInt8(y * 16 + x)
      return [gray, gray, gray, 255]
    }
    #expect(try filtered(grays) == grays)
  }

  @Test func `greyscale preserves transparency`() throws {
    let image = try filtered(
      Pixels(width: 16, height: 16) { x, y in [200, 90, 10, UInt8(y * 16 + x)] })
    #expect(image.alphas == Array(0...255))
  }
}

extension Pixels {
  func filtered(_ filters: Filter...) throws -> Pixels {
    var picture = try picture()
    var recipe = Recipe.simple(width, height)
    recipe.filters = filters
    return try Pixels(try picture.rendered(recipe))
  }
}
