import Foundation
import Imaging
import Recipes
import Testing

struct MatteTests {
  private static let disc = Outline.circle(in: PixelSize(width: 64, height: 64))

  /// C10: the background is flattened over white, and without a background the corners are white.
  @Test func `an opaque image is flattened onto its background, then onto white`() throws {
    try ImageMagick.start()
    var picture = try Picture(.color(.sky))
    let half = Color(red: 255, green: 0, blue: 0, alpha: 128).over(.white)
    let tinted = try Pixels(
      try picture.rendered(
        .simple(64, outline: Self.disc, effects: [.matte(half)])))
    for (value, wanted) in zip(tinted[0, 0], [255, 128, 128, 255]) {
      #expect(abs(Int(value) - wanted) <= 1)
    }
    let white = try Pixels(
      try picture.rendered(
        .simple(64, outline: Self.disc, effects: [.matte(.white)])))
    #expect(white[0, 0] == [255, 255, 255, 255])
    #expect(white[32, 32] == [51, 102, 204, 255])
    #expect(white.alphas.allSatisfy { $0 == 255 })
  }

  /// A23: rounded corners are transparent in a PNG, and white in a JPEG, never black.
  @Test func `corners stay transparent in a PNG and never become black in a JPEG`() throws {
    let size = PixelSize(width: 64, height: 64)
    let source = try Pixels.scene(64, 64).encoded(as: "JPEG", quality: 90)
    var picture = try Picture(.encoded(Inspection(format: .jpeg, size: size), reduction: 1), source)
    #expect(try Pixels(try picture.rendered(.simple(64, outline: Self.disc))).alpha(0, 0) == 0)

    let jpeg = Encoding(format: .jpeg, quality: 90)
    #expect(throws: Rejection.self) {
      _ = try picture.rendered(.simple(64, outline: Self.disc, encoding: jpeg))
    }
    let flat = try Pixels(
      try picture.rendered(
        .simple(
          64, outline: Self.disc, effects: [.matte(.white)], encoding: jpeg)),
      as: .jpeg)
    for (x, y) in [(0, 0), (63, 0), (0, 63), (63, 63)] {
      #expect(flat[x, y].allSatisfy { $0 >= 250 })
    }
  }

  /// I14: a fully transparent picture becomes the documented background as a JPEG.
  @Test func `a transparent picture takes on the matte colour`() throws {
    var picture = try Pixels.solid(Color(red: 9, green: 9, blue: 9, alpha: 0), 32, 32).picture()
    let matte = Effect.matte(Color(red: 200, green: 100, blue: 50))
    let image = try Pixels(
      try picture.rendered(
        .simple(32, effects: [matte], encoding: Encoding(format: .jpeg, quality: 95))),
      as: .jpeg)
    for (value, wanted) in zip(image[16, 16], [200, 100, 50, 255]) {
      #expect(abs(Int(value) - wanted) <= 3)
    }
  }
}
