import Foundation
import Magick
import Recipes

/// From an RGB space with three colorants and three curves to sRGB, on bytes.
///
/// ImageMagick's engine takes 35 ms for a phone's photo at half its size, this 1 to 2 ms; results
/// differ by at most 1 of 255.
struct ColorConversion: Sendable {
  /// Light by channel and value, 3 × 256.
  private let light: [Float]
  /// What a unit of red, green and blue light is in sRGB.
  private let columns: [SIMD4<Float>]
  /// Values by light, in steps that are fine enough for the steep beginning of the curve.
  private static let encoded: [UInt8] = (0...16_383).map { step in
    UInt8((SRGB.encoded(Double(step) / 16_383) * 255).rounded())
  }

  /// Nil when the profile is of another kind, or when no byte would change by more than 1.
  ///
  /// Colorants and curves decide that, not a name. Most photos are sRGB, which saves them a pass over
  /// every pixel.
  init?(from profile: ICCProfile) {
    guard let matrix = profile.matrix else { return nil }
    columns = matrix.colorants.map { color in
      let mixed = (0..<3).map { row in
        (0..<3).reduce(0) { $0 + SRGB.fromXYZ[row][$1] * color[$1] }
      }
      return SIMD4(Float(mixed[0]), Float(mixed[1]), Float(mixed[2]), 0)
    }
    light = matrix.curves.flatMap { $0.map { Float(min(max($0, 0), 1)) } }
    if changesNothing { return nil }
  }

  /// Converts RGBA pixels.
  func apply(to bytes: inout [UInt8]) {
    var pixels = bytes.mutableSpan
    let light = light.span
    let encoded = Self.encoded.span
    let (red, green, blue) = (columns[0], columns[1], columns[2])
    let limit = SIMD4<Float>(repeating: 1)
    for at in stride(from: 0, to: pixels.count, by: 4) {
      var sum = red * light[Int(pixels[at])]
      sum += green * light[256 &+ Int(pixels[at &+ 1])]
      sum += blue * light[512 &+ Int(pixels[at &+ 2])]
      let steps = sum.clamped(lowerBound: .zero, upperBound: limit) * 16_383 + 0.5
      pixels[at] = encoded[Int(steps.x)]
      pixels[at &+ 1] = encoded[Int(steps.y)]
      pixels[at &+ 2] = encoded[Int(steps.z)]
    }
  }

  /// Judged by the grays and by the corners and edges of the colour cube.
  private var changesNothing: Bool {
    var before: [UInt8] = []
    for value in UInt8.min...UInt8.max { before += [value, value, value, 255] }
    for step in stride(from: 0, through: 255, by: 51) {
      let value = UInt8(step)
      before += [value, 0, 0, 255, 0, value, 0, 255, 0, 0, value, 255]
      before += [255, value, 0, 255, 0, 255, value, 255, value, 0, 255, 255]
    }
    var after = before
    apply(to: &after)
    return zip(before, after).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
  }
}

extension Canvas {
  /// Converts the pixels to sRGB and drops the profile.
  ///
  /// For common RGB profiles it returns a conversion instead, which is faster and runs on fewer
  /// pixels. A profile that cannot be used is ignored: the picture is shown as one without.
  mutating func normalizeColors() throws(MagickError) -> (
    conversion: ColorConversion?, ignoresProfile: Bool
  ) {
    let bytes = profile
    let stated = bytes.flatMap { ICCProfile($0) }
    defer { removeProfile() }
    guard let stated, stated.model == colorModel else {
      try applyFileGamma()
      try convertModel()
      return (nil, bytes != nil && stated == nil)
    }
    if stated.matrix != nil {
      return (ColorConversion(from: stated), false)
    }
    let isConverted = (try? convert(toProfile: SRGB.profile)) != nil
    if !isConverted { try convertModel() }
    return (nil, !isConverted)
  }

  private mutating func convertModel() throws(MagickError) {
    guard colorModel != .sRGB else { return }
    try convertToSRGB()
  }

  /// Corrects for the exponent that a PNG may state, as browsers do.
  ///
  /// 0.45455 stands for sRGB; linear light, which is 1, is a colour model of ImageMagick's.
  private mutating func applyFileGamma() throws(MagickError) {
    let exponent = gamma * 2.2
    guard colorModel == .sRGB || colorModel == .gray, gamma > 0.1, gamma < 3,
      abs(exponent - 1) > 0.05
    else { return }
    try applyGamma(exponent)
  }
}
