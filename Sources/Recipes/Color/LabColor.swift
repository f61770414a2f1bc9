import Foundation

/// A CIELAB colour with the white point D65.
package struct LabColor: Hashable, Sendable {
  /// The lightness, from 0 (black) to 100 (white).
  package let lightness: Double
  package let a: Double
  package let b: Double

  package init(lightness: Double, a: Double, b: Double) {
    (self.lightness, self.a, self.b) = (lightness, a, b)
  }

  package init(_ color: Color) {
    let light = color.light
    // Divide each row by its sum (the white point), so that greys are exactly neutral.
    let x = (0.4124564 * light.x + 0.3575761 * light.y + 0.1804375 * light.z) / 0.9504700
    let y = (0.2126729 * light.x + 0.7151522 * light.y + 0.0721750 * light.z) / 1.0000001
    let z = (0.0193339 * light.x + 0.1191920 * light.y + 0.9503041 * light.z) / 1.0888300
    func bent(_ amount: Double) -> Double {
      amount > 216.0 / 24389 ? cbrt(amount) : (24389.0 / 27 * amount + 16) / 116
    }
    let (fx, fy, fz) = (bent(x), bent(y), bent(z))
    self.init(lightness: 116 * fy - 16, a: 500 * (fx - fy), b: 200 * (fy - fz))
  }

  /// Returns the CIEDE2000 difference; a difference of 1 is barely visible side by side.
  ///
  /// Variables are named as in Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula".
  package func difference(from other: LabColor) -> Double {
    let meanC = (hypot(a, b) + hypot(other.a, other.b)) / 2
    let stretch = 1 + 0.5 * (1 - Self.share(of: meanC))
    let (c1, h1) = Self.polar(a * stretch, b)
    let (c2, h2) = Self.polar(other.a * stretch, other.b)

    // If one of the colours is grey, use the hue of the other one.
    let isGray = c1 * c2 == 0
    let deltaL = other.lightness - lightness
    let deltaC = c2 - c1
    let deltaH = 2 * (c1 * c2).squareRoot() * Self.sine(Self.shortWay(h2 - h1) / 2)

    let meanL = (lightness + other.lightness) / 2
    let mean = (c1 + c2) / 2
    let hue = isGray ? h1 + h2 : Self.middle(h1, h2)

    let t =
      1 - 0.17 * Self.cosine(hue - 30) + 0.24 * Self.cosine(2 * hue)
      + 0.32 * Self.cosine(3 * hue + 6) - 0.20 * Self.cosine(4 * hue - 63)
    let offset = (meanL - 50) * (meanL - 50)
    let sl = 1 + 0.015 * offset / (20 + offset).squareRoot()
    let sc = 1 + 0.045 * mean
    let sh = 1 + 0.015 * mean * t
    let bend = (hue - 275) / 25
    let rt = -2 * Self.share(of: mean) * Self.sine(60 * exp(-bend * bend))

    let (l, c, h) = (deltaL / sl, deltaC / sc, deltaH / sh)
    return max(l * l + c * c + h * h + rt * c * h, 0).squareRoot()
  }

  private static func share(of chroma: Double) -> Double {
    let power = pow(chroma, 7)
    return (power / (power + pow(25, 7))).squareRoot()
  }

  private static func polar(_ a: Double, _ b: Double) -> (chroma: Double, hue: Double) {
    let degrees = a == 0 && b == 0 ? 0 : atan2(b, a) * 180 / .pi
    return (hypot(a, b), degrees < 0 ? degrees + 360 : degrees)
  }

  private static func shortWay(_ turn: Double) -> Double {
    if turn > 180 { return turn - 360 }
    return turn < -180 ? turn + 360 : turn
  }

  private static func middle(_ first: Double, _ second: Double) -> Double {
    let sum = first + second
    if abs(first - second) <= 180 { return sum / 2 }
    return sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2
  }

  private static func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
  private static func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
}
