import Magick

extension Canvas {
  /// Brings the pixels to sRGB from whatever the file holds, and drops the profile.
  ///
  /// A profile that cannot be used is ignored: the picture is shown as one without a profile.
  mutating func normalizeColors() throws(MagickError) {
    if let profile = profile.flatMap(ICCProfile.init), profile.space == colorSpace {
      if !profile.isSRGB, (try? convert(toProfile: SRGB.profile)) != nil {
        removeProfile()
        return
      }
    } else {
      try applyFileGamma()
    }
    removeProfile()
    if colorModel != .sRGB {
      try convertToSRGB()
    }
  }

  private var colorSpace: ICCProfile.Space {
    switch colorModel {
    case .sRGB: .rgb
    case .gray: .gray
    case .cmyk: .cmyk
    case .other: .other
    }
  }

  /// Corrects for an exponent of its own (a PNG may state one), as browsers do.
  ///
  /// 0.45455 stands for sRGB; linear light, which is 1, is a colour model to ImageMagick.
  private mutating func applyFileGamma() throws(MagickError) {
    let exponent = gamma * 2.2
    guard colorModel == .sRGB || colorModel == .gray, gamma > 0.1, gamma < 3,
      abs(exponent - 1) > 0.05
    else { return }
    try applyGamma(exponent)
  }
}
