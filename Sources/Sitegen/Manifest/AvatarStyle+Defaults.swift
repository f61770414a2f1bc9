extension AvatarStyle {
  package static let defaultName = "round"
  /// Of the shorter side.
  package static let defaultRadius = Length.fraction(0.25)

  /// Below 1 point in either direction no file is made, whatever the scale.
  package var drawsNothing: Bool {
    width < ManifestLimits.smallestSize || height < ManifestLimits.smallestSize
  }
}

extension AvatarStyle.Ring {
  package static let defaultWidth = 1.0
}
