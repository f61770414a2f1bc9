import Foundation

/// Closed outlines made of lines and cubic curves.
///
/// What an outline goes round more than once is filled once; an outline that runs the other way
/// round cuts a hole.
struct Path: Sendable {
  enum Step: Sendable {
    case move(Point)
    case line(Point)
    case curve(Point, Point, Point)
  }

  private(set) var steps: [Step] = []
  private var current = Point(0, 0)

  mutating func move(_ x: Double, _ y: Double) {
    current = Point(x, y)
    steps.append(.move(current))
  }

  mutating func line(_ x: Double, _ y: Double) {
    current = Point(x, y)
    steps.append(.line(current))
  }

  mutating func curve(_ first: Point, _ second: Point, to end: Point) {
    steps.append(.curve(first, second, end))
    current = end
  }

  /// Goes smoothly through all the points, from where the path stands.
  mutating func spline(_ points: [Point]) {
    let all = [current] + points
    for index in 1..<all.count {
      let before = all[max(index - 2, 0)]
      let (start, end) = (all[index - 1], all[index])
      let after = all[min(index + 1, all.count - 1)]
      curve(start + (end - before) * (1 / 6), end - (after - start) * (1 / 6), to: end)
    }
  }

  mutating func append(_ other: Path) {
    steps.append(contentsOf: other.steps)
  }

  /// The outlines as polygons on the pixels, fine enough for their size.
  func polygons(on placement: Placement) -> [[Point]] {
    var polygons: [[Point]] = []
    var open: [Point] = []
    for step in steps {
      switch step {
      case .move(let point):
        if open.count > 2 { polygons.append(open) }
        open = [placement(point)]
      case .line(let point):
        open.append(placement(point))
      case .curve(let first, let second, let end):
        guard let start = open.last else { continue }
        let (first, second, end) = (placement(first), placement(second), placement(end))
        let length =
          (first - start).length + (second - first).length + (end - second).length
        let count = min(max(Int((length * 0.9).squareRoot() * 2), 3), 120)
        for index in 1...count {
          let t = Double(index) / Double(count)
          let u = 1 - t
          open.append(
            start * (u * u * u) + first * (3 * u * u * t) + second * (3 * u * t * t)
              + end * (t * t * t))
        }
      }
    }
    if open.count > 2 { polygons.append(open) }
    return polygons
  }
}

// MARK: - Ready shapes

extension Path {
  /// The control points of a quarter circle lie this far from its ends.
  private static let arc = 0.5523

  static func ellipse(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, isHole: Bool = false
  ) -> Path {
    var path = Path()
    let (across, along) = (width, isHole ? -height : height)
    let (kx, ky) = (across * arc, along * arc)
    path.move(x, y - along)
    path.curve(
      Point(x + kx, y - along), Point(x + across, y - ky), to: Point(x + across, y))
    path.curve(
      Point(x + across, y + ky), Point(x + kx, y + along), to: Point(x, y + along))
    path.curve(
      Point(x - kx, y + along), Point(x - across, y + ky), to: Point(x - across, y))
    path.curve(
      Point(x - across, y - ky), Point(x - kx, y - along), to: Point(x, y - along))
    return path
  }

  static func circle(_ x: Double, _ y: Double, _ radius: Double, isHole: Bool = false) -> Path {
    ellipse(x, y, radius, radius, isHole: isHole)
  }

  static func roundedRectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double,
    isHole: Bool = false
  ) -> Path {
    let r = min(radius, min(width, height) / 2)
    let k = r * (1 - arc)
    let (right, bottom) = (x + width, y + height)
    let corners = [
      (Point(right - r, y), Point(right - k, y), Point(right, y + k), Point(right, y + r)),
      (
        Point(right, bottom - r), Point(right, bottom - k), Point(right - k, bottom),
        Point(right - r, bottom)
      ),
      (Point(x + r, bottom), Point(x + k, bottom), Point(x, bottom - k), Point(x, bottom - r)),
      (Point(x, y + r), Point(x, y + k), Point(x + k, y), Point(x + r, y)),
    ]
    var path = Path()
    for (index, corner) in (isHole ? corners.reversed() : corners).enumerated() {
      let ends = isHole ? (corner.3, corner.0) : (corner.0, corner.3)
      if index == 0 { path.move(ends.0.x, ends.0.y) } else { path.line(ends.0.x, ends.0.y) }
      path.curve(
        isHole ? corner.2 : corner.1, isHole ? corner.1 : corner.2, to: ends.1)
    }
    return path
  }

  /// A closed curve that goes smoothly through all the points.
  static func blob(_ points: [Point]) -> Path {
    var path = Path()
    let count = points.count
    path.move(points[0].x, points[0].y)
    for index in 0..<count {
      let before = points[(index + count - 1) % count]
      let (start, end) = (points[index], points[(index + 1) % count])
      let after = points[(index + 2) % count]
      path.curve(start + (end - before) * (1 / 6), end - (after - start) * (1 / 6), to: end)
    }
    return path
  }

  static func polygon(_ points: [Point]) -> Path {
    var path = Path()
    path.move(points[0].x, points[0].y)
    for point in points.dropFirst() { path.line(point.x, point.y) }
    return path
  }

  /// A line drawn with a round brush smoothly through all the points.
  ///
  /// The taper says how much thinner the ends are than the middle, 0…1.
  static func brush(_ points: [Point], width: Double, taper: Double = 0) -> Path {
    var spine = Path()
    spine.move(points[0].x, points[0].y)
    spine.spline(Array(points.dropFirst()))
    // Half a unit is finer than any pixel that this is drawn on.
    let centers = spine.polygons(on: .identity).first ?? points
    let last = centers.count - 1
    func radius(_ index: Int) -> Double {
      let t = Double(index) / Double(max(last, 1))
      return width / 2 * (1 - taper * pow(abs(2 * t - 1), 2.2))
    }
    func normal(_ index: Int) -> Point {
      let along = centers[min(index + 1, last)] - centers[max(index - 1, 0)]
      let length = max(along.length, 1e-9)
      return Point(-along.y / length, along.x / length)
    }
    var outline: [Point] = []
    for index in 0...last { outline.append(centers[index] + normal(index) * radius(index)) }
    outline += cap(at: centers[last], from: normal(last), radius: radius(last))
    for index in stride(from: last, through: 0, by: -1) {
      outline.append(centers[index] - normal(index) * radius(index))
    }
    outline += cap(at: centers[0], from: normal(0) * -1, radius: radius(0))
    return .polygon(outline)
  }

  private static func cap(at center: Point, from normal: Point, radius: Double) -> [Point] {
    (1..<12).map { index in
      let angle = -Double(index) / 12 * .pi
      let turned = Point(
        normal.x * cos(angle) - normal.y * sin(angle),
        normal.x * sin(angle) + normal.y * cos(angle))
      return center + turned * radius
    }
  }
}
