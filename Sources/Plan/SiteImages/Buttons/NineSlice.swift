package import Manifest
package import Recipes

/// The smallest picture of a button that can be stretched to every size: four corners, and one
/// pixel between them.
package struct NineSlice: Hashable, Sendable {
  package let scale: Double
  /// Pixels at each side that must not be stretched; 0 when the button is nothing but a colour.
  package let cap: Int
  package let recipe: Recipe

  package init(_ button: ButtonStyle, scale: Double) {
    self.scale = scale
    cap = Int((button.cap * scale).rounded(.up))
    recipe = Self.recipe(
      of: button, size: PixelSize(width: 2 * cap + 1, height: 2 * cap + 1), scale: scale)
  }

  /// The button drawn at some size, instead of being stretched to it.
  package static func recipe(of button: ButtonStyle, size: PixelSize, scale: Double) -> Recipe {
    let radius = min(button.radius * scale, Double(size.shorterSide) / 2)
    return Recipe(
      frame: Frame(base: size, box: size, fit: .stretch),
      outline: Outline(
        topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius),
      effects: Border(button.visibleBorder, box: size, scale: scale).map { [.border($0)] } ?? [],
      encoding: Encoding(format: .png))
  }
}

extension Border {
  /// Drawn over the colour, along the outline.
  fileprivate init?(_ edge: ButtonStyle.Edge?, box: PixelSize, scale: Double) {
    guard let edge else { return nil }
    let width = min(edge.width * scale, Double(box.shorterSide) / 2)
    self.init(rings: [Ring(from: 0, to: width, fill: .solid(edge.color), isOver: true)])
  }
}
