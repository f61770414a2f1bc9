import Foundation
import Imaging
import Recipes
import Testing

struct FilterTests {
  private let fixture = Pixels(width: 2, height: 2) { x, y in
    [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]][y * 2 + x]
  }

  /// G41: tint, greyscale and blur on four colours (A1 and E2 cover scaling and cropping).
  @Test func `each filter matches its formula on four pixels`() throws {
    let gray = try fixture.filtered(.grayscale)
    #expect([gray[0, 0][0], gray[1, 0][0], gray[0, 1][0], gray[1, 1][0]] == [54, 182, 18, 255])

    // The lumas are 54, 182, 18 and 255. The tint is a blue of luma 18.4, which gets darker below
    // that luma and lighter above it.
    let tint = try fixture.filtered(.tint(Color(red: 0, green: 0, blue: 255)))
    for (pixel, wanted) in zip(
      [tint[0, 0], tint[1, 0], tint[0, 1], tint[1, 1]],
      [[38, 38, 255], [176, 176, 255], [0, 0, 249], [255, 255, 255]])
    {
      for channel in 0..<3 { #expect(abs(Int(pixel[channel]) - wanted[channel]) <= 1) }
    }

    // In a Gaussian of one pixel, a pixel and its copy beyond the edge together weigh 0.6995.
    let blur = try fixture.filtered(.blur(radius: 1))
    let (own, other) = (0.6995, 0.3005)
    let red = [
      own * own + other * other, 2 * own * other, 2 * own * other, own * own + other * other,
    ]
    for index in 0..<4 {
      #expect(abs(Double(blur[index % 2, index / 2][0]) - red[index] * 255) <= 1)
    }
  }

  @Test func `filters are applied in the recipe's order`() throws {
    let tint = Filter.tint(.ruby)
    let gray = Filter.grayscale
    let last = try fixture.filtered(tint, gray)
    #expect(last[0, 1][0] == last[0, 1][2])
    #expect(try fixture.filtered(gray, tint)[0, 1] != last[0, 1])
  }

  @Test func `a picture is clipped after filtering`() throws {
    var picture = try Pixels.solid(.ruby, 40, 40).picture()
    var recipe = Recipe.simple(40, outline: .circle(in: PixelSize(width: 40, height: 40)))
    recipe.filters = [.blur(radius: 6)]
    let blurred = try picture.rendered(recipe)
    recipe.filters = []
    #expect(blurred.bytes == (try picture.rendered(recipe)).bytes)
  }
}
