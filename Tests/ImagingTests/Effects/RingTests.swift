import Foundation
import Imaging
import Recipes
import Testing

struct RingTests {
  private static let blue = Color(red: 0, green: 0, blue: 255)

  private func ring(
    _ from: Double, _ to: Double, _ fill: Fill, isOver: Bool = false
  ) -> Border.Ring {
    Border.Ring(from: from, to: to, fill: fill, isOver: isOver)
  }

  @Test(arguments: [1, 2, 3]) func `a hairline is one device pixel wide`(scale: Int) throws {
    let color = Color(red: 0, green: 0, blue: 0, alpha: 23)
    let border = Border(width: 1, color: color, mode: .over)
    for outline in [Outline.square, Outline(radius: 20 * Double(scale))] {
      let layout = CanvasLayout(40 * scale, room: 0, outline: outline)
      let image = try layout.rendered([.border(border)], on: .white)
      let middle = 20 * scale
      // A circle leaves a hundredth of its topmost pixels uncovered.
      let slack = outline == .square ? 0 : 1
      for (place, wanted) in [(0, 232), (1, 255), (2, 255)] {
        for pixel in [image[middle, place], image[place, middle]] {
          for value in pixel.prefix(3) { #expect(abs(Int(value) - wanted) <= slack) }
          #expect(pixel[3] >= 255 - 2 * slack)
        }
      }
    }
  }

  @Test func `adjacent rings leave no dark seam`() throws {
    let layout = CanvasLayout(41, room: 4, outline: Outline(radius: 13))
    let border = Border(
      rings: [
        ring(-2.5, 0, .solid(.ruby)), ring(0, 1.7, .solid(Self.blue)),
        ring(1.7, 4.2, .solid(.ruby)),
      ], cut: 4.2)
    let image = try layout.rendered([.border(border)], on: .lime)
    let outside = Mask(layout, inset: -2.5)
    #expect(image.alphas == outside.coverage.map(Int.init))
  }

  @Test func `a ring keeps the alpha of a translucent picture below it`() throws {
    let layout = CanvasLayout(20, room: 0, outline: .square)
    let border = Border(
      rings: [
        ring(0, 2, .solid(Color(red: 255, green: 0, blue: 0, alpha: 128)), isOver: true)
      ])
    let image = try layout.rendered(
      [.border(border)], on: Color(red: 0, green: 0, blue: 255, alpha: 100))
    // 128 + 100 · 127 / 255 by "source over" compositing.
    #expect(abs(image.alpha(10, 1) - 178) <= 1)
    #expect(image[10, 5] == [0, 0, 255, 100])
  }

  @Test func `a ring covers only the part of the picture that is not cut away`() throws {
    let layout = CanvasLayout(20, room: 0, outline: .square)
    let half = Fill.solid(Color(red: 255, green: 0, blue: 0, alpha: 128))
    let border = Border(rings: [ring(0, 4, half, isOver: true)], cut: 2)
    let image = try layout.rendered([.border(border)], on: Self.blue)
    #expect(image[10, 1] == [255, 0, 0, 128])
    #expect(image[10, 3] == [128, 0, 127, 255])
    #expect(image[10, 5] == [0, 0, 255, 255])
  }

  @Test func `a conic gradient begins at its angle and runs clockwise`() throws {
    let layout = CanvasLayout(80, room: 6, outline: Outline(radius: 40))
    let colors = [Color.ruby, .lime, Self.blue, .white, .ruby]
    for (degrees, turn) in [(0.0, 0), (90, 1), (180, 2), (270, 3), (-90, 3)] {
      let border = Border(rings: [ring(-5, -1, .conic(colors, degrees: degrees))])
      let image = try layout.rendered([.border(border)])
      let places = [(46, 3), (88, 46), (46, 88), (3, 46)]
      for (quarter, place) in places.enumerated() {
        let wanted = colors[(quarter + 4 - turn) % 4]
        let seen = image[place.0, place.1]
        for (value, channel) in zip(seen, [wanted.red, wanted.green, wanted.blue, 255]) {
          #expect(abs(Int(value) - Int(channel)) <= 8)
        }
      }
    }
  }

  @Test func `a ring's linear gradient spans the box plus the ring's margin`() throws {
    let layout = CanvasLayout(60, room: 10, outline: .square)
    let border = Border(rings: [ring(-10, -2, .linear([.ruby, Self.blue], degrees: 90))])
    let image = try layout.rendered([.border(border)])
    #expect(image[0, 40][0] >= 252 && image[0, 40][2] <= 3)
    #expect(image[79, 40][2] >= 252 && image[79, 40][0] <= 3)
    #expect(abs(Int(image[40, 4][0]) - 127) <= 3)
    #expect(image[40, 9][3] == 0)
  }

  @Test func `overlapping rings are clamped to opaque`() throws {
    let layout = CanvasLayout(20, room: 4, outline: Outline(radius: 10))
    let border = Border(rings: [ring(-3, 2, .solid(.ruby)), ring(-2, 3, .solid(.lime))])
    let image = try layout.rendered([.border(border), .border(border)])
    #expect(image[14, 3] == [127, 127, 0, 255])
  }

  @Test func `both code paths draw a single ring identically`() throws {
    let layout = CanvasLayout(33, room: 5, outline: Outline(radius: 11))
    for color in [Color.ruby, Color(red: 255, green: 0, blue: 0, alpha: 77)] {
      for (from, to, cut, isOver) in [
        (0, 2.5, 0, true), (0, 2.5, 2.5, false), (-3.5, -1, 0, false), (0, 2, 3.25, false),
        (1, 2, 0, true),
      ] as [(Double, Double, Double, Bool)] {
        let alone = Border(rings: [ring(from, to, .solid(color), isOver: isOver)], cut: cut)
        // The second ring is invisible, but selects the code path for several rings.
        let beside = Border(rings: alone.rings + [ring(9, 10, .solid(.clear))], cut: cut)
        let translucent = Color(red: 0, green: 0, blue: 255, alpha: 200)
        #expect(
          try layout.rendered([.border(alone)], on: translucent)
            == layout.rendered([.border(beside)], on: translucent))
      }
    }
  }
}
