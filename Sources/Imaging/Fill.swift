/// What an area is painted with.
package enum Fill: Codable, Hashable, Sendable {
  case solid(Color)
  /// Evenly spaced colours along a line through the middle of the area, as in CSS: 0 degrees runs
  /// upwards, 90 to the right, and the first and last colour touch the area's corners.
  case linear([Color], degrees: Double)
  /// Evenly spaced colours around the middle, clockwise from `degrees` (0 is up), as in CSS.
  case conic([Color], degrees: Double)
}
