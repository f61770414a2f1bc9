/// The bounding box of visible ink; y points up from the baseline.
package struct InkBox: Hashable, Sendable {
  package var left: Double
  package var bottom: Double
  package var right: Double
  package var top: Double

  package var width: Double { right - left }
  package var height: Double { top - bottom }

  func union(_ other: InkBox) -> InkBox {
    InkBox(
      left: min(left, other.left), bottom: min(bottom, other.bottom),
      right: max(right, other.right), top: max(top, other.top))
  }

  func scaled(by factor: Double, movedBy x: Double = 0) -> InkBox {
    InkBox(
      left: left * factor + x, bottom: bottom * factor, right: right * factor + x,
      top: top * factor)
  }
}

/// The text's coverage of each pixel, from 0 to 255, row by row.
package struct InkCoverage: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package private(set) var values: [UInt8]

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
    values = [UInt8](repeating: 0, count: width * height)
  }

  /// Adds a glyph; overlapping coverage is combined like independent probabilities.
  mutating func add(_ part: [UInt8], columns: Range<Int>, top: Int) {
    let stride = self.width
    var target = values.mutableSpan
    let source = part.span
    let width = columns.count
    for row in 0..<part.count / width {
      let from = row &* width
      let to = (top &+ row) &* stride &+ columns.lowerBound
      for column in 0..<width {
        let below = Int(target[to &+ column])
        let above = Int(source[from &+ column])
        target[to &+ column] = UInt8(below &+ above &- (below &* above &+ 127) / 255)
      }
    }
  }
}
