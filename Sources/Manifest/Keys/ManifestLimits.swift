/// Limits for a manifest, far higher than any team page needs.
package enum ManifestLimits {
  static let version = 1
  static let idBytes = 1_024
  static let nameBytes = 64
  static let textBytes = 4_096
  /// The maximum number of `from` entries; `userFiles` limits the number of files that they match.
  static let lists = 100
  static let userFiles = 100_000
  static let styles = 100
  static let stripHeight = 1_024
  /// The maximum corner size in points; at scale 4, a button with such corners has 4 megapixels.
  static let bitmapCap = 256.0
  static let decorations = 32
  static let largestScale = 10.0
  static let tags = 100
  /// The maximum total size of inline pictures, which all stay in memory.
  static let inlineBytes = 128 << 20
  static let avatarsOfOneUser = 32
  /// The maximum value of any length, in points.
  static let length = 16_384.0
  /// At this limit, WebP encoding (33 bytes per pixel) needs 1 GB of a worker's 2 GiB.
  static let pixelsOfOneImage = 32_000_000.0
  /// At this limit, a user's images take 3.2 of a job's 10 s (50 ms per megapixel).
  package static let pixelsOfOneUser = 64_000_000.0
}
