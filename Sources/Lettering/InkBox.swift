/// A rectangle around what is visible; y grows upwards from the baseline.
package struct InkBox: Hashable, Sendable {
  package var left: Double
  package var bottom: Double
  package var right: Double
  package var top: Double

  package init(left: Double, bottom: Double, right: Double, top: Double) {
    self.left = left
    self.bottom = bottom
    self.right = right
    self.top = top
  }

  package var width: Double { right - left }
  package var height: Double { top - bottom }

  func union(_ other: InkBox) -> InkBox {
    InkBox(
      left: min(left, other.left), bottom: min(bottom, other.bottom),
      right: max(right, other.right), top: max(top, other.top))
  }

  /// Multiplied, then moved to the right.
  func scaled(by factor: Double, movedBy x: Double = 0) -> InkBox {
    InkBox(
      left: left * factor + x, bottom: bottom * factor, right: right * factor + x,
      top: top * factor)
  }
}
