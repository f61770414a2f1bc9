package import Recipes

/// Where everything lies: the canvas, the box on it, and the outline of the picture in the box.
package struct CanvasLayout: Hashable, Sendable {
  package let canvas: PixelSize
  package let box: PixelSize
  /// The upper left corner of the box on the canvas.
  package let x: Int
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

/// A rectangle with a curve at each corner, somewhere on a canvas.
///
/// The sides are whole pixels and a distance inwards from there, rather than a sum of both, so that
/// opposite sides with equal distances are drawn equally to the bit.
package struct PlacedOutline: Hashable, Sendable {
  let canvas: PixelSize
  /// The pixels that the sides are measured from.
  let x: Int
  let y: Int
  let size: PixelSize
  /// How far each side lies inwards of its pixels; below 0 it lies outside.
  let left: Double
  let top: Double
  let right: Double
  let bottom: Double
  let topLeft: CornerCurve
  let topRight: CornerCurve
  let bottomRight: CornerCurve
  let bottomLeft: CornerCurve

  /// An outline of a box, drawn in by `inset` pixels, and moved.
  ///
  /// Radii are clamped to half of the shorter side. A parallel keeps its distance everywhere: the
  /// radius of a circular corner shrinks or grows by as much, and a right angle stays one. The box
  /// lies at x and y on the canvas, and fractions dx and dy of a pixel further right and down.
  init(
    _ outline: Outline, of box: PixelSize, inset: Double, on canvas: PixelSize, x: Int, y: Int,
    dx: Double = 0, dy: Double = 0
  ) {
    let limit = Double(box.shorterSide) / 2
    func curve(_ radius: Double) -> CornerCurve {
      CornerCurve(radius: radius, limit: limit, curve: outline.curve, inset: inset)
    }
    self.canvas = canvas
    self.x = x
    self.y = y
    size = box
    left = inset + dx
    right = inset - dx
    top = inset + dy
    bottom = inset - dy
    topLeft = curve(outline.topLeft)
    topRight = curve(outline.topRight)
    bottomRight = curve(outline.bottomRight)
    bottomLeft = curve(outline.bottomLeft)
  }
}
