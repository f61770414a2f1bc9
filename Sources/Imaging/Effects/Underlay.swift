/// Paints a colour behind the picture, inside the outline only.
package struct Underlay: Codable, Hashable, Sendable {
  package var color: Color

  package init(color: Color) {
    self.color = color
  }
}
