import Foundation
import Imaging
import Recipes
import TestSupport

struct ParallelTests {
  private static let insets =
    Extent.isAll ? [0, 0.5, 2.25, 6, 9.5, 14, -1, -2.75, -6] : [0, 2.25, 9.5, -2.75]

  /// Returns the largest difference from 32 × 32 samples per pixel.
  private func error(_ layout: CanvasLayout, inset: Double) -> Double {
    let mask = Mask(layout, inset: inset)
    let oracle = DepthOracle(layout.outline, of: layout.box)
    var worst = 0.0
    for y in 0..<layout.canvas.height {
      for x in 0..<layout.canvas.width {
        let wanted = oracle.coverage(x - layout.x, y - layout.y, levels: [inset]) { $0 >= inset }
        worst = max(worst, abs(Double(mask.coverage[y * layout.canvas.width + x]) - wanted))
      }
    }
    return worst
  }

  @Test(arguments: [0, 3, 9.75, 12, 16.5], insets)
  func `parallel curves of circular corners are exact inside and outside`(
    radius: Double, inset: Double
  ) {
    #expect(
      error(CanvasLayout(33, 40, room: 8, outline: Outline(radius: radius)), inset: inset) <= 5)
  }

  @Test(arguments: [0.3, 2, 6, 8.25, 12, 14], insets)
  func `parallel curves of continuous corners are exact inside and outside`(
    radius: Double, inset: Double
  ) {
    let outline = Outline(continuous: radius)
    #expect(error(CanvasLayout(28, room: 7, outline: outline), inset: inset) <= 5)
  }

  @Test(arguments: insets) func `each corner has its own radius and parallel curve`(inset: Double) {
    for curve in [Outline.Curve.circular, .continuous] {
      let outline = Outline(topLeft: 3, topRight: 13, bottomRight: 0, bottomLeft: 9, curve: curve)
      #expect(error(CanvasLayout(41, 30, room: 7, outline: outline), inset: inset) <= 5)
    }
  }

  @Test func `parallel curves are exactly symmetric`() {
    for outline in [Outline(radius: 7.3), Outline(continuous: 7.3), Outline(continuous: 11.9)] {
      for inset in Self.insets + [0.1, 1.0 / 3, -0.7] {
        for (width, height) in [(28, 28), (31, 24)] {
          let layout = CanvasLayout(width, height, room: 7, outline: outline)
          let coverage = Mask(layout, inset: inset).coverage
          let size = layout.canvas
          for y in 0..<size.height {
            for x in 0..<size.width {
              let value = coverage[y * size.width + x]
              #expect(value == coverage[y * size.width + size.width - 1 - x])
              #expect(value == coverage[(size.height - 1 - y) * size.width + x])
              if width == height { #expect(value == coverage[x * size.width + y]) }
            }
          }
        }
      }
    }
  }

  @Test func `margins move a mask without changing it`() {
    for outline in [Outline(radius: 9.5), Outline(continuous: 6), .square] {
      for inset in [0, 1.25, 4] {
        let size = PixelSize(width: 30, height: 26)
        let plain = Mask(outline, size: size, inset: inset)
        let margins = Margins(top: 1, right: 2, bottom: 3, left: 4)
        let roomy = Mask(CanvasLayout(box: size, margins: margins, outline: outline), inset: inset)
        #expect(roomy.size == PixelSize(width: 36, height: 30))
        for y in 0..<30 {
          for x in 0..<36 {
            let isInside = (4..<34).contains(x) && (1..<27).contains(y)
            let wanted = isInside ? plain.coverage[(y - 1) * 30 + x - 4] : 0
            #expect(roomy.coverage[y * 36 + x] == wanted)
          }
        }
      }
    }
  }

  @Test func `an inset that is too large produces an empty mask`() {
    for side in [1, 2, 9, 24] {
      for outline in [Outline(radius: 40), Outline(continuous: Double(side) / 3), .square] {
        for inset in [Double(side) / 2, Double(side) / 2 + 0.25, 100] {
          let mask = Mask(CanvasLayout(side, room: 2, outline: outline), inset: inset)
          #expect(mask.coverage.allSatisfy { $0 == 0 })
        }
      }
    }
  }

  @Test func `a parallel curve outside the outline is clipped to the canvas`() {
    let mask = Mask(CanvasLayout(5, 3, room: 2, outline: .square), inset: -50)
    #expect(mask.coverage.allSatisfy { $0 == 255 })
    let round = Mask(CanvasLayout(20, room: 3, outline: Outline(radius: 10)), inset: -5)
    #expect(round.coverage[13] == 255)
    #expect(round.coverage[0] == 0)
  }

  @Test func `the outer parallel of a right angle is a right angle`() {
    let mask = Mask(CanvasLayout(10, room: 4, outline: .square), inset: -2.5)
    #expect(mask.coverage[2 * 18 + 2] == 255)
    #expect(mask.coverage[1 * 18 + 5] == 128)
    #expect(mask.coverage[1 * 18 + 1] == 64)
    #expect(mask.coverage[5] == 0)
  }

  @Test func `a single pixel has exact parallel curves`() {
    for outline in [Outline(radius: 0.5), Outline(continuous: 0.5)] {
      let layout = CanvasLayout(1, room: 1, outline: outline)
      #expect(abs(Int(Mask(layout, inset: 0).coverage[4]) - 200) <= 1)
      #expect(abs(Int(Mask(layout, inset: 0.25).coverage[4]) - 50) <= 1)
      #expect(Mask(layout, inset: -1).coverage[4] == 255)
      #expect(error(layout, inset: -0.75) <= 5)
    }
  }
}
