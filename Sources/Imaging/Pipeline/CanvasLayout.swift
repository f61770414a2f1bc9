package import Recipes

/// Where everything lies: the canvas, the box on it, and the outline of the picture in the box.
package struct CanvasLayout: Hashable, Sendable {
  package let canvas: PixelSize
  package let box: PixelSize
  /// Left edge of the box on the canvas.
  package let x: Int
  /// Top edge, likewise.
  package let y: Int
  package let outline: Outline

  package init(box: PixelSize, margins: Margins = .none, outline: Outline) {
    self.box = box
    self.outline = outline
    x = margins.left
    y = margins.top
    canvas = PixelSize(
      width: margins.left + box.width + margins.right,
      height: margins.top + box.height + margins.bottom)
  }

  init(_ recipe: Recipe) {
    self.init(box: recipe.frame.box, margins: recipe.margins, outline: recipe.outline)
  }

  /// The outline, drawn in by `inset` pixels on every side; below 0 it grows.
  func placed(inset: Double = 0) -> PlacedOutline {
    PlacedOutline(outline, of: box, inset: inset, on: canvas, x: x, y: y)
  }

  /// The box, grown by so many pixels on every side.
  func area(outset: Double = 0) -> Window {
    Window(
      x: Double(x) - outset, y: Double(y) - outset,
      width: Double(box.width) + outset * 2, height: Double(box.height) + outset * 2)
  }
}
