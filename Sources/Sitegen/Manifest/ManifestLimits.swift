/// How much of anything a manifest may ask for: far above what a team page needs.
enum ManifestLimits {
  static let version = 1
  static let idBytes = 1_024
  static let nameBytes = 64
  static let textBytes = 4_096
  static let styles = 100
  static let buttons = 1_000
  static let scales = 8
  /// Words of a list that has only a few to choose from.
  static let words = 8
  static let largestScale = 10.0
  static let tags = 100
  static let avatarsOfOneUser = 32
  /// Points; a length beyond this cannot matter, since no image is larger.
  static let length = 16_384.0
  /// Pixels a side.
  static let side = 16_384
  /// Of all styles and scales together: as many as the largest image has.
  static let pixelsOfOneUser = 268_435_456.0
  /// Points: below this a style draws nothing.
  static let smallestSize = 1.0
}
