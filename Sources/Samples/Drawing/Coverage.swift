/// How much of each pixel lies inside a path: exact areas, from 0 to 1.
struct Coverage: Sendable {
  let left: Int
  let top: Int
  let width: Int
  let height: Int
  private(set) var values: [Float]

  /// Each edge leaves in its pixels the area that it cuts off; summed along a row, these are the
  /// areas inside.
  init(of path: Path, on placement: Placement, width canvasWidth: Int, height canvasHeight: Int) {
    let polygons = path.polygons(on: placement)
    var (low, high) = (Point(.infinity, .infinity), Point(-.infinity, -.infinity))
    for polygon in polygons {
      for point in polygon {
        low = Point(min(low.x, point.x), min(low.y, point.y))
        high = Point(max(high.x, point.x), max(high.y, point.y))
      }
    }
    guard
      low.x < Double(canvasWidth), low.y < Double(canvasHeight), high.x > 0, high.y > 0
    else {
      (left, top, width, height, values) = (0, 0, 0, 0, [])
      return
    }
    left = max(Int(low.x.rounded(.down)), 0)
    top = max(Int(low.y.rounded(.down)), 0)
    width = min(Int(high.x.rounded(.up)), canvasWidth) - left
    height = min(Int(high.y.rounded(.up)), canvasHeight) - top
    var edges = EdgeSums(width: width, height: height)
    let corner = Point(Double(left), Double(top))
    for polygon in polygons {
      var start = polygon[polygon.count - 1] - corner
      for point in polygon {
        let end = point - corner
        edges.add(start, end)
        start = end
      }
    }
    values = edges.areas()
  }

  /// What lies inside both.
  func clipped(to other: Coverage) -> Coverage {
    var copy = self
    for row in 0..<height {
      let otherRow = row + top - other.top
      let isOutside = otherRow < 0 || otherRow >= other.height
      for column in 0..<width {
        let otherColumn = column + left - other.left
        if isOutside || otherColumn < 0 || otherColumn >= other.width {
          copy.values[row * width + column] = 0
        } else {
          copy.values[row * width + column] *=
            other.values[otherRow * other.width + otherColumn]
        }
      }
    }
    return copy
  }
}

/// The signed areas that edges cut off, before they are summed up.
private struct EdgeSums {
  let width: Int
  let height: Int
  /// Two cells more than a row has pixels: an edge on the right border writes beyond it.
  private let stride: Int
  private var cells: [Float]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    stride = width + 2
    cells = [Float](repeating: 0, count: stride * height)
  }

  mutating func add(_ start: Point, _ end: Point) {
    guard start.y != end.y else { return }
    let isDown = start.y < end.y
    let (upper, lower) = isDown ? (start, end) : (end, start)
    guard lower.y > 0, upper.y < Double(height) else { return }
    let slope = (lower.x - upper.x) / (lower.y - upper.y)
    let first = max(Int(upper.y.rounded(.down)), 0)
    let last = min(Int(lower.y.rounded(.up)), height)
    var x = upper.x + (max(upper.y, 0) - upper.y) * slope
    for row in first..<max(last, first) {
      let part = min(Double(row + 1), lower.y) - max(Double(row), upper.y)
      let next = x + slope * part
      add(row: row, from: min(x, next), to: max(x, next), part: isDown ? part : -part)
      x = next
    }
  }

  private mutating func add(row: Int, from: Double, to: Double, part: Double) {
    let limit = Double(width)
    guard from < limit else { return }
    let (from, to) = (max(from, 0), min(max(to, 0), limit))
    let start = row * stride
    let first = Int(from)
    let last = Int(to.rounded(.up))
    if last <= first + 1 {
      let outside = (from + to) / 2 - Double(first)
      cells[start + first] += Float(part * (1 - outside))
      cells[start + first + 1] += Float(part * outside)
      return
    }
    // The edge crosses several pixels of the row: a triangle at each end, equal steps between.
    let step = 1 / (to - from)
    let head = 1 - (from - Double(first))
    let tail = to - Double(last - 1)
    var before = 0.5 * step * head * head
    cells[start + first] += Float(part * before)
    for column in (first + 1)..<last {
      let isLast = column == last - 1
      let until = Double(column + 1) - from
      let area = isLast ? 1 - 0.5 * step * tail * tail : step * (until - 0.5)
      cells[start + column] += Float(part * (area - before))
      before = area
    }
    cells[start + last] += Float(part * (1 - before))
  }

  consuming func areas() -> [Float] {
    var areas = [Float](repeating: 0, count: width * height)
    for row in 0..<height {
      var sum: Float = 0
      for column in 0..<width {
        sum += cells[row * stride + column]
        areas[row * width + column] = min(abs(sum), 1)
      }
    }
    return areas
  }
}
