import Recipes

extension Placeholder {
  /// Of a finished picture; nil when nothing of it is visible.
  ///
  /// A ring or a shadow is one colour for all pictures of a style, so `color` is found before them;
  /// without one the finished picture decides. Both come from a copy of at most 32 pixels a side: a
  /// ThumbHash has no more than seven waves.
  init?(of raster: Raster, color: Color? = nil) {
    let thumbnail = raster.thumbnail(limit: Self.side)
    guard let color = color ?? thumbnail.dominantColor else { return nil }
    self.init(thumbHash: ThumbHash.bytes(of: thumbnail), color: color)
  }

  /// The dominant colour of a picture; nil when nothing of it is visible.
  static func color(of raster: Raster) -> Color? {
    raster.thumbnail(limit: side).dominantColor
  }

  private static let side = 32
}
