/// Flattens the whole box, corners included, on an opaque colour.
package struct Matte: Codable, Hashable, Sendable {
  package var color: Color

  package init(color: Color) {
    self.color = color
  }
}
