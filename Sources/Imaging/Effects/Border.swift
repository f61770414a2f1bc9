/// Rings along the outline, none of which overlaps another.
package struct Border: Codable, Hashable, Sendable {
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
}
