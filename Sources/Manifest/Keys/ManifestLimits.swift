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
  /// In points.
  static let stripHeight = 1_024
  /// In points; at scale 4, a button with corners of this size is 4 megapixels.
  static let bitmapCap = 256.0
  static let decorations = 32
  static let largestScale = 10.0
  static let tags = 100
  /// The total size of all inline pictures, which stay in memory.
  static let inlineBytes = 128 << 20
  static let avatarsOfOneUser = 32
  /// The maximum for every length, in points.
  static let length = 16_384.0
  /// WebP encoding needs 33 bytes per pixel: 1 GB at this limit. A worker may use up to 2 GiB.
  static let pixelsOfOneImage = 32_000_000.0
  /// For a user's images: one job renders all of them within 10 s, at 50 ms per megapixel.
  package static let pixelsOfOneUser = 64_000_000.0
}
