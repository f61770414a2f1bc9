import Foundation
import Imaging
import Recipes
import Testing

struct ShadowTests {
  private static let black = Color(red: 0, green: 0, blue: 0)

  private func shadow(
    _ radius: Double, x: Double = 0, y: Double = 0, outset: Double = 0, color: Color = black
  ) -> Effect {
    .shadow(Shadow(color: color, radius: radius, x: x, y: y, outset: outset))
  }

  /// Blurs the silhouette pixel by pixel with an untruncated Gaussian, 0…255.
  private func oracle(_ layout: CanvasLayout, _ shadow: Shadow) -> [Double] {
    let silhouette = Mask(layout, inset: -shadow.outset)
    let (width, height) = (layout.canvas.width, layout.canvas.height)
    func weights(_ count: Int, _ shift: Double) -> [[Double]] {
      (0..<count).map { place in
        let row = (-400..<count + 400).map { other in
          exp(-pow(Double(place - other) - shift, 2) / (2 * shadow.radius * shadow.radius))
        }
        let total = row.reduce(0, +)
        return row[400..<400 + count].map { $0 / total }
      }
    }
    let across = weights(width, shadow.x)
    let down = weights(height, shadow.y)
    let rows = (0..<height).map { y in
      across.map { weights in
        var sum = 0.0
        for x in 0..<width { sum += weights[x] * Double(silhouette.coverage[y * width + x]) }
        return sum
      }
    }
    return down.flatMap { weights in
      (0..<width).map { x in
        var sum = 0.0
        for y in 0..<height { sum += weights[y] * rows[y][x] }
        return sum
      }
    }
  }

  @Test(arguments: [0.5, 1, 2.5, 5, 7.9, 8, 12, 20, 40])
  func `a shadow is the silhouette blurred by a Gaussian`(radius: Double) throws {
    let room = Int(radius * 3) + 8
    for outline in [Outline(radius: 24), Outline(continuous: 8), .square] {
      for (x, y, outset) in [(0, 0, 0), (3, -4, 2), (0.5, 1.25, 0)] as [(Double, Double, Double)] {
        // The oracle moves the Gaussian instead of the silhouette, which differs for a sharp edge.
        guard radius > 2 || x == x.rounded() else { continue }
        let layout = CanvasLayout(48, 37, room: room, outline: outline)
        let shadow = Shadow(color: Self.black, radius: radius, x: x, y: y, outset: outset)
        let image = try layout.rendered([.shadow(shadow)], on: .clear)
        var worst = 0.0
        for (seen, wanted) in zip(image.alphas, oracle(layout, shadow)) {
          worst = max(worst, abs(Double(seen) - wanted))
        }
        #expect(worst <= (radius < 1 ? 4 : 2))
      }
    }
  }

  /// G10: the box keeps its position, and opaque and transparent sources have the same shadow.
  @Test func `a shadow depends only on the geometry and stays behind the picture`() throws {
    let circle = Outline(radius: 32)
    let layout = CanvasLayout(64, room: 36, outline: circle)
    let cast = shadow(10, x: 2, y: 4, color: Color(red: 0, green: 0, blue: 0, alpha: 128))
    let plain = try layout.rendered([])
    let opaque = try layout.rendered([cast])
    let clear = try layout.rendered([cast], on: .clear)
    let mask = Mask(layout, inset: 0)
    for y in 0..<layout.canvas.height {
      for x in 0..<layout.canvas.width {
        switch mask.coverage[y * layout.canvas.width + x] {
        case 255: #expect(opaque[x, y] == plain[x, y])
        case 0: #expect(opaque[x, y] == clear[x, y])
        default: #expect(opaque.alpha(x, y) >= plain.alpha(x, y))
        }
      }
    }
    #expect(clear.alpha(68, 72) > 60)

    let holed = Pixels(width: 64, height: 64) { x, y in
      (x / 8 + y / 8) % 2 == 0 ? [200, 10, 10, 255] : [0, 0, 0, 0]
    }
    var picture = try holed.picture()
    let through = try layout.rendered([cast], of: &picture)
    // Inside the holes, the shadow is the same as without a picture.
    #expect(through[36 + 28, 36 + 36] == clear[36 + 28, 36 + 36])
    #expect(through[36 + 28, 36 + 28] == [200, 10, 10, 255])

    let larger = Recipe.simple(80, outline: circle, effects: [cast])
    #expect(larger != Recipe.simple(64, outline: circle, effects: [cast]))
  }

  @Test func `a shadow without a radius is the plain silhouette`() throws {
    let layout = CanvasLayout(30, room: 8, outline: Outline(radius: 15))
    let hard = try layout.rendered([shadow(0, x: 3, y: -2, outset: 1.5)], on: .clear)
    let silhouette = Mask(layout, inset: -1.5).coverage
    for y in 0..<46 {
      for x in 0..<46 {
        let isThere = x >= 3 && y < 44
        #expect(hard.alpha(x, y) == (isThere ? Int(silhouette[(y + 2) * 46 + x - 3]) : 0))
      }
    }
  }

  @Test(arguments: [1e-300, 1e-170, 1e-160, 1e-9, 0.05, 0.1, 0.2, 0.333])
  func `a radius too small to be visible is ignored`(radius: Double) throws {
    let layout = CanvasLayout(30, room: 8, outline: Outline(radius: 15))
    let hard = try layout.rendered([shadow(0, x: 3.5, y: -2, outset: 1.5)], on: .clear)
    let soft = try layout.rendered([shadow(radius, x: 3.5, y: -2, outset: 1.5)], on: .clear)
    #expect(soft == hard)
  }

  @Test func `a hard shadow at a fractional offset is exact`() throws {
    let layout = CanvasLayout(20, room: 4, outline: Outline(radius: 8))
    let image = try layout.rendered([shadow(0, x: 0.5, y: 0.25)], on: .clear)
    let oracle = DepthOracle(layout.outline, of: layout.box)
    for y in 0..<28 {
      for x in 0..<28 {
        var count = 0
        for row in 0..<32 {
          for column in 0..<32
          where oracle.depth(
            Double(x - 4) - 0.5 + (Double(column) + 0.5) / 32,
            Double(y - 4) - 0.25 + (Double(row) + 0.5) / 32) >= 0
          {
            count += 1
          }
        }
        #expect(abs(Double(image.alpha(x, y)) - Double(count) * 255 / 1024) <= 5)
      }
    }
  }

  @Test func `a shadow is clipped to the canvas, and may start outside it`() throws {
    // Half of the silhouette is off the canvas; its edge is as dark as with enough space.
    let narrow = try CanvasLayout(40, room: 0, outline: .square).rendered(
      [shadow(5, x: 30)], on: .clear)
    let wide = try CanvasLayout(40, room: 60, outline: .square).rendered(
      [shadow(5, x: 30)], on: .clear)
    for y in 0..<40 {
      for x in 0..<40 { #expect(narrow[x, y] == wide[x + 60, y + 60]) }
    }
  }
}
