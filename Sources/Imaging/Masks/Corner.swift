import Foundation
import Recipes

/// The exact area that one curved corner cuts from each nearby pixel.
///
/// x and y grow inwards from the corner of the rectangle. The rectangle begins a fraction of a
/// pixel, the lead, after the first pixel's edge. The curve's centre is at lead + reach.
///
/// A circular corner has a closed form. Relative to the centre, u = centre − x and v = centre − y.
/// A pixel is a rectangle [u₀, u₁] × [v₀, v₁] within [0, r]², and its area inside the arc is
///
///     ∫ from u₀ to u₁ of clamp(√(r² − u²), v₀, v₁) − v₀  du
///
/// The integral is split where the arc crosses v₁ and v₀. The antiderivative is (u·√(r² − u²) +
/// r²·asin(u / r)) / 2. Other curves become fine polylines, and each pixel's area is a sum of
/// trapezoids.
///
/// If both leads are equal, one half of the table mirrors the other across the diagonal, so that
/// masks are exactly symmetric.
struct Corner {
  /// The number of pixels that the corner may cut along each side.
  let width: Int
  let height: Int
  /// The area cut from each pixel, from 0 to 1, row by row.
  private var cuts: [Double]
  /// For each row, the column after the last pixel cut by the corner.
  private(set) var touched: [Int] = []

  init(_ curve: CornerCurve, leadX: Double, leadY: Double) {
    let reach = curve.reach
    guard reach > 0 else {
      width = 0
      height = 0
      cuts = []
      return
    }
    width = Int((leadX + reach).rounded(.up))
    height = Int((leadY + reach).rounded(.up))
    cuts = [Double](repeating: 0, count: width * height)
    if curve.isCircular {
      cutCircle(radius: reach, leadX, leadY)
    } else {
      cutPolyline(curve.points(), reach: reach, leadX, leadY)
    }
    for row in 0..<height {
      var end = width
      while end > 0, cuts[row * width + end - 1] == 0 { end -= 1 }
      touched.append(end)
    }
  }

  subscript(column: Int, row: Int) -> Double { cuts[row &* width &+ column] }

  private mutating func cutCircle(radius: Double, _ leadX: Double, _ leadY: Double) {
    let isSymmetric = leadX == leadY
    for row in 0..<height {
      for column in 0..<(isSymmetric ? row + 1 : width) {
        let cut = Self.cut(
          column: Double(column), row: Double(row), leadX + radius, leadY + radius, radius: radius)
        cuts[row &* width &+ column] = cut
        if isSymmetric { cuts[column &* width &+ row] = cut }
      }
    }
  }

  private static func cut(
    column: Double, row: Double, _ centerX: Double, _ centerY: Double, radius: Double
  ) -> Double {
    cut(
      min(max(centerX - (column + 1), 0), radius), min(max(centerX - column, 0), radius),
      min(max(centerY - (row + 1), 0), radius), min(max(centerY - row, 0), radius),
      radius: radius)
  }

  /// Returns the area of the part of a rectangle that is outside a circle around the origin.
  ///
  /// The rectangle must be in the first quadrant, with coordinates of at most `radius`.
  static func cut(
    _ u0: Double, _ u1: Double, _ v0: Double, _ v1: Double, radius: Double
  ) -> Double {
    let area = (u1 - u0) * (v1 - v0)
    let square = radius * radius
    if area == 0 || u1 * u1 + v1 * v1 <= square { return 0 }
    if u0 * u0 + v0 * v0 >= square { return area }
    // To the left of `high`, the arc is above the pixel; to the right of `low`, it is below it.
    let high = min(max((square - v1 * v1).squareRoot(), u0), u1)
    let low = min(max((square - v0 * v0).squareRoot(), u0), u1)
    let inside =
      (high - u0) * (v1 - v0)
      + primitive(low, radius) - primitive(high, radius) - (low - high) * v0
    return min(max(area - inside, 0), area)
  }

  private static func primitive(_ u: Double, _ radius: Double) -> Double {
    (u * max(radius * radius - u * u, 0).squareRoot() + radius * radius * arc(u / radius)) / 2
  }

  /// Clamps the argument, because rounding can move it outside the domain of asin.
  private static func arc(_ ratio: Double) -> Double {
    asin(min(max(ratio, -1), 1))
  }

  private mutating func cutPolyline(
    _ points: [SIMD2<Double>], reach: Double, _ leadX: Double, _ leadY: Double
  ) {
    let lead = SIMD2(leadX, leadY)
    /// For each pixel, the total width of the segments that end in it and also cut earlier rows.
    var passing = [Double](repeating: 0, count: width * (height + 1))
    for (from, to) in zip(points, points.dropFirst()) where to.x > from.x {
      let start = from + lead
      let end = to + lead
      let slope = (end.y - start.y) / (end.x - start.x)
      let first = min(Int(start.x), width - 1)
      let last = min(Int(end.x), width - 1)
      for column in first...last {
        let x0 = column == first ? start.x : Double(column)
        let x1 = column == last ? end.x : Double(column + 1)
        guard x1 > x0 else { continue }
        let y0 = column == first ? start.y : start.y + (x0 - start.x) * slope
        let y1 = column == last ? end.y : start.y + (x1 - start.x) * slope
        addPiece(&passing, column, SIMD2(x0, y0), SIMD2(x1, y1))
      }
    }
    for column in 0..<width {
      var width = 0.0
      for row in stride(from: height - 1, through: 0, by: -1) {
        width += passing[(row + 1) * self.width + column]
        cuts[row * self.width + column] += width
      }
      // The first row begins at the rectangle's edge rather than at the pixel's edge.
      let covered = min(Double(column + 1), leadX + reach) - max(Double(column), leadX)
      cuts[column] -= max(covered, 0) * leadY
    }
    for index in cuts.indices { cuts[index] = min(max(cuts[index], 0), 1) }
    guard leadX == leadY else { return }
    for row in 0..<height {
      for column in 0..<row { cuts[column * width + row] = cuts[row * width + column] }
    }
  }

