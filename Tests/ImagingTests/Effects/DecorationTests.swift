import Foundation
import Imaging
import Recipes
import Testing

struct DecorationTests {
  private static let green = Color(red: 0x34, green: 0xC7, blue: 0x59)

  private func dot(
    _ x: Double, _ y: Double, _ diameter: Double, gap: Double, color: Color = green
  ) -> Effect {
    .decoration(Decoration(content: .dot(color), x: x, y: y, diameter: diameter, gap: gap))
  }

  /// G36: a hairline stays 1 px wide, and a badge is centred 6 points from the right and bottom.
  @Test(arguments: [1, 2]) func `a hairline and a badge are drawn as documented`(scale: Int) throws
  {
    let side = 50 * scale
    let points = Double(scale)
    let layout = CanvasLayout(
      box: PixelSize(width: side, height: side),
      margins: Margins(top: 0, right: scale, bottom: scale, left: 0),
      outline: Outline(radius: Double(side) / 2))
    let hairline = Effect.border(
      Border(width: 1, color: Color(red: 0, green: 0, blue: 0, alpha: 23), mode: .over))
    let file = try Pixels.solid(Self.green, 56, 56).encoded(as: "PNG")
    let badge = Decoration(
      content: .picture("badge", Inspection(format: .png, size: PixelSize(width: 56, height: 56))),
      x: Double(side) - 6 * points, y: Double(side) - 6 * points, diameter: 14 * points, gap: 0)
    let image = try layout.rendered(
      [hairline, .decoration(badge)], on: .white, resources: RenderResources(["badge": file]))
    // The circle leaves a hundredth of each topmost pixel uncovered.
    for (row, wanted) in [(0, 232), (1, 255), (2, 255)] {
      for value in image[25 * scale, row].prefix(3) { #expect(abs(Int(value) - wanted) <= 1) }
      #expect(image.alpha(25 * scale, row) >= 253)
    }
    // The badge covers exactly the points from 37 to 51 in both directions.
    let (first, last) = (37 * scale, 51 * scale - 1)
    for (x, y) in [(first, first), (last, first), (first, last), (last, last)] {
      #expect(image[x, y] == [0x34, 0xC7, 0x59, 255])
    }
    #expect(image[first - 1, first - 1] == [255, 255, 255, 255])
    #expect(image.alpha(first - 1, last) == 0)
    #expect(image.width == 51 * scale)
  }

  @Test(arguments: [(10.0, 10.0, 8.0), (10.5, 9.25, 7.5), (9.37, 10.81, 5.13), (10, 10, 0.6)])
  func `a dot and its gap are exact at any position`(
    x: Double, y: Double, diameter: Double
  ) throws {
    let layout = CanvasLayout(20, room: 0, outline: .square)
    let alone = try layout.rendered([dot(x, y, diameter, gap: 0)], on: .clear)
    let holed = try layout.rendered([dot(x, y, diameter, gap: 2, color: .clear)])
    for row in 0..<20 {
      for column in 0..<20 {
        func coverage(_ radius: Double) -> Double {
          var count = 0
          for step in 0..<1024 {
            let u = Double(column) + (Double(step % 32) + 0.5) / 32 - x
            let v = Double(row) + (Double(step / 32) + 0.5) / 32 - y
            if u * u + v * v < radius * radius { count += 1 }
          }
          return Double(count) * 255 / 1024
        }
        #expect(abs(Double(alone.alpha(column, row)) - coverage(diameter / 2)) <= 5)
        #expect(abs(255 - Double(holed.alpha(column, row)) - coverage(diameter / 2 + 2)) <= 5)
      }
    }
  }

  @Test func `a gap far larger than the canvas removes the whole picture`() throws {
    let layout = CanvasLayout(100, room: 3, outline: Outline(radius: 50))
    for gap in [200.0, 16_384, 163_840] {
      let image = try layout.rendered([dot(80, 80, 20, gap: gap)])
      #expect(image[83, 83] == [0x34, 0xC7, 0x59, 255])
      for (x, y) in [(0, 0), (50, 50), (53, 105), (105, 105), (70, 83)] {
        #expect(image.alpha(x, y) == 0)
      }
    }
  }

  @Test func `the edge of a hole much larger than the canvas is exact`() throws {
    // The centre is far to the left, so the edge is nearly a straight line at 40.25.
    let layout = CanvasLayout(80, room: 0, outline: .square)
    for radius in [1_000.0, 9_999.5, 163_840] {
      let image = try layout.rendered([dot(40.25 - radius, 40, 2, gap: radius - 1)])
      for y in 0..<80 {
        let height = Double(y) + 0.5 - 40
        let edge = 40.25 - radius + (radius * radius - height * height).squareRoot()
        for x in 0..<80 {
          let left = 255 * min(max(Double(x + 1) - edge, 0), 1)
          #expect(abs(Double(image.alpha(x, y)) - left) <= 4)
        }
      }
    }
  }

  @Test func `a decoration without a gap does not cut a hole`() throws {
    let layout = CanvasLayout(20, room: 0, outline: .square)
    let half = Color(red: 255, green: 0, blue: 0, alpha: 128)
    let image = try layout.rendered([dot(10, 10, 9, gap: 0, color: half)])
    #expect(image.alphas.allSatisfy { $0 == 255 })
    #expect(image[10, 10] == [153, 50, 101, 255])
    let cut = try layout.rendered([dot(10, 10, 9, gap: 1, color: half)])
    #expect(cut[10, 10] == [255, 0, 0, 128])
  }

  @Test func `a decoration is clipped to the canvas`() throws {
    let layout = CanvasLayout(20, room: 1, outline: .square)
    for (x, y) in [(0.0, 0.0), (20, 10), (-3, 25), (-50, -50), (200, 10)] {
      let image = try layout.rendered([dot(x, y, 9, gap: 2)])
      #expect(image.width == 22)
    }
    let corner = try layout.rendered([dot(20, 20, 9, gap: 0)])
    #expect(corner[21, 21] == [0x34, 0xC7, 0x59, 255])
    #expect(corner[12, 12] == [51, 102, 204, 255])
  }

  @Test func `a badge keeps its aspect ratio and transparency`() throws {
    let badge = Pixels(width: 40, height: 20) { x, _ in
      x < 20 ? [255, 0, 0, 255] : [0, 0, 255, 0]
    }
    let resources = RenderResources(["b": try badge.encoded(as: "PNG")])
    let decoration = Decoration(
      content: .picture("b", Inspection(format: .png, size: badge.size)), x: 20, y: 20,
      diameter: 16, gap: 0)
    let layout = CanvasLayout(40, room: 0, outline: .square)
    for _ in 0..<2 {
      let image = try layout.rendered([.decoration(decoration)], resources: resources)
      #expect(image[14, 20] == [255, 0, 0, 255])
      #expect(image[26, 20] == [51, 102, 204, 255])
      #expect(image[14, 14] == [51, 102, 204, 255])
      #expect(image[14, 25] == [51, 102, 204, 255])
    }
  }

  @Test func `an invalid badge is rejected, and the message names it`() throws {
    let inspection = Inspection(format: .png, size: PixelSize(width: 9, height: 9))
    let layout = CanvasLayout(20, room: 0, outline: .square)
    let name = "0123456789abcdef"
    let badge = Effect.decoration(
      Decoration(content: .picture(name, inspection), x: 5, y: 5, diameter: 9, gap: 0))
    let broken = RenderResources([name: Data("no picture at all".utf8)])
    for resources in [RenderResources(), broken] {
      do {
        _ = try layout.rendered([badge], resources: resources)
        Issue.record("a missing or broken badge was drawn")
      } catch let rejection as Rejection {
        #expect(rejection.detail.contains("the badge or mask 0123456789ab"))
      }
    }
  }
}
