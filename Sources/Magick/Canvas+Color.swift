import CMagickWand

extension Canvas {
  /// What the numbers of the pixels mean.
  package enum ColorModel: Hashable, Sendable {
    case sRGB
    case gray
    case cmyk
    /// Linear light, Lab and whatever else a file may hold.
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

  /// The exponent that the file states for its values, 0 when it states none.
  package var gamma: Double { unsafe MagickGetImageGamma(wand.pointer) }

  /// The colour profile that came with the file.
  package var profile: [UInt8]? {
    var count = 0
    guard let profile = unsafe MagickGetImageProfile(wand.pointer, "icc", &count) else {
      return nil
    }
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: profile, count: count))
    _ = unsafe MagickRelinquishMemory(profile)
    return bytes
  }

  /// Drops the colour profile without changing pixels.
  package mutating func removeProfile() {
    var count = 0
    guard let profile = unsafe MagickRemoveImageProfile(wand.pointer, "icc", &count) else { return }
    _ = unsafe MagickRelinquishMemory(profile)
  }

  /// Converts the pixels from the profile that they have to this one.
  package mutating func convert(toProfile profile: [UInt8]) throws(MagickError) {
    try wand.setProfile(profile)
  }

  /// Converts the pixels to sRGB by the definition of their colour model.
  package mutating func convertToSRGB() throws(MagickError) {
    try wand.check(
      unsafe MagickTransformImageColorspace(wand.pointer, sRGBColorspace),
      "MagickTransformImageColorspace")
  }

  /// Raises the values to 1 / `exponent`.
  package mutating func applyGamma(_ exponent: Double) throws(MagickError) {
    try wand.check(unsafe sitegen_gamma(wand.pointer, exponent), "MagickGammaImage")
  }
}

extension Wand {
  /// Converts the pixels to this profile, or says that they have it if they have none yet.
  borrowing func setProfile(_ profile: [UInt8]) throws(MagickError) {
    let done = unsafe profile.withUnsafeBytes { buffer in
      unsafe MagickProfileImage(pointer, "icc", buffer.baseAddress, buffer.count)
    }
    try check(done, "MagickProfileImage")
  }
}
