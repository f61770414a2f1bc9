import Foundation

/// What one rounded corner takes away from each pixel near it, as exact areas.
///
/// The corner is looked at from its own side: x and y grow from the corner of the box inwards.
/// The arc has radius `r` and its centre at `(inset + r, inset + r)`. In coordinates from the
/// centre towards the corner, u = centre − x and v = centre − y, a pixel is a rectangle
/// [u₀, u₁] × [v₀, v₁] within [0, r]², and the area of it inside the arc is
///
///     ∫ from u₀ to u₁ of clamp(√(r² − u²), v₀, v₁) − v₀  du
///
/// which is split where the arc leaves the rectangle at v₁ and at v₀; between those points the
/// antiderivative is (u·√(r² − u²) + r²·asin(u / r)) / 2. Only one half of the table is computed
/// and mirrored across the diagonal, and all four corners use the same table: the symmetry of a
/// mask is exact to the bit.
struct Corner {
  /// Pixels along a side that the corner may touch.
  let side: Int
  /// Areas between 0 and 1, row by row, `side` × `side`.
  private let cuts: [Double]

  init(radius: Double, inset: Double) {
    guard radius > 0 else {
      side = 0
      cuts = []
      return
    }
    let center = inset + radius
    let side = Int(center.rounded(.up))
    var cuts = [Double](repeating: 0, count: side * side)
    for row in 0..<side {
      for column in 0...row {
        let cut = Self.cut(column: column, row: row, center: center, radius: radius)
        cuts[row * side + column] = cut
        cuts[column * side + row] = cut
      }
    }
    self.side = side
    self.cuts = cuts
  }

  subscript(column: Int, row: Int) -> Double { cuts[row * side + column] }

  private static func cut(column: Int, row: Int, center: Double, radius: Double) -> Double {
    let u0 = min(max(center - Double(column + 1), 0), radius)
    let u1 = min(max(center - Double(column), 0), radius)
    let v0 = min(max(center - Double(row + 1), 0), radius)
    let v1 = min(max(center - Double(row), 0), radius)
    let area = (u1 - u0) * (v1 - v0)
    let square = radius * radius
    if area == 0 || u1 * u1 + v1 * v1 <= square { return 0 }
    if u0 * u0 + v0 * v0 >= square { return area }
    // Left of `high` the arc lies above the pixel, right of `low` below it.
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

  /// The inverse sine, kept within its domain: rounding may leave the argument a hair outside.
  private static func arc(_ ratio: Double) -> Double {
    asin(min(max(ratio, -1), 1))
  }
}
