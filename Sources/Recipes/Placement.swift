/// A rectangle in a picture, in fractional pixels.
package struct Window: Hashable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  package func scaled(_ horizontal: Double, _ vertical: Double) -> Window {
    Window(x: x * horizontal, y: y * vertical, width: width * horizontal, height: height * vertical)
  }
}

extension PixelSize {
  package var window: Window {
    Window(x: 0, y: 0, width: Double(width), height: Double(height))
  }
}

/// The visible part of a picture in a box, and the size at which it is drawn.
package struct Placement: Hashable {
  package let window: Window
  /// The size of the drawn picture, which is smaller than the box only if `fit` is `.contain`.
  package let drawn: PixelSize
  package let x: Int
  package let y: Int

  package init(of source: PixelSize, in box: PixelSize, fit: Fit, focus: Focus, zoom: Double = 1) {
    let (width, height) = (Double(source.width), Double(source.height))
    let (horizontal, vertical) = (Double(box.width) / width, Double(box.height) / height)
    switch fit {
    case .stretch:
      window = source.window
      drawn = box
    case .fill:
      let factor = max(horizontal, vertical) * zoom
      let seen = (width: Double(box.width) / factor, height: Double(box.height) / factor)
      window = Window(
        x: Self.start(of: seen.width, in: width, keeping: focus.x),
        y: Self.start(of: seen.height, in: height, keeping: focus.y),
        width: min(seen.width, width), height: min(seen.height, height))
      drawn = box
    case .contain:
      let factor = min(horizontal, vertical)
      window = source.window
      drawn = PixelSize(
        width: min(box.width, max(1, Int((width * factor).rounded()))),
        height: min(box.height, max(1, Int((height * factor).rounded()))))
    }
    x = (box.width - drawn.width) / 2
    y = (box.height - drawn.height) / 2
  }

  /// The number of source pixels per drawn pixel, on the axis where this number is smaller.
  package var shrinkage: Double {
    min(window.width / Double(drawn.width), window.height / Double(drawn.height))
  }

  /// Returns the window in the coordinates of a picture that was drawn with another placement.
  package func window(in other: Placement) -> Window {
    var result = window
    result.x -= other.window.x
    result.y -= other.window.y
    return result.scaled(
      Double(other.drawn.width) / other.window.width,
      Double(other.drawn.height) / other.window.height)
  }

  /// Returns the start of a crop that centres the focus point as far as the picture's edge allows.
  private static func start(of length: Double, in whole: Double, keeping point: Double) -> Double {
    max(0, min(point * whole - length / 2, whole - length))
  }
}

extension Frame {
  package func placement(of source: PixelSize, in box: PixelSize) -> Placement {
    Placement(of: source, in: box, fit: fit, focus: focus, zoom: zoom ?? 1)
  }

  /// Returns the frame with the largest zoom that `auto` may choose.
  ///
  /// The zoomed crop has at least as many pixels as the base. Two cases are not worth the time: a
  /// zoom below 1.1, and a quick search when the crop already shows almost the whole picture.
  package func closest(in source: PixelSize) -> Frame {
    let crop = placement(of: source, in: base)
    let share = crop.window.width * crop.window.height / Double(source.width * source.height)
    guard crop.shrinkage >= 1.1, case .face(_, _, _, let isQuick, true?) = finder,
      isQuick != true || share <= 0.999
    else { return self }
    var frame = self
    frame.zoom = min(crop.shrinkage, 2.5)
    return frame
  }

  /// Returns whether the box is scaled from the base picture rather than from the source.
  ///
  /// Scaling from the base is faster, but would blur the result if the base is smaller than the
  /// box or was itself enlarged.
  package func usesBase(for source: PixelSize) -> Bool {
    box.width <= base.width && box.height <= base.height
      && placement(of: source, in: base).shrinkage >= 1
  }
}

extension Inspection {
  /// Returns the factor by which decoding reduces a JPEG or an SVG; 1 for other formats.
  ///
  /// The decoded picture has at least 1.5 times as many pixels as the base on each axis, so the
  /// loss is invisible. All scales of a style share one decoded picture, because the factor depends
  /// only on the source and the base. A JPEG that is too large for a full decode is always reduced.
  package func reduction(for frame: Frame) -> Int {
    guard format == .jpeg || format == .svg else { return 1 }
    let shrinkage = frame.placement(of: uprightSize, in: frame.base).shrinkage
    return Self.reductions.first {
      Double($0) * 1.5 <= shrinkage && ($0 <= 8 || format == .svg)
    } ?? (size.width * size.height > InspectionLimits.standard.pixels ? 2 : 1)
  }

  /// Returns the size of the decoded picture before it is rotated upright.
  package func decodedSize(reduction: Int) -> PixelSize {
    PixelSize(
      width: (size.width + reduction - 1) / reduction,
      height: (size.height + reduction - 1) / reduction)
  }

  /// The factors in descending order; JPEG decoding uses only the last three.
  private static let reductions = [64, 32, 16, 8, 4, 2]
}
