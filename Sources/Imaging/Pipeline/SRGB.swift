import Foundation
package import Recipes

extension SRGB {
  /// Red, green and blue as CIE XYZ, adapted to the white of ICC profiles (D50).
  static let colorants = [
    [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410],
  ]

  /// What pictures with another profile are converted to.
  package static let profile = profile(colorants: colorants)

  /// A minimal ICC profile (version 4: three colorants and the curve of sRGB).
  package static func profile(colorants: [[Double]]) -> [UInt8] {
    var tags: [(name: String, data: [UInt8])] = [
      ("desc", text("RGB")), ("cprt", text("CC0")), ("wtpt", xyz([0.96420, 1, 0.82491])),
    ]
    for (tag, color) in zip(["rXYZ", "gXYZ", "bXYZ"], colorants) {
      tags.append((tag, xyz(color)))
    }
    let curve =
      Array("para".utf8) + number(0) + number(3 << 16)
      + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
    for tag in ["rTRC", "gTRC", "bTRC"] {
      tags.append((tag, curve))
    }

    var table = number(tags.count)
    var data: [UInt8] = []
    let start = 128 + 4 + tags.count * 12
    for tag in tags {
      table += Array(tag.name.utf8) + number(start + data.count) + number(tag.data.count)
      data += tag.data
      data += [UInt8](repeating: 0, count: -data.count & 3)
    }
    var header = number(start + data.count) + number(0) + number(0x0420_0000)
    header += Array("mntrRGB XYZ ".utf8) + [UInt8](repeating: 0, count: 12)
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += [0.96420, 1, 0.82491].flatMap(fixed)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }

  private static func number(_ value: Int) -> [UInt8] { BigEndian.bytes(value) }

  private static func fixed(_ value: Double) -> [UInt8] {
    number(Int((value * 65536).rounded()))
  }

  private static func xyz(_ color: [Double]) -> [UInt8] {
    Array("XYZ ".utf8) + number(0) + color.flatMap(fixed)
  }

  /// A text in one language, as version 4 stores it: UTF-16 behind a table of one entry.
  private static func text(_ value: String) -> [UInt8] {
    let letters = value.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    return Array("mluc".utf8) + number(0) + number(1) + number(12) + Array("enUS".utf8)
      + number(letters.count) + number(28) + letters
  }
}
