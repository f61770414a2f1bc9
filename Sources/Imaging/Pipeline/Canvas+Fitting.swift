import Magick

extension Canvas {
  /// A copy that is scaled, turned upright and cropped, in this order.
  ///
  /// Turning after scaling gives the picture that turning before would give, and moves only the
  /// few pixels that are left.
  borrowing func fitted(
    by placement: Placement, in box: PixelSize, orientation: Int
  ) throws(MagickError) -> Canvas {
    var result = copy()
    let stored = placement.scaled.upright(orientation)
    try result.scale(to: stored)
    try result.turnUpright(orientation: orientation)
    if placement.scaled.width > box.width || placement.scaled.height > box.height {
      try result.crop(
        x: max(0, -placement.x), y: max(0, -placement.y),
        width: min(box.width, placement.scaled.width),
        height: min(box.height, placement.scaled.height))
    }
    return result
  }

  /// Scales, unless the size is right already.
  mutating func scale(to size: PixelSize) throws(MagickError) {
    guard size != PixelSize(width: width, height: height) else { return }
    try resize(width: size.width, height: size.height)
  }
}
