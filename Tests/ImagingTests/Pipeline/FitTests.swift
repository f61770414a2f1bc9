import Foundation
import Imaging
import Recipes
import Testing

struct FitTests {
  /// Thirds of red, green and blue, side by side.
  private static let thirds = Pixels(width: 300, height: 100) { x, _ in
    [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]][x / 100]
  }

  /// A left half in red, and a right half in blue.
  private static let halves = Pixels(width: 200, height: 100) { x, _ in
    x < 100 ? [255, 0, 0, 255] : [0, 0, 255, 255]
  }

  /// A1: pictures are scaled first, so that a ring has the same width for any source size.
  @Test func `a picture is scaled before it is clipped`() throws {
    var thirds = try Self.thirds.picture()
    let full = try Pixels(try thirds.rendered(.simple(100)))
    #expect(full == .solid(.lime, 100, 100))
    let half = try Pixels(try thirds.rendered(.simple(50)))
    for y in 0..<50 {
      for x in 3..<47 { #expect(half[x, y] == [0, 255, 0, 255]) }
    }

    var tiny = try Pixels.scene(10, 10).picture()
    #expect(try Pixels(try tiny.rendered(.simple(100))).size == PixelSize(width: 100, height: 100))

    let ring = Effect.border(Border(width: 5, color: .ruby, mode: .over))
    let outline = Outline.circle(in: PixelSize(width: 100, height: 100))
    let widths = try [40, 400].map { side in
      var picture = try Pixels.solid(.lime, side, side).picture()
      let image = try Pixels(try picture.rendered(.simple(100, outline: outline, effects: [ring])))
      return (0..<50).map { Double(image[$0, 50][0]) / 255 }.reduce(0, +)
    }
    #expect(abs(widths[0] - widths[1]) <= 0.5)
  }

  /// E2: `stretch` shows both halves, `fill` the middle, and `contain` has transparent bands.
  @Test func `fill crops, contain letterboxes, and stretch distorts`() throws {
    var picture = try Self.halves.picture()
    let stretch = try Pixels(try picture.rendered(.simple(50, fit: .stretch)))
    #expect(stretch[3, 25] == [255, 0, 0, 255])
    #expect(stretch[46, 25] == [0, 0, 255, 255])

    let contain = try Pixels(try picture.rendered(.simple(50, fit: .contain)))
    #expect(contain.alpha(25, 5) == 0)
    #expect(contain.alpha(25, 45) == 0)
    #expect(contain[3, 25] == [255, 0, 0, 255])
    #expect(contain[46, 25] == [0, 0, 255, 255])

    var tall = try Pixels.solid(.sky, 50, 100).picture()
    let narrow = try Pixels(try tall.rendered(.simple(50, fit: .contain)))
    #expect([5, 25, 45].map { narrow.alpha($0, 25) } == [0, 255, 0])

    var thirds = try Self.thirds.picture()
    let fill = try Pixels(try thirds.rendered(.simple(50)))
    #expect(fill[5, 25] == [0, 255, 0, 255])
    #expect(fill.alphas.allSatisfy { $0 == 255 })
  }

  @Test func `the focus stays centred as long as the picture covers the box`() throws {
    var thirds = try Self.thirds.picture()
    let wanted: [(Double, [UInt8])] = [
      (0, [255, 0, 0, 255]), (0.1, [255, 0, 0, 255]), (0.5, [0, 255, 0, 255]),
      (1, [0, 0, 255, 255]),
    ]
    for (x, color) in wanted {
      let image = try Pixels(try thirds.rendered(.simple(100, focus: Focus(x: x, y: 0.5))))
      #expect(image == Pixels(width: 100, height: 100) { _, _ in color })
    }
  }

  @Test(arguments: [Fit.fill, .contain, .stretch])
  func `a uniform picture keeps its colour at any size`(fit: Fit) throws {
    for (width, height) in [(1, 1), (3, 1), (640, 401), (17, 90)] {
      var picture = try Pixels.solid(.sky, width, height).picture()
      for side in [1, 7, 64] {
        let image = try Pixels(try picture.rendered(.simple(side, fit: fit)))
        for at in stride(from: 0, to: image.bytes.count, by: 4) where image.bytes[at + 3] == 255 {
          #expect(Array(image.bytes[at..<at + 3]) == [51, 102, 204])
        }
        #expect(image.alpha(side / 2, side / 2) == 255)
      }
    }
  }

  @Test func `invisible pixels do not bleed into visible ones`() throws {
    // The picture is red but fully transparent around an opaque green centre.
    var picture = try Pixels(width: 90, height: 90) { x, y in
      (30..<60).contains(x) && (30..<60).contains(y) ? [0, 255, 0, 255] : [255, 0, 0, 0]
    }.picture()
    for side in [20, 31, 150] {
      let image = try Pixels(try picture.rendered(.simple(side)))
      for at in stride(from: 0, to: image.bytes.count, by: 4) where image.bytes[at + 3] > 8 {
        #expect(image.bytes[at] <= 1)
      }
    }
  }

  @Test func `a transparent edge does not change the colour next to it`() throws {
    var picture = try Pixels(width: 90, height: 90) { x, y in
      (30..<60).contains(x) && (20..<70).contains(y) ? [180, 100, 60, 255] : [0, 0, 0, 0]
    }.picture()
    for side in [20, 31, 60, 150, 400] {
      let image = try Pixels(try picture.rendered(.simple(side)))
      for at in stride(from: 0, to: image.bytes.count, by: 4) where image.bytes[at + 3] >= 128 {
        for (value, wanted) in zip(image.bytes[at..<at + 3], [180, 100, 60]) {
          #expect(abs(Int(value) - wanted) <= 1)
        }
      }
    }
  }

  @Test func `a narrow picture fills a square`() throws {
    for (width, height) in [(16_000, 1), (1, 16_000), (2, 1)] {
      var picture = try Pixels.solid(.sky, width, height).picture()
      let image = try Pixels(try picture.rendered(.simple(64)))
      #expect(image == .solid(.sky, 64, 64))
    }
  }

  /// G16: 200 px and 400 px sources produce the same alpha mask.
  @Test func `a radius is measured in output pixels`() throws {
    let alphas = try [200, 400].map { side in
      var picture = try Pixels.scene(side, side).picture()
      return try Pixels(try picture.rendered(.simple(100, outline: Outline(radius: 20)))).alphas
    }
    #expect(alphas[0] == alphas[1])
    #expect(alphas[0][0] == 0)
  }

  /// A17: at scale 2, 50 points with a ring of 2 are 100 pixels with a ring of 4.
  @Test func `lengths in a recipe are in pixels`() throws {
    try ImageMagick.start()
    var picture = try Picture(.color(.lime))
    let size = PixelSize(width: 100, height: 100)
    let image = try Pixels(
      try picture.rendered(
        .simple(
          100, outline: .circle(in: size),
          effects: [.border(Border(width: 4, color: .ruby, mode: .over))])))
    #expect(image.size == size)
    #expect((0..<100).prefix { image[$0, 50][0] > 127 }.count == 4)
  }
}
