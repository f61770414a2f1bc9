import Recipes

/// The way along which a crop can be moved: one axis of the upright picture, in its pixels.
struct CropAxis {
  let isVertical: Bool
  /// Of the picture.
  let whole: Double
  /// Of it, what the crop shows.
  let seen: Double

  /// Nil when the crop shows the whole picture, or but for a thousandth.
  init?(of source: PixelSize, for frame: Frame) {
    guard frame.fit == .fill else { return nil }
    let window = frame.placement(of: source, in: frame.base).window
    let width = Double(source.width)
    let height = Double(source.height)
    isVertical = height - window.height > width - window.width
    whole = isVertical ? height : width
    seen = isVertical ? window.height : window.width
    guard room * 1000 >= whole else { return nil }
  }

  /// How far the crop can be moved.
  var room: Double { whole - seen }

  /// Where the crop begins that keeps a point.
  func start(keeping focus: Focus) -> Double {
    clamped((isVertical ? focus.y : focus.x) * whole - seen / 2)
  }

  func clamped(_ start: Double) -> Double { max(0, min(start, room)) }

  /// The focus whose crop begins there, in thousandths, so that it can be written down.
  ///
  /// Along the other axis, where the crop has no choice, it is that of `point`.
  func focus(start: Double, beside point: Focus) -> Focus {
    let middle = (start + seen / 2) / whole * 1000
    // A crop at the picture's edge stays there.
    let rule: FloatingPointRoundingRule =
      start <= 0 ? .down : start >= room ? .up : .toNearestOrAwayFromZero
    let along = max(0, min(middle.rounded(rule), 1000)) / 1000
    return isVertical ? Focus(x: point.x, y: along) : Focus(x: along, y: point.y)
  }
}
