import Foundation
import Recipes

/// The curve of one corner: a quarter of a superellipse, or a parallel of it.
///
/// From the centre of the curve, with semi-axis a and exponent n, it is uⁿ + vⁿ = aⁿ. A circular
/// corner has n = 2 and a = r. A continuous one begins further away and has
///
///     a = min(1.528665 · r, half of the shorter side)
///     n = −ln 2 / ln(1 − (1 − 1/√2) · r / a)
///
/// which lets it pass through the same point of the diagonal as the circle of radius r. Since
/// n > 2, its curvature grows from 0 where it leaves the sides; with r of half the side it is the
/// circle.
struct CornerCurve: Hashable {
  /// Semi-axis of the curve itself, not of the parallel; 0 is a right angle.
  let axis: Double
  let exponent: Double
  /// How far inside the curve the parallel runs; below 0 it runs outside.
  let inset: Double

  /// Where UIKit's curve leaves the sides, in radii.
  static let extent = 1.528665

  init(radius: Double, limit: Double, curve: Outline.Curve, inset: Double) {
    let radius = min(radius, limit)
    guard radius > 0 else {
      axis = 0
      exponent = 2
      self.inset = 0
      return
    }
    let axis = curve == .circular ? radius : min(Self.extent * radius, limit)
    let ratio = radius / axis
    let exponent = ratio < 1 ? -log(2) / log(1 - (1 - 0.5.squareRoot()) * ratio) : 2
    if exponent - 2 < 1e-9 {
      // The parallel of a circle is a circle.
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

  /// How far from the corner of the drawn-in rectangle the parallel begins, along either side.
  var reach: Double { max(0, axis - inset) }

  /// The parallel as a fine polyline, from the corner of the drawn-in rectangle inwards: x grows
  /// from 0 to the reach, y falls from the reach to 0.
  ///
  /// Half of it is computed and mirrored at the diagonal. An inside parallel that would cross the
  /// diagonal ends there with an angle, which is a right angle from `inset` = `axis` on.
  func points() -> [SIMD2<Double>] {
    let reach = reach
    guard reach > 0 else { return [] }
    // A chord of half a pixel is less than a thousandth of one away from its arc.
    let steps = max(48, Int(((axis - min(inset, 0)) * 2).rounded(.up)))
    var half: [SIMD2<Double>] = []
    half.reserveCapacity(steps + 1)
    for step in 0...steps {
      let point = parallel(Double(step) / Double(steps) * .pi / 4)
      guard point.x >= point.y else {
        if let last = half.last {
          // Where the chord from the last point meets the diagonal.
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

  /// The point of the parallel whose foot on the curve lies in a direction, seen from the centre;
  /// 0 is where the curve leaves the side on which y is 0, π / 4 is the diagonal.
  private func parallel(_ angle: Double) -> SIMD2<Double> {
    let slope = angle >= .pi / 4 ? 1 : tan(angle)
    let power = pow(slope, exponent - 1)
    let foot = axis * pow(1 + power * slope, -1 / exponent)
    let length = (1 + power * power).squareRoot()
    // The normal is (power, 1) / length; both are measured from the drawn-in corner here.
    let across = foot * slope - inset * power / length
    let up = foot - inset / length
    return SIMD2(max(0, reach - across), max(0, reach - up))
  }
}
