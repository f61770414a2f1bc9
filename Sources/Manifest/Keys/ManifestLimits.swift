/// How much of anything a manifest may ask for: far above what a team page needs.
package enum ManifestLimits {
  static let version = 1
  static let idBytes = 1_024
  static let nameBytes = 64
  static let textBytes = 4_096
  /// Lists of users in `from`, and files that a pattern or a folder stands for.
  static let lists = 100
  static let userFiles = 100_000
  static let styles = 100
  /// Points.
  static let stripHeight = 1_024
  /// Points: a button's corner of this size has 4 megapixels at four pixels a point.
  static let bitmapCap = 256.0
  static let decorations = 32
  static let largestScale = 10.0
  static let tags = 100
  /// Of all pictures that stand in the manifest itself: they are in memory all the time.
  static let inlineBytes = 128 << 20
  static let avatarsOfOneUser = 32
  /// Points; a length beyond this cannot matter, since no image is larger.
  static let length = 16_384.0
  /// A pixel of a WebP image takes 33 bytes while it is made: this is 1 GB of a worker's 2 GiB, and
  /// its source may be large too.
  static let pixelsOfOneImage = 32_000_000.0
  /// Of all styles, scales and formats together, since one worker makes them in one job: a
  /// megapixel takes 50 ms, and a job may take 10 s.
  package static let pixelsOfOneUser = 64_000_000.0
}
