import Foundation

/// ICC profiles of version 2, assembled byte by byte: a gamma curve, with or without colorants.
enum TestProfile {
  static let sRGBColorants = [
    [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410],
  ]
  static let displayP3Colorants = [
    [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
  ]
  static let adobeRGBColorants = [
    [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
  ]

  static func gray(gamma: Double) -> [UInt8] {
    profile("GRAY", [("wtpt", xyz([0.9642, 1, 0.8249])), ("kTRC", curve(gamma))])
  }

  static func rgb(_ colorants: [[Double]], gamma: Double) -> [UInt8] {
    var tags = [("wtpt", xyz([0.9642, 1, 0.8249]))]
    for (name, color) in zip(["r", "g", "b"], colorants) {
      tags += [(name + "XYZ", xyz(color)), (name + "TRC", curve(gamma))]
    }
    return profile("RGB ", tags)
  }

  static func jpegSegment(_ profile: [UInt8]) -> (marker: UInt8, payload: [UInt8]) {
    (0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile)
  }

  static func pngChunk(_ profile: [UInt8]) -> (name: String, data: [UInt8]) {
    ("iCCP", Array("p".utf8) + [0, 0] + PNGFile.deflated(profile))
  }

  private static func profile(_ space: String, _ own: [(String, [UInt8])]) -> [UInt8] {
    let name = Array("test\0".utf8)
    let description =
      Array("desc".utf8) + PNGFile.number(0) + PNGFile.number(name.count) + name
      + [UInt8](repeating: 0, count: 78)
    let rights = Array("text".utf8) + PNGFile.number(0) + Array("none\0".utf8)
    let tags = [("desc", description), ("cprt", rights)] + own
    var table = PNGFile.number(tags.count)
    var data: [UInt8] = []
    let start = 132 + 12 * tags.count
    for (name, bytes) in tags {
      table += Array(name.utf8) + PNGFile.number(start + data.count) + PNGFile.number(bytes.count)
      data += bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
    }
    var header = PNGFile.number(start + data.count) + [0, 0, 0, 0] + PNGFile.number(0x0240_0000)
    header += Array("mntr\(space)XYZ ".utf8) + [UInt8](repeating: 0, count: 12)
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += [0.9642, 1, 0.8249].flatMap(fixed)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }

  private static func curve(_ gamma: Double) -> [UInt8] {
    let value = Int((gamma * 256).rounded())
    return Array("curv".utf8) + PNGFile.number(0) + PNGFile.number(1)
      + [UInt8(value >> 8), UInt8(value & 255), 0, 0]
  }

  private static func xyz(_ color: [Double]) -> [UInt8] {
    Array("XYZ ".utf8) + PNGFile.number(0) + color.flatMap(fixed)
  }

  private static func fixed(_ value: Double) -> [UInt8] {
    PNGFile.number(Int(UInt32(bitPattern: Int32((value * 65_536).rounded()))))
  }
}

/// Colour conversions by the published formulas, independent of our code.
enum Colorimetry {
  static func light(ofSRGB value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  static func sRGB(ofLight light: Double) -> Double {
    let light = min(max(light, 0), 1)
    return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  /// Returns CIE XYZ (D50) for linear light in a space with these colorants.
  static func xyz(_ light: [Double], _ colorants: [[Double]]) -> [Double] {
    (0..<3).map { row in (0..<3).reduce(0) { $0 + light[$1] * colorants[$1][row] } }
  }

  /// Inverts `xyz` by Cramer's rule.
  static func light(ofXYZ xyz: [Double], _ colorants: [[Double]]) -> [Double] {
    func determinant(_ m: [[Double]]) -> Double {
      m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[1][0] * (m[0][1] * m[2][2] - m[0][2] * m[2][1])
        + m[2][0] * (m[0][1] * m[1][2] - m[0][2] * m[1][1])
    }
    let whole = determinant(colorants)
    return (0..<3).map { column in
      var changed = colorants
      changed[column] = xyz
      return determinant(changed) / whole
    }
  }

  /// Returns the CIE L*a*b* values of an sRGB pixel.
  static func lab(_ pixel: [UInt8]) -> [Double] {
    let light = pixel.prefix(3).map { Self.light(ofSRGB: Double($0) / 255) }
    let xyz = xyz(light, TestProfile.sRGBColorants)
    let f = zip(xyz, [0.9642, 1, 0.8249]).map { value, white -> Double in
      let ratio = value / white
      return ratio > 216.0 / 24_389 ? cbrt(ratio) : (24_389.0 / 27 * ratio + 16) / 116
    }
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
  }

  /// Returns the CIEDE2000 difference between two sRGB pixels; 1 is barely visible.
  static func deltaE(_ first: [UInt8], _ second: [UInt8]) -> Double {
    deltaE(lab: lab(first), lab(second))
  }

  /// Uses the formula of Sharma, Wu and Dalal (2005).
  static func deltaE(lab first: [Double], _ second: [Double]) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    func seventh(_ chroma: Double) -> Double {
      (pow(chroma, 7) / (pow(chroma, 7) + pow(25, 7))).squareRoot()
    }
    let mean = (hypot(first[1], first[2]) + hypot(second[1], second[2])) / 2
    let stretch = 1 + 0.5 * (1 - seventh(mean))
    let (a1, a2) = (first[1] * stretch, second[1] * stretch)
    let (c1, c2) = (hypot(a1, first[2]), hypot(a2, second[2]))
    func hue(_ a: Double, _ b: Double) -> Double {
      guard a != 0 || b != 0 else { return 0 }
      let degrees = atan2(b, a) * 180 / .pi
      return degrees < 0 ? degrees + 360 : degrees
    }
    let (h1, h2) = (hue(a1, first[2]), hue(a2, second[2]))
    var turn = h2 - h1
    var middle = h1 + h2
    if c1 * c2 == 0 {
      turn = 0
    } else if abs(h1 - h2) > 180 {
      turn += turn > 0 ? -360 : 360
      middle += middle < 360 ? 360 : -360
    }
    if c1 * c2 != 0 { middle /= 2 }
    let chroma = (c1 + c2) / 2
    let light = (first[0] + second[0]) / 2
    let weight =
      1 - 0.17 * cos(radians(middle - 30)) + 0.24 * cos(radians(2 * middle))
      + 0.32 * cos(radians(3 * middle + 6)) - 0.2 * cos(radians(4 * middle - 63))
    let square = (light - 50) * (light - 50)
    let l = (second[0] - first[0]) / (1 + 0.015 * square / (20 + square).squareRoot())
    let c = (c2 - c1) / (1 + 0.045 * chroma)
    let h = 2 * (c1 * c2).squareRoot() * sin(radians(turn) / 2) / (1 + 0.015 * chroma * weight)
    let spread = 30 * exp(-pow((middle - 275) / 25, 2))
    let rotation = -sin(radians(2 * spread)) * 2 * seventh(chroma)
    return (l * l + c * c + h * h + rotation * c * h).squareRoot()
  }
}
