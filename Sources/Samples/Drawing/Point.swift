import Foundation

/// A place on the drawing board: x to the right, y down.
struct Point: Hashable, Sendable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  static func + (left: Point, right: Point) -> Point {
    Point(left.x + right.x, left.y + right.y)
  }

  static func - (left: Point, right: Point) -> Point {
    Point(left.x - right.x, left.y - right.y)
  }

  static func * (point: Point, factor: Double) -> Point {
    Point(point.x * factor, point.y * factor)
  }

  var length: Double { (x * x + y * y).squareRoot() }
}

/// How the drawing board is laid on the pixels.
struct Placement: Hashable, Sendable {
  /// The first column is where the x axis goes, the second where the y axis goes.
  private var xx = 1.0
  private var xy = 0.0
  private var yx = 0.0
  private var yy = 1.0
  private var origin = Point(0, 0)

  static let identity = Placement()

  /// Pixels per unit.
  var scale: Double { abs(xx * yy - xy * yx).squareRoot() }

  func callAsFunction(_ point: Point) -> Point {
    Point(
      xx * point.x + yx * point.y + origin.x,
      xy * point.x + yy * point.y + origin.y)
  }

  func moved(by offset: Point) -> Placement {
    var copy = self
    copy.origin = self(offset)
    return copy
  }

  func scaled(by x: Double, _ y: Double) -> Placement {
    var copy = self
    copy.xx *= x
    copy.xy *= x
    copy.yx *= y
    copy.yy *= y
    return copy
  }

  /// Degrees clockwise, since y goes down.
  func turned(by degrees: Double, around pivot: Point) -> Placement {
    let angle = degrees * .pi / 180
    let (sine, cosine) = (sin(angle), cos(angle))
    var copy = moved(by: pivot)
    let (x, y) = ((copy.xx, copy.xy), (copy.yx, copy.yy))
    (copy.xx, copy.xy) = (x.0 * cosine + y.0 * sine, x.1 * cosine + y.1 * sine)
    (copy.yx, copy.yy) = (y.0 * cosine - x.0 * sine, y.1 * cosine - x.1 * sine)
    return copy.moved(by: pivot * -1)
  }
}
