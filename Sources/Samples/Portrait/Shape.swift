import Foundation
import Recipes

/// An ellipse on a board of 1000 by 1000 units.
struct Ellipse: Sendable {
  private var center: SIMD2<Float>
  /// What a unit to the right, and one down, are where the ellipse is the unit circle.
  private let across: SIMD2<Float>
  private let down: SIMD2<Float>
  private let thickness: Float

  /// `tilt` is in degrees, clockwise.
  init(_ x: Float, _ y: Float, _ radiusX: Float, _ radiusY: Float, tilt: Float = 0) {
    let (sine, cosine) = (sin(tilt * .pi / 180), cos(tilt * .pi / 180))
    center = SIMD2(x, y)
    across = SIMD2(cosine / radiusX, -sine / radiusY)
    down = SIMD2(sine / radiusX, cosine / radiusY)
    thickness = min(radiusX, radiusY)
  }

  func moved(_ x: Float, _ y: Float) -> Ellipse {
    var copy = self
    copy.center += SIMD2(x, y)
    return copy
  }

  /// The columns of a row of pixels that the ellipse touches.
  func columns(of row: PixelRow, edge: Float) -> Range<Int> {
    let (start, step) = (onCircle(row.start - center), onCircle(row.step))
    let reach = 1 + edge / thickness
    let (a, b) = ((step * step).sum(), (start * step).sum())
    let root = b * b - a * ((start * start).sum() - reach * reach)
    let (middle, half) = (-b / a, max(root, 0).squareRoot() / a)
    let count = Float(row.pixels.count)
    let first = min(max(middle - half, 0), count)
    return Int(first)..<Int(min(max(middle + half + 1, first), count))
  }

  private func onCircle(_ offset: SIMD2<Float>) -> SIMD2<Float> {
    across * offset.x + down * offset.y
  }

  /// From 0, outside, to 1, inside, by the distance from the middle of the edge.
  @inline(__always)
  func coverage(of point: SIMD2<Float>, edge: Float) -> Float {
    let position = onCircle(point - center)
    let squared = (position * position).sum()
    let margin = min(edge / thickness, 1)
    if squared <= (1 - margin) * (1 - margin) { return 1 }
    if squared >= (1 + margin) * (1 + margin) { return 0 }
    let slope = SIMD2((across * position).sum(), (down * position).sum())
    let distance = (squared - 1) / (2 * (slope * slope).sum().squareRoot())
    let share = min(max(0.5 - distance / edge, 0), 1)
    return share * share * (3 - 2 * share)
  }
}

/// One layer of a portrait: an ellipse in one colour, cut to what is inside another ellipse and
/// outside a third.
struct Shape: Sendable {
  private let ellipse: Ellipse
  private let color: Color
  private let inside: Ellipse?
  private let outside: Ellipse?
  private let blur: Float

  /// `blur` is how wide the edge fades.
  init(
    _ ellipse: Ellipse, _ color: Color, inside: Ellipse? = nil, outside: Ellipse? = nil,
    blur: Float = 0
  ) {
    self.ellipse = ellipse
    self.color = color
    self.inside = inside
    self.outside = outside
    self.blur = blur
  }

  func paint(on row: inout PixelRow) {
    let pixel = (row.step * row.step).sum().squareRoot()
    let edge = max(blur, pixel)
    let tint = color.premultiplied
    for column in ellipse.columns(of: row, edge: edge) {
      let point = row.start + row.step * Float(column)
      var coverage: Float = 1
      if let outside { coverage -= outside.coverage(of: point, edge: edge) }
      if let inside { coverage *= inside.coverage(of: point, edge: pixel) }
      if coverage == 0 { continue }
      coverage *= ellipse.coverage(of: point, edge: edge)
      row.pixels[column] = tint * coverage + row.pixels[column] * (1 - tint.w * coverage)
    }
  }
}

/// A row of pixels and where it crosses the board.
struct PixelRow {
  /// Premultiplied, from 0 to 1.
  var pixels: [SIMD4<Float>]
  /// The middle of the first pixel.
  private(set) var start = SIMD2<Float>()
  /// From one pixel to the next.
  private(set) var step = SIMD2<Float>()

  /// Places the row on a board that leans clockwise from the neck, by degrees.
  mutating func cross(from point: SIMD2<Float>, step length: Float, leaning degrees: Float) {
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    let neck = SIMD2<Float>(500, 660)
    let offset = point - neck
    step = SIMD2(cosine, -sine) * length
    start = neck + SIMD2(cosine, -sine) * offset.x + SIMD2(sine, cosine) * offset.y
  }
}