  /// Adds a falling segment within one column: each row that it crosses loses the area below it.
  private mutating func addPiece(
    _ passing: inout [Double], _ column: Int, _ start: SIMD2<Double>, _ end: SIMD2<Double>
  ) {
    let top = min(max(Int(start.y), 0), height - 1)
    let bottom = min(max(Int(end.y), 0), top)
    passing[bottom * width + column] += end.x - start.x
    let run = start.y > end.y ? (end.x - start.x) / (start.y - end.y) : 0
    for row in bottom...top {
      // Before `x0`, the segment is above the row; after `x1`, it is below the row.
      let y0 = min(start.y, Double(row + 1))
      let y1 = max(end.y, Double(row))
      let x0 = start.x + (start.y - y0) * run
      let x1 = row == bottom ? end.x : start.x + (start.y - y1) * run
      let middle = (y0 + y1) / 2 - Double(row)
      cuts[row * width + column] += (x0 - start.x) + (x1 - x0) * middle
    }
  }
}

/// The curve of one corner: a quarter of a superellipse, or a curve parallel to it.
///
/// Relative to the centre, with semi-axis a and exponent n, the curve is uⁿ + vⁿ = aⁿ. A circular
/// corner has n = 2 and a = r. A continuous corner is longer and has
///
///     a = min(1.528665 · r, half of the shorter side)
///     n = −ln 2 / ln(1 − (1 − 1/√2) · r / a)
///
/// A continuous corner crosses the diagonal at the same point as the circle of radius r, but its
/// curvature starts at 0. If r is half of the shorter side, the curve is that circle.
struct CornerCurve: Hashable {
  /// The semi-axis of the curve before the inset is applied; 0 for a right angle.
  let axis: Double
  let exponent: Double
  /// The distance from the curve to the parallel curve; negative if the latter is outside.
  let inset: Double

  init(radius: Double, limit: Double, curve: Outline.Curve, inset: Double) {
    let radius = min(radius, limit)
    guard radius > 0 else {
      axis = 0
      exponent = 2
      self.inset = 0
      return
    }
    let axis = min(curve.extent * radius, limit)
    let ratio = radius / axis
    let exponent = ratio < 1 ? -log(2) / log(1 - (1 - 0.5.squareRoot()) * ratio) : 2
    if exponent - 2 < 1e-9 {
      // A curve parallel to a circle is also a circle.
      self.axis = max(0, axis - inset)
      self.exponent = 2
      self.inset = 0
    } else {
      self.axis = axis
      self.exponent = exponent
      self.inset = inset
    }
  }

  var isCircular: Bool { exponent == 2 }

  /// The distance from the inset rectangle's corner to the start of the parallel curve.
  var reach: Double { max(0, axis - inset) }

  /// Returns the parallel curve as a fine polyline, relative to the inset rectangle's corner.
  ///
  /// x grows from 0 to the reach, while y falls from the reach to 0. An inner parallel curve that
  /// would cross the diagonal ends there in a corner.
  func points() -> [SIMD2<Double>] {
    let reach = reach
    guard reach > 0 else { return [] }
    // Chords of half a pixel deviate from the arc by less than a thousandth of a pixel.
    let steps = max(48, Int(((axis - min(inset, 0)) * 2).rounded(.up)))
    var half: [SIMD2<Double>] = []
    half.reserveCapacity(steps + 1)
    for step in 0...steps {
      let point = parallel(Double(step) / Double(steps) * .pi / 4)
      guard point.x >= point.y else {
        if let last = half.last {
          let before = last.x - last.y
          let share = before / (before + point.y - point.x)
          let meeting = (last + (point - last) * share).sum() / 2
          half.append(SIMD2(meeting, meeting))
        }
        break
      }
      half.append(point)
    }
    return half.map { SIMD2($0.y, $0.x) } + half.reversed()
  }

  /// Returns the point on the parallel curve for an angle at the centre: 0 is where the curve
  /// leaves the side with y = 0, and π / 4 is the diagonal.
  private func parallel(_ angle: Double) -> SIMD2<Double> {
    let slope = angle >= .pi / 4 ? 1 : tan(angle)
    let power = pow(slope, exponent - 1)
    let foot = axis * pow(1 + power * slope, -1 / exponent)
    let length = (1 + power * power).squareRoot()
    // The normal is (power, 1) / length. The result is relative to the inset rectangle's corner.
    let across = foot * slope - inset * power / length
    let up = foot - inset / length
    return SIMD2(max(0, reach - across), max(0, reach - up))
  }
}
