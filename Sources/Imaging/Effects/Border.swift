/// A ring whose outer edge is the outline and whose inner edge is the outline inset by `width`.
package struct Border: Codable, Hashable, Sendable {
  package enum Mode: String, Codable, Hashable, Sendable, CaseIterable {
    /// Drawn over the picture, which shows through a translucent ring.
    case over
    /// The picture ends where the ring begins; nothing of it lies under the ring.
    case inset
  }

  /// Pixels, above 0 and at most half of the box's shorter side.
  package var width: Double
  package var color: Color
  package var mode: Mode

  package init(width: Double, color: Color, mode: Mode) {
    self.width = width
    self.color = color
    self.mode = mode
  }
}
