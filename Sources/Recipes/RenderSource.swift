/// What images are made from; the bytes that belong to it travel beside it.
///
/// A new kind is a case here, and its way to pixels in Imaging/Pipeline/Picture.
package enum RenderSource: Codable, Hashable, Sendable {
  /// An inspected file; `reduction` is the denominator of the JPEG decode.
  case encoded(Inspection, reduction: Int)
  /// One colour, without bytes.
  case color(Color)
  /// A description to draw from, without bytes.
  case generated(Generated)
  /// Pixels that our own code drew: RGBA, 8 bits a channel, row by row.
  case raster(PixelSize)
  /// Finished pictures on one canvas: the PNG of each, one behind the other.
  case sheet(SpriteSheet)
  /// Finished pictures and words on one ground: the file of each, one behind the other.
  case collage(Collage)
}
