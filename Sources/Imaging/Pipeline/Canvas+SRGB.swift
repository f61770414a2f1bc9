import Magick
import Recipes

extension Canvas {
  /// Brings the pixels to sRGB from whatever the file holds, and drops the profile.
  ///
  /// Common RGB profiles are left to the conversion that is returned, which works on fewer pixels
  /// and faster. A profile that cannot be used is ignored: the picture is shown as one without.
  mutating func normalizeColors(
    profile embedded: ICCProfile? = nil
  ) throws(MagickError) -> ColorConversion? {
    let stated = embedded ?? profile.flatMap { ICCProfile($0) }
    defer { removeProfile() }
    guard let stated, stated.space == colorSpace else {
      try applyFileGamma()
      try convertModel()
      return nil
    }
    if stated.matrix != nil {
      return ColorConversion(from: stated)
    }
    if (try? convert(toProfile: SRGB.profile)) == nil {
      try convertModel()
    }
    return nil
  }

  private mutating func convertModel() throws(MagickError) {
    guard colorModel != .sRGB else { return }
    try convertToSRGB()
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
