import Foundation

/// An sRGB colour with 8 bits per channel and straight alpha.
package struct Color: Codable, Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8
  package var alpha: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  package static let white = Color(red: 255, green: 255, blue: 255)
  package static let black = Color(red: 0, green: 0, blue: 0)

  package var isOpaque: Bool { alpha == 255 }

  package func over(_ backdrop: Color) -> Color {
    let above = Int(alpha) * 255
    let below = Int(backdrop.alpha) * (255 - Int(alpha))
    let total = above + below
    guard total > 0 else { return Color(red: 0, green: 0, blue: 0, alpha: 0) }
    func mix(_ upper: UInt8, _ lower: UInt8) -> UInt8 {
      UInt8((Int(upper) * above + Int(lower) * below + total / 2) / total)
    }
    return Color(
      red: mix(red, backdrop.red), green: mix(green, backdrop.green),
      blue: mix(blue, backdrop.blue), alpha: UInt8((total + 127) / 255))
  }
}

package enum SRGB {
  package static func encoded(_ light: Double) -> Double {
    light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  package static func light(_ encoded: Double) -> Double {
    encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }
}
