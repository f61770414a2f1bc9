/// Limits of a manifest, far above the needs of a team page.
package enum ManifestLimits {
  static let version = 1
  static let idBytes = 1_024
  static let nameBytes = 64
  static let textBytes = 4_096
  /// Lists in `from`, and files that a pattern or folder may match.
  static let lists = 100
  static let userFiles = 100_000
  static let styles = 100
  /// In points.
  static let stripHeight = 1_024
  /// In points: a button with this corner has 4 megapixels at 4 pixels per point.
  static let bitmapCap = 256.0
  static let decorations = 32
  static let largestScale = 10.0
  static let tags = 100
  /// The limit for all inline pictures together, since they stay in memory.
  static let inlineBytes = 128 << 20
  static let avatarsOfOneUser = 32
  /// In points; no image is larger.
  static let length = 16_384.0
  /// A WebP image needs 33 bytes per pixel to encode: this is 1 GB of a worker's 2 GiB.
  static let pixelsOfOneImage = 32_000_000.0
  /// The sum over all images of a user, which one job renders: 50 ms per megapixel, at most 10 s.
  package static let pixelsOfOneUser = 64_000_000.0
}
