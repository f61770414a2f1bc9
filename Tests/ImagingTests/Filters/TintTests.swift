import Foundation
import Recipes
import Testing

struct TintTests {
  private let scene = Pixels.scene(60, 40)

  private func luma(_ pixel: [UInt8]) -> Double {
    Double(pixel[0]) * 0.2126 + Double(pixel[1]) * 0.7152 + Double(pixel[2]) * 0.0722
  }

  @Test(
    arguments: [
      Color.sky, .ruby, .lime, .white, Color(red: 0, green: 0, blue: 0),
      Color(red: 255, green: 200, blue: 0, alpha: 120), Color(red: 90, green: 0, blue: 200),
    ])
  func `every tint preserves the luma`(color: Color) throws {
    let image = try scene.filtered(.tint(color))
    for y in 0..<40 {
      for x in 0..<60 { #expect(abs(luma(image[x, y]) - luma(scene[x, y])) <= 1.1) }
    }
  }

  @Test func `a transparent tint has no effect`() throws {
    let image = try scene.filtered(.tint(Color(red: 255, green: 0, blue: 0, alpha: 0)))
    #expect(image == scene)
  }

  @Test func `a grey tint removes the colour`() throws {
    let gray = try scene.filtered(.grayscale)
    for color in [
      Color.white, Color(red: 0, green: 0, blue: 0), Color(red: 77, green: 77, blue: 77),
    ] {
      let image = try scene.filtered(.tint(color))
      #expect(image.difference(to: gray) <= 1)
    }
  }

  @Test func `black and white are kept, and a grey with the tint's luma becomes the tint`() throws {
    let color = Color(red: 255, green: 0, blue: 0)
    let fixture = Pixels(width: 2, height: 2) { x, y in
      [[0, 0, 0, 255], [255, 255, 255, 255], [54, 54, 54, 255], [54, 54, 54, 40]][y * 2 + x]
    }
    let image = try fixture.filtered(.tint(color))
    #expect(image[0, 0] == [0, 0, 0, 255])
    #expect(image[1, 0] == [255, 255, 255, 255])
    #expect(abs(Int(image[0, 1][0]) - 255) <= 1 && image[0, 1][1] <= 1 && image[0, 1][2] <= 1)
    #expect(image.alpha(1, 1) == 40)
  }

  @Test func `a half-opaque tint blends halfway`() throws {
    let full = try scene.filtered(.tint(Color(red: 0, green: 90, blue: 200)))
    let half = try scene.filtered(.tint(Color(red: 0, green: 90, blue: 200, alpha: 128)))
    for index in scene.bytes.indices {
      let wanted =
        Double(scene.bytes[index]) * (127 / 255.0) + Double(full.bytes[index]) * 128 / 255
      #expect(abs(Double(half.bytes[index]) - wanted) <= 1.1)
    }
  }
}
