import Foundation
import Imaging
import Recipes
import Testing

struct MaskTests {
  /// All small sizes, and a sparse selection of larger ones.
  static let sizes =
    Array(1...64) + [65, 72, 80, 96, 99, 100, 127, 128, 150, 192, 255, 256, 384, 511, 512]

  /// A4: a circle is symmetric, has an area within 1 % of πr², and matches the oracle.
  @Test(arguments: sizes)
  func `a circle is symmetric and exact, and has the right area`(side: Int) {
    let size = PixelSize(width: side, height: side)
    let mask = Mask(.circle(in: size), size: size)
    #expect(asymmetry(mask) == 0)
    #expect(error(mask, radii: [Double](repeating: Double(side) / 2, count: 4)) <= 5)
    if side >= 4 {
      let area = Double.pi * Double(side * side) / 4
      #expect(abs(Self.area(mask) - area) <= area * 0.003)
      #expect(mask.coverage[0] == 0 || side < 7)
    }
  }

  /// A3: 100×40 with a radius of 100 is a capsule: alpha(20,0) is 255.
  @Test func `a radius that is too large produces a capsule`() {
    let mask = Mask(Outline(radius: 100), size: PixelSize(width: 100, height: 40))
    #expect(mask.coverage[20] == 255)
    #expect(abs(Self.area(mask) - 3656.6) <= 36.5)
    #expect(asymmetry(mask) == 0)
    #expect(error(mask, radii: [20, 20, 20, 20]) <= 5)
  }

  /// A5: 30×30 with a radius of 12 has alpha(3,4) = 255, unlike a full circle.
  @Test func `a radius larger than a third of the side is not reduced`() {
    let mask = Mask(Outline(radius: 12), size: PixelSize(width: 30, height: 30))
    #expect(mask.coverage[4 * 30 + 3] == 255)
  }

  @Test(arguments: [
    (100, 40, 10.0), (41, 100, 7.5), (33, 33, 0.4), (7, 5, 2.25), (2, 9, 1), (64, 48, 23.99),
  ])
  func `rounded rectangles are symmetric and exact`(width: Int, height: Int, radius: Double) {
    let mask = Mask(Outline(radius: radius), size: PixelSize(width: width, height: height))
    #expect(asymmetry(mask) == 0)
    #expect(error(mask, radii: [radius, radius, radius, radius]) <= 5)
  }

  @Test func `each corner has its own radius`() {
    let radii = [3.0, 17.5, 0, 9]
    let outline = Outline(topLeft: 3, topRight: 17.5, bottomRight: 0, bottomLeft: 9)
    let mask = Mask(outline, size: PixelSize(width: 50, height: 37))
    #expect(error(mask, radii: radii) <= 5)
  }

  @Test(arguments: [0.5, 1, 1.9, 2, 5, 12.25, 16])
  func `an inset outline shrinks by exactly the inset`(inset: Double) {
    for radius in [0.0, 3, 9.75, 16] {
      let mask = Mask(Outline(radius: radius), size: PixelSize(width: 33, height: 32), inset: inset)
      #expect(asymmetry(mask) == 0)
      #expect(error(mask, radii: [Double](repeating: radius, count: 4), inset: inset) <= 5)
    }
  }

  @Test func `an inset of half the side produces an empty mask`() {
    for side in [1, 2, 9, 10, 100] {
      let size = PixelSize(width: side, height: side)
      let mask = Mask(.circle(in: size), size: size, inset: Double(side) / 2)
      #expect(mask.coverage.allSatisfy { $0 == 0 })
    }
  }

  @Test func `a square outline covers every pixel`() {
    let mask = Mask(.square, size: PixelSize(width: 5, height: 3))
    #expect(mask.coverage == [UInt8](repeating: 255, count: 15))
  }

  private static func area(_ mask: Mask) -> Double {
    mask.coverage.reduce(0) { $0 + Double($1) } / 255
  }

  private func asymmetry(_ mask: Mask) -> Int {
    let (width, height) = (mask.size.width, mask.size.height)
    var worst = 0
    for y in 0..<height {
      for x in 0..<width {
        let value = Int(mask.coverage[y * width + x])
        let across = Int(mask.coverage[y * width + width - 1 - x])
        let below = Int(mask.coverage[(height - 1 - y) * width + x])
        worst = max(worst, abs(value - across), abs(value - below))
      }
    }
    return worst
  }

  /// Returns the largest difference from the oracle, and skips pixels far from any edge.
  private func error(_ mask: Mask, radii: [Double], inset: Double = 0) -> Double {
    let (width, height) = (mask.size.width, mask.size.height)
    let oracle = Oracle(width, height, radii: radii, inset: inset)
    var worst = 0.0
    for y in 0..<height {
      for x in 0..<width {
        let inside = [(0.001, 0.001), (0.999, 0.001), (0.001, 0.999), (0.999, 0.999)]
          .filter { oracle.contains(Double(x) + $0.0, Double(y) + $0.1) }.count
        // All outlines here are convex, so a pixel with all four corners inside is entirely inside.
        let wanted = inside == 4 ? 255 : oracle.coverage(x, y)
        worst = max(worst, abs(Double(mask.coverage[y * width + x]) - wanted))
      }
    }
    return worst
  }
}
