import Foundation
import Imaging
import Recipes
import Testing

struct UnderlayTests {
  /// A transparent picture with an opaque band in the middle.
  private static let band = Pixels(width: 60, height: 60) { _, y in
    (20..<40).contains(y) ? [0, 0, 255, 255] : [0, 0, 0, 0]
  }

  /// A16: without a picture, the colour is a disc; with `underlay`, it is behind the picture.
  @Test func `a background is drawn in place of a picture, or behind a transparent one`() throws {
    try ImageMagick.start()
    let outline = Outline.circle(in: PixelSize(width: 60, height: 60))
    let border = Effect.border(Border(width: 4, color: .lime, mode: .over))

    var disc = try Picture(.color(.ruby))
    let alone = try Pixels(try disc.rendered(.simple(60, outline: outline, effects: [border])))
    #expect(alone[30, 30] == [255, 0, 0, 255])
    #expect(alone[30, 1] == [0, 255, 0, 255])
    #expect(alone.alpha(0, 0) == 0)

    var picture = try Pixels.solid(.sky, 60, 60).picture()
    let wins = try Pixels(
      try picture.rendered(
        .simple(60, outline: outline, effects: [.underlay(.ruby)])))
    #expect(wins[30, 30] == [51, 102, 204, 255])

    var transparent = try Self.band.picture()
    let without = try Pixels(try transparent.rendered(.simple(60, outline: outline)))
    #expect(without.alpha(30, 10) == 0)
    #expect(without[30, 30] == [0, 0, 255, 255])

    let with = try Pixels(
      try transparent.rendered(
        .simple(60, outline: outline, effects: [.underlay(.ruby)])))
    #expect(with[30, 10] == [255, 0, 0, 255])
    #expect(with[30, 30] == [0, 0, 255, 255])
    #expect(with.alpha(0, 0) == 0)
  }

  @Test func `an underlay fills the outline up to its edge`() throws {
    var transparent = try Self.band.picture()
    let size = PixelSize(width: 60, height: 60)
    let outline = Outline.circle(in: size)
    let image = try Pixels(
      try transparent.rendered(
        .simple(60, outline: outline, effects: [.underlay(.ruby)])))
    #expect(image.alphas == Mask(outline, size: size).coverage.map(Int.init))
  }

  @Test func `a translucent underlay has the requested opacity`() throws {
    var transparent = try Self.band.picture()
    let color = Color(red: 255, green: 0, blue: 0, alpha: 100)
    let image = try Pixels(try transparent.rendered(.simple(60, effects: [.underlay(color)])))
    #expect(image[30, 5] == [255, 0, 0, 100])
  }
}
