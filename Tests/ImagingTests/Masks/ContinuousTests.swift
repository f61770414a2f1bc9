import Foundation
import Imaging
import Recipes
import Testing

struct ContinuousTests {
  /// The published control points of UIKit's continuous corner, in radii from the corner.
  private static let uikit: [[SIMD2<Double>]] = [
    [SIMD2(1.528665, 0), SIMD2(1.088493, 0), SIMD2(0.868407, 0), SIMD2(0.631494, 0.074911)],
    [
      SIMD2(0.631494, 0.074911), SIMD2(0.372824, 0.169060), SIMD2(0.169060, 0.372824),
      SIMD2(0.074911, 0.631494),
    ],
  ]

  /// Returns the distance between a mask's edge and the top of its box, in one column.
  private func edge(_ mask: Mask, column: Int) -> Double {
    let rows = mask.size.height / 2
    return (0..<rows).reduce(0) { sum, row in
      sum + 1 - Double(mask.coverage[row * mask.size.width + column]) / 255
    }
  }

  /// Interpolates linearly between two columns' centres.
  private func edge(_ mask: Mask, at x: Double) -> Double {
    let column = Int(x - 0.5)
    let (before, after) = (edge(mask, column: column), edge(mask, column: column + 1))
    return before + (after - before) * (x - 0.5 - Double(column))
  }

  @Test func `the curve differs from UIKit's by at most 0.013 radii`() {
    // Compares the edge in each column of a mask with a radius of 200 px with UIKit's.
    let radius = 200.0
    let mask = Mask(Outline(continuous: radius), size: PixelSize(width: 800, height: 800))
    var farthest = 0.0
    var isOnTheSide = true
    for curve in Self.uikit {
      for step in 0...400 {
        let t = Double(step) / 400
        let from = curve[0] * (1 - t) + curve[1] * t
        let middle = curve[1] * (1 - t) + curve[2] * t
        let to = curve[2] * (1 - t) + curve[3] * t
        let first = from * (1 - t) + middle * t
        let second = middle * (1 - t) + to * t
        let point = first * (1 - t) + second * t
        // Steep parts are the same curve, mirrored at the diagonal.
        guard point.x >= point.y, point.x < 1.5 else { continue }
        let slope = abs((second - first).y / (second - first).x)
        let drop = edge(mask, at: point.x * radius) - point.y * radius
        farthest = max(farthest, abs(drop) / (1 + slope * slope).squareRoot() / radius)
        isOnTheSide = isOnTheSide && drop > -1
      }
    }
    #expect(farthest <= 0.013)
    #expect(farthest >= 0.012)
    #expect(isOnTheSide, "it lies inside of UIKit's")
  }

  @Test func `a continuous corner crosses the diagonal where the circle does`() {
    for radius in [20.0, 64, 100, 127] {
      let size = PixelSize(width: 256, height: 256)
      let continuous = Mask(Outline(continuous: radius), size: size)
      let circle = Mask(Outline(radius: radius), size: size)
      func covered(_ mask: Mask) -> Double {
        (0..<128).reduce(0) { $0 + Double(mask.coverage[$1 * 257]) / 255 }
      }
      #expect(abs(covered(continuous) - covered(circle)) < 0.1)
    }
  }

  @Test func `a continuous corner starts further along the sides than a circle`() {
    let size = PixelSize(width: 256, height: 256)
    let continuous = Mask(Outline(continuous: 60), size: size)
    let circle = Mask(Outline(radius: 60), size: size)
    #expect(edge(circle, column: 62) == 0)
    #expect(edge(continuous, column: 62) > 0.5)
    #expect(edge(continuous, column: 80) > 0.02)
    #expect(edge(continuous, column: 92) == 0)
  }

  @Test(arguments: [9, 10, 64, 101]) func `a radius of half the side produces a circle`(side: Int) {
    let size = PixelSize(width: side, height: side)
    for inset in [0, 1.5, 4] {
      let circle = Mask(.circle(in: size), size: size, inset: inset)
      #expect(Mask(Outline(continuous: 1000), size: size, inset: inset) == circle)
      #expect(Mask(Outline(continuous: Double(side) / 2), size: size, inset: inset) == circle)
    }
  }

  @Test func `a continuous corner without a radius is a right angle`() {
    let size = PixelSize(width: 7, height: 5)
    #expect(Mask(Outline(continuous: 0), size: size) == Mask(.square, size: size))
  }
}
