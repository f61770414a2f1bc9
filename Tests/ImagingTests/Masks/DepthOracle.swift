import Foundation
import Recipes

/// The depth of a point inside an outline, computed independently of the masks.
///
/// Uses the centre of a circular corner, or the distance to 256 chords of a continuous one.
struct DepthOracle {
  let width: Double
  let height: Double
  private let corners: [Corner]

  init(_ outline: Outline, of box: PixelSize) {
    width = Double(box.width)
    height = Double(box.height)
    let half = Double(box.shorterSide) / 2
    corners = [outline.topLeft, outline.topRight, outline.bottomRight, outline.bottomLeft].map {
      Corner(radius: min($0, half), half: half, isContinuous: outline.curve == .continuous)
    }
  }

  /// Returns the depth inside the outline in pixels, negative outside.
  func depth(_ x: Double, _ y: Double) -> Double {
    let (right, bottom) = (width - x, height - y)
    return min(
      min(corners[0].depth(x, y), corners[1].depth(right, y)),
      min(corners[2].depth(right, bottom), corners[3].depth(x, bottom)))
  }

  /// Returns the fraction of 32 × 32 points in a pixel that pass a test, 0…255.
  func coverage(_ x: Int, _ y: Int, levels: [Double], _ test: (Double) -> Bool) -> Double {
    Self.coverage(depths(x, y, levels: levels), test)
  }

  static func coverage(_ depths: [Double], _ test: (Double) -> Bool) -> Double {
    Double(depths.count(where: test)) * 255 / Double(depths.count)
  }

  /// Returns the depths of 32 × 32 points in a pixel, or only the centre's if far from all levels.
  func depths(_ x: Int, _ y: Int, levels: [Double]) -> [Double] {
    let middle = depth(Double(x) + 0.5, Double(y) + 0.5)
    // The depth changes by at most 1 per pixel, or √2 outside a right angle.
    if levels.allSatisfy({ abs(middle - $0) > 1 }) { return [middle] }
    return (0..<1024).map { point in
      let (column, row) = (Double(point % 32), Double(point / 32))
      return depth(Double(x) + (column + 0.5) / 32, Double(y) + (row + 0.5) / 32)
    }
  }

  /// A corner, relative to the point where its sides would meet.
  private struct Corner {
    let radius: Double
    /// The distance from that point at which the curve leaves the sides.
    let reach: Double
    /// Chords of the curve; empty unless the corner is continuous.
    private var chords: [(from: SIMD2<Double>, along: SIMD2<Double>, square: Double)] = []
    private var exponent = 2.0

    init(radius: Double, half: Double, isContinuous: Bool) {
      self.radius = radius
      guard isContinuous, radius > 0 else {
        reach = radius
        return
      }
      let reach = min(1.528665 * radius, half)
      self.reach = reach
      let exponent = -log(2) / log(1 - (1 - 1 / 2.0.squareRoot()) * radius / reach)
      self.exponent = exponent
      let points = (0...256).map { step in
        let angle = Double(step) / 256 * .pi / 2
        let sum = pow(cos(angle), exponent) + pow(sin(angle), exponent)
        let length = reach / pow(sum, 1 / exponent)
        return SIMD2(reach - length * sin(angle), reach - length * cos(angle))
      }
      chords = zip(points, points.dropFirst()).map { from, to in
        (from, to - from, ((to - from) * (to - from)).sum())
      }
    }

    func depth(_ x: Double, _ y: Double) -> Double {
      guard reach > 0, x < reach, y < reach else { return min(x, y) }
      guard !chords.isEmpty else {
        return radius - ((radius - x) * (radius - x) + (radius - y) * (radius - y)).squareRoot()
      }
      var least = Double.infinity
      for chord in chords {
        let point = SIMD2(x, y) - chord.from
        let part = min(max((point * chord.along).sum() / chord.square, 0), 1)
        let away = point - chord.along * part
        least = min(least, (away * away).sum())
      }
      let u = max(reach - x, 0) / reach
      let v = max(reach - y, 0) / reach
      let isInside = x > 0 && y > 0 && pow(u, exponent) + pow(v, exponent) < 1
      return isInside ? least.squareRoot() : -least.squareRoot()
    }
  }
}
