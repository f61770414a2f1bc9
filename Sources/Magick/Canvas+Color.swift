import CMagickWand

extension Canvas {
  package enum ColorModel: Hashable, Sendable {
    case sRGB
    case gray
    case cmyk
    /// Linear RGB, Lab and other colour spaces.
    case other
  }

  package var colorModel: ColorModel {
    switch unsafe MagickGetImageColorspace(wand.pointer) {
    case sRGBColorspace: .sRGB
    case GRAYColorspace: .gray
    case CMYKColorspace: .cmyk
    default: .other
    }
  }

  /// The gamma value in the file; 0 if the file does not contain one.
  package var gamma: Double { unsafe MagickGetImageGamma(wand.pointer) }

  package var profile: [UInt8]? {
    var count = 0
    guard let profile = unsafe MagickGetImageProfile(wand.pointer, "icc", &count) else {
      return nil
    }
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: profile, count: count))
    _ = unsafe MagickRelinquishMemory(profile)
    return bytes
  }

  package mutating func removeProfile() {
    var count = 0
    guard let profile = unsafe MagickRemoveImageProfile(wand.pointer, "icc", &count) else { return }
    _ = unsafe MagickRelinquishMemory(profile)
  }

  package mutating func convert(toProfile profile: [UInt8]) throws(MagickError) {
    try wand.setProfile(profile)
  }

  /// Converts the pixels from their colour space to sRGB without using a profile.
  package mutating func convertToSRGB() throws(MagickError) {
    try wand.check(
      unsafe MagickTransformImageColorspace(wand.pointer, sRGBColorspace),
      "MagickTransformImageColorspace")
  }

  package mutating func applyGamma(_ exponent: Double) throws(MagickError) {
    try wand.check(unsafe sitegen_gamma(wand.pointer, exponent), "MagickGammaImage")
  }
}

extension Wand {
  /// Converts the pixels to the profile, or only assigns the profile if the picture lacks one.
  borrowing func setProfile(_ profile: [UInt8]) throws(MagickError) {
    let done = unsafe profile.withUnsafeBytes { buffer in
      unsafe MagickProfileImage(pointer, "icc", buffer.baseAddress, buffer.count)
    }
    try check(done, "MagickProfileImage")
  }
}
