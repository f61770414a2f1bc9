/// Where a picture lands in a box: the size that it is scaled to, and how that lies over the box.
struct Placement: Hashable {
  var scaled: PixelSize
  /// Left edge of the scaled picture in the box: below 0 where it is cropped.
  var x: Int
  /// Top edge, likewise.
  var y: Int

  init(of source: PixelSize, in box: PixelSize, fit: Fit, focus: Focus) {
    let horizontal = Double(box.width) / Double(source.width)
    let vertical = Double(box.height) / Double(source.height)
    switch fit {
    case .stretch:
      scaled = box
    case .fill:
      let factor = max(horizontal, vertical)
      scaled = PixelSize(
        width: max(box.width, Int((Double(source.width) * factor).rounded())),
        height: max(box.height, Int((Double(source.height) * factor).rounded())))
    case .contain:
      let factor = min(horizontal, vertical)
      scaled = PixelSize(
        width: min(box.width, max(1, Int((Double(source.width) * factor).rounded()))),
        height: min(box.height, max(1, Int((Double(source.height) * factor).rounded()))))
    }
    x = Self.offset(of: scaled.width, in: box.width, keeping: fit == .fill ? focus.x : 0.5)
    y = Self.offset(of: scaled.height, in: box.height, keeping: fit == .fill ? focus.y : 0.5)
  }

  /// Whether anything is made larger than it was.
  func enlarges(_ source: PixelSize) -> Bool {
    scaled.width > source.width || scaled.height > source.height
  }

  /// Brings the kept point to the middle of the box, as far as the picture still covers it.
  private static func offset(of length: Int, in room: Int, keeping point: Double) -> Int {
    guard length > room else { return (room - length) / 2 }
    let ideal = (point * Double(length) - Double(room) / 2).rounded(.down)
    return -Int(min(max(ideal, 0), Double(length - room)))
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
      && !placement(of: source, in: base).enlarges(source)
  }
}
