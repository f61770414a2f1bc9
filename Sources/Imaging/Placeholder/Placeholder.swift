/// What a page can show until the picture has come.
package struct Placeholder: Codable, Hashable, Sendable {
  /// At most 25 bytes.
  package var thumbHash: [UInt8]
  /// The dominant colour of what is visible; opaque.
  package var color: Color

  package static let smallestThumbHash = 5
  package static let largestThumbHash = 25

  package init(thumbHash: [UInt8], color: Color) {
    self.thumbHash = thumbHash
    self.color = color
  }

  /// Of a finished picture; nil when nothing of it is visible.
  ///
  /// Both come from a copy of at most 32 pixels a side: a ThumbHash has no more than seven waves.
  init?(of raster: Raster) {
    let thumbnail = raster.thumbnail(limit: 32)
    guard let color = thumbnail.dominantColor else { return nil }
    self.init(thumbHash: ThumbHash.bytes(of: thumbnail), color: color)
  }
}
