import Foundation
import Imaging
import Magick
import Recipes
import Testing

/// Compares with ImageMagick, which calls the same libjpeg-turbo differently.
struct JPEGTests {
  private static func file(_ pixels: Pixels, sampling: String? = nil) throws -> Data {
    try ImageMagick.start()
    return try Canvas(rgba: pixels.bytes.span, width: pixels.width, height: pixels.height)
      .encoded(
        as: "JPEG", quality: 85, options: sampling.map { [("jpeg:sampling-factor", $0)] } ?? [])
  }

  private static func decoded(_ file: Data, hint: String? = nil) throws -> Pixels {
    let canvas = try Canvas(
      decoding: file, coder: "JPEG", options: hint.map { [("jpeg:size", $0)] } ?? [])
    let bytes = try canvas.rgba()
    let width = canvas.width
    return Pixels(width: width, height: canvas.height) { x, y in
      Array(bytes[(y * width + x) * 4..<(y * width + x) * 4 + 4])
    }
  }

  @Test(arguments: ["4:2:0", "4:2:2", "4:4:4", "4:4:0", "4:1:1"])
  func `decoded pixels match ImageMagick's`(sampling: String) throws {
    for (width, height) in [(300, 200), (61, 37), (8, 1)] {
      let file = try Self.file(.scene(width, height), sampling: sampling)
      #expect(try Rendered.whole(file) == (try Self.decoded(file)))
    }
  }

  @Test func `decoded grey pixels match ImageMagick's`() throws {
    let gray = Pixels(width: 90, height: 70) { x, y in
      let value = UInt8((x * 3 + y * 2) & 255)
      return [value, value, value, 255]
    }
    let file = try Self.file(gray)
    #expect(try Rendered.whole(file) == (try Self.decoded(file)))
  }

  @Test(arguments: [(2, 4), (4, 8), (8, 16)])
  func `a reduced decode matches ImageMagick's`(reduction: Int, shrinkage: Int) throws {
    let file = try Self.file(.scene(1_280, 960))
    let inspection = try Inspection(inspecting: file)
    let recipe = Recipe.simple(1_280 / shrinkage, 960 / shrinkage)
    #expect(inspection.reduction(for: recipe.frame) == reduction)
    var picture = try Picture(.encoded(inspection, reduction: reduction), file)
    let half = Double(reduction) + 0.5
    let small = try Self.decoded(file, hint: "\(1_280 / half)x\(960 / half)")
    #expect(small.size == inspection.decodedSize(reduction: reduction))
    var same = try small.picture()
    #expect(try picture.rendered(recipe).bytes == same.rendered(recipe).bytes)
  }
}
