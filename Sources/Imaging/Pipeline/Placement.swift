/// A part of a picture, in pixels of it and fractions of them.
struct Window: Hashable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  /// The same part, measured in a picture that is `horizontal` and `vertical` times as large.
  func scaled(_ horizontal: Double, _ vertical: Double) -> Window {
    Window(
      x: x * horizontal, y: y * vertical, width: width * horizontal, height: height * vertical)
  }
}

/// How a picture gets into a box: the window of it that is seen, and the size that it is drawn in.
struct Placement: Hashable {
  let window: Window
  /// The box, or for `contain` the part of it that the picture fills.
  let drawn: PixelSize
  /// Left edge of the drawn picture in the box.
  let x: Int
  /// Top edge, likewise.
  let y: Int

  init(of source: PixelSize, in box: PixelSize, fit: Fit, focus: Focus) {
    let width = Double(source.width)
    let height = Double(source.height)
    let horizontal = Double(box.width) / width
    let vertical = Double(box.height) / height
    switch fit {
    case .stretch:
      window = Window(x: 0, y: 0, width: width, height: height)
      drawn = box
    case .fill:
      let factor = max(horizontal, vertical)
      let seen = (width: Double(box.width) / factor, height: Double(box.height) / factor)
      window = Window(
        x: Self.start(of: seen.width, in: width, keeping: focus.x),
        y: Self.start(of: seen.height, in: height, keeping: focus.y),
        width: min(seen.width, width), height: min(seen.height, height))
      drawn = box
    case .contain:
      let factor = min(horizontal, vertical)
      window = Window(x: 0, y: 0, width: width, height: height)
      drawn = PixelSize(
        width: min(box.width, max(1, Int((width * factor).rounded()))),
        height: min(box.height, max(1, Int((height * factor).rounded()))))
    }
    x = (box.width - drawn.width) / 2
    y = (box.height - drawn.height) / 2
  }

  /// Source pixels for one drawn pixel, along the side where they are fewest.
  var shrinkage: Double {
    min(window.width / Double(drawn.width), window.height / Double(drawn.height))
  }

  /// The window as it lies in a picture that was drawn by another placement.
  func window(in other: Placement) -> Window {
    var result = window
    result.x -= other.window.x
    result.y -= other.window.y
    return result.scaled(
      Double(other.drawn.width) / other.window.width,
      Double(other.drawn.height) / other.window.height)
  }

  /// Brings the kept point to the middle, as far as the picture still covers the box.
  private static func start(of length: Double, in whole: Double, keeping point: Double) -> Double {
    max(0, min(point * whole - length / 2, whole - length))
  }
}

extension Frame {
  func placement(of source: PixelSize, in box: PixelSize) -> Placement {
    Placement(of: source, in: box, fit: fit, focus: focus)
  }

  /// Whether the box is made from the base picture rather than straight from the source.
  ///
  /// It saves scaling the whole source for each box. An enlarged base would only pass on its
  /// blur, and one that is not larger than the box in both directions has nothing to give.
  func usesBase(for source: PixelSize) -> Bool {
    box.width <= base.width && box.height <= base.height
      && placement(of: source, in: base).shrinkage >= 1
  }
}
