import Foundation

/// The colour space that every image ends in.
package enum SRGB {
  /// The encoded value of an amount of light.
  package static func encoded(_ light: Double) -> Double {
    light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  /// The amount of light of an encoded value.
  package static func light(_ encoded: Double) -> Double {
    encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }
}
