package import Recipes

/// The geometry of an image: the canvas, the box on it, and the picture's outline in the box.
package struct CanvasLayout: Hashable, Sendable {
  package let canvas: PixelSize
  package let box: PixelSize
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

  /// Returns the outline, inset by `inset` pixels; a negative inset expands the outline.
  func placed(inset: Double = 0) -> PlacedOutline {
    PlacedOutline(outline, of: box, inset: inset, on: canvas, x: x, y: y)
  }

  func area(outset: Double = 0) -> Window {
    Window(
      x: Double(x) - outset, y: Double(y) - outset,
      width: Double(box.width) + outset * 2, height: Double(box.height) + outset * 2)
  }
}

/// A rectangle with curved corners, placed on a canvas.
///
/// Each side is stored as a whole-pixel position and an inset rather than as their sum, so that
/// opposite sides with equal insets have identical pixels.
package struct PlacedOutline: Hashable, Sendable {
  let canvas: PixelSize
  /// The whole-pixel rectangle to which the insets are relative.
  let x: Int
  let y: Int
  let size: PixelSize
  /// The inset of each side; negative values are outside the rectangle.
  let left: Double
  let top: Double
  let right: Double
  let bottom: Double
  let topLeft: CornerCurve
  let topRight: CornerCurve
  let bottomRight: CornerCurve
  let bottomLeft: CornerCurve

  /// Places an outline at (x + dx, y + dy), with radii of at most half of the shorter side.
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
