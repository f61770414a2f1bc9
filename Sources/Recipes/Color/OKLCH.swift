import Foundation

/// An OKLCH colour, which keeps its perceived lightness if only the hue changes.
///
/// OKLCH is the polar form of OKLab: <https://bottosson.github.io/posts/oklab/>.
package struct OKLCH: Hashable, Sendable {
  /// The lightness, from 0 (black) to 1 (white).
  package var lightness: Double
  /// The colourfulness, from 0 (grey) to about 0.32 (the most vivid sRGB colours).
  package var chroma: Double
  /// The hue in degrees: red is at about 29, green at 142, and blue at 264.
  package var hue: Double

  package init(lightness: Double, chroma: Double, hue: Double) {
    (self.lightness, self.chroma, self.hue) = (lightness, chroma, hue)
  }

  package init(_ color: Color) {
    let rgb = color.light
    let lms = SIMD3(
      0.4122214708 * rgb.x + 0.5363325363 * rgb.y + 0.0514459929 * rgb.z,
      0.2119034982 * rgb.x + 0.6806995451 * rgb.y + 0.1073969566 * rgb.z,
      0.0883024619 * rgb.x + 0.2817188376 * rgb.y + 0.6299787005 * rgb.z)
    let (l, m, s) = (cbrt(lms.x), cbrt(lms.y), cbrt(lms.z))
    let a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    let b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    let chroma = (a * a + b * b).squareRoot()
    let degrees = chroma < 0.000_1 ? 0 : atan2(b, a) * 180 / .pi
    self.init(
      lightness: 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s, chroma: chroma,
      hue: degrees < 0 ? degrees + 360 : degrees)
  }

  /// The linear RGB components, which are outside 0…1 if the colour is outside the sRGB gamut.
  fileprivate var light: SIMD3<Double> {
    let a = chroma * cos(hue * .pi / 180)
    let b = chroma * sin(hue * .pi / 180)
    let l = lightness + 0.3963377774 * a + 0.2158037573 * b
    let m = lightness - 0.1055613458 * a - 0.0638541728 * b
    let s = lightness - 0.0894841775 * a - 1.2914855480 * b
    let (l3, m3, s3) = (l * l * l, m * m * m, s * s * s)
    return SIMD3(
      4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
      -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
      -0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3)
  }

  package var isInGamut: Bool {
    let light = light
    return light.min() >= -0.000_001 && light.max() <= 1.000_001
  }

  package var inGamut: OKLCH {
    if isInGamut { return self }
    var low = 0.0
    var high = chroma
    // A fixed number of bisections produces the same colour on every machine.
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if OKLCH(lightness: lightness, chroma: middle, hue: hue).isInGamut {
        low = middle
      } else {
        high = middle
      }
    }
    return OKLCH(lightness: lightness, chroma: low, hue: hue)
  }
}

extension Color {
  /// Creates the nearest sRGB colour with the same lightness and hue.
  package init(_ color: OKLCH) {
    let light = color.inGamut.light
    func byte(_ light: Double) -> UInt8 {
      UInt8((SRGB.encoded(min(max(light, 0), 1)) * 255).rounded())
    }
    self.init(red: byte(light.x), green: byte(light.y), blue: byte(light.z))
  }

  package var light: SIMD3<Double> {
    SIMD3(
      SRGB.light(Double(red) / 255), SRGB.light(Double(green) / 255),
      SRGB.light(Double(blue) / 255))
  }
}
