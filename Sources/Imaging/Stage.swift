/// Transparent pixels around the box.
package struct Margins: Codable, Hashable, Sendable {
  package var top: Int
  package var right: Int
  package var bottom: Int
  package var left: Int

  package init(top: Int, right: Int, bottom: Int, left: Int) {
    self.top = top
    self.right = right
    self.bottom = bottom
    self.left = left
  }

  package static let none = Margins(top: 0, right: 0, bottom: 0, left: 0)
}

/// Where everything lies: the canvas, the box on it, and the outline of the picture in the box.
struct Stage: Hashable {
  let canvas: PixelSize
  let box: PixelSize
  /// Left edge of the box on the canvas.
  let x: Int
  /// Top edge, likewise.
  let y: Int
  let outline: Outline

  init(_ recipe: Recipe) {
    let margins = recipe.margins
    box = recipe.frame.box
    x = margins.left
    y = margins.top
    canvas = PixelSize(
      width: margins.left + box.width + margins.right,
      height: margins.top + box.height + margins.bottom)
    outline = recipe.outline
  }
}
