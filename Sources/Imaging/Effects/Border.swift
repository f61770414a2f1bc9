/// Rings along the outline, none of which overlaps another.
package struct Border: Codable, Hashable, Sendable {
  package enum Mode: String, Codable, Hashable, Sendable, CaseIterable {
    /// Drawn over the picture, which shows through a translucent ring.
    case over
    /// The picture ends where the ring, or the gap after it, begins.
    case inset
    /// Drawn around the picture, which keeps its size.
    case outside
  }

  /// The band between two parallels of the outline.
  package struct Ring: Codable, Hashable, Sendable {
    /// Pixels inwards from the outline to the outer edge; below 0 it lies outside.
    package var from: Double
    /// Likewise to the inner edge; more than `from`.
    package var to: Double
    package var fill: Fill
    /// Whether the picture lies under it.
    package var isOver: Bool

    package init(from: Double, to: Double, fill: Fill, isOver: Bool) {
      self.from = from
      self.to = to
      self.fill = fill
      self.isOver = isOver
    }
  }

  package var rings: [Ring]
  /// The parallel at which the picture ends, in pixels inwards; 0 is the outline itself.
  package var cut: Double

  package init(rings: [Ring], cut: Double = 0) {
    self.rings = rings
    self.cut = cut
  }

  /// One plain ring along the inside of the outline.
  package init(width: Double, color: Color, mode: Mode) {
    precondition(mode != .outside, "an outside ring needs margins")
    self.init(
      rings: [Ring(from: 0, to: width, fill: .solid(color), isOver: mode == .over)],
      cut: mode == .over ? 0 : width)
  }
}
