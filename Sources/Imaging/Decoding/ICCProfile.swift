import Foundation
import Magick
package import Recipes

/// The parts of an ICC profile that determine how colours are converted.
struct ICCProfile {
  let model: Canvas.ColorModel
  /// Whether the profile connection space is XYZ rather than Lab.
  private let isXYZ: Bool
  private let bytes: [UInt8]
  private let tags: [String: Range<Int>]

  /// Parses a profile; returns nil if it is invalid.
  ///
  /// As in browsers and LittleCMS, each tag must have a type that is valid for its name; otherwise,
  /// unrelated data would be read as colours. Bytes after the stated length are ignored.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 132, Self.text(bytes, 36) == "acsp" else { return nil }
    let end = Self.number(bytes, 0)
    guard (132...bytes.count).contains(end) else { return nil }
    let count = Self.number(bytes, 128)
    guard count <= 100, end >= 132 + count * 12 else { return nil }
    var tags: [String: Range<Int>] = [:]
    for index in 0..<count {
      let entry = 132 + index * 12
      let start = Self.number(bytes, entry + 4)
      let length = Self.number(bytes, entry + 8)
      guard start >= 128, start <= end, length <= end - start else { return nil }
      let name = Self.text(bytes, entry)
      if let types = Self.types[name] {
        guard length >= 8, types.contains(Self.text(bytes, start)) else { return nil }
      }
      tags[name] = start..<start + length
    }
    model =
      switch Self.text(bytes, 16) {
      case "RGB ": .sRGB
      case "GRAY": .gray
      case "CMYK": .cmyk
      default: .other
      }
    isXYZ = Self.text(bytes, 20) == "XYZ "
    self.bytes = bytes
    self.tags = tags
  }

  private static let types: [String: Set<String>] = {
    let (color, curve): (Set<String>, Set<String>) = (["XYZ "], ["curv", "para"])
    return [
      "rXYZ": color, "gXYZ": color, "bXYZ": color, "rTRC": curve, "gTRC": curve,
      "bTRC": curve, "kTRC": curve, "A2B0": ["mft1", "mft2", "mAB "],
    ]
  }()

  /// The colorants in CIE XYZ and three 256-entry tone curves; nil for rarer kinds of profiles.
  var matrix: (colorants: [[Double]], curves: [[Double]])? {
    guard model == .sRGB, isXYZ, tags["A2B0"] == nil else { return nil }
    var colorants: [[Double]] = []
    var curves: [[Double]] = []
    for channel in ["r", "g", "b"] {
      guard let range = tags[channel + "XYZ"], range.count >= 20 else { return nil }
      colorants.append((0..<3).map { Self.fixed(bytes, range.lowerBound + 8 + $0 * 4) })
      let curve = (0...255).compactMap { linear(channel + "TRC", Double($0) / 255) }
      guard curve.count == 256, curve.allSatisfy(\.isFinite) else { return nil }
      curves.append(curve)
    }
    return (colorants, curves)
  }

  private func linear(_ tag: String, _ value: Double) -> Double? {
    guard let range = tags[tag], range.count >= 12 else { return nil }
    let start = range.lowerBound
    switch Self.text(bytes, start) {
    case "curv":
      let count = Self.number(bytes, start + 8)
      guard count <= (range.count - 12) / 2 else { return nil }
      if count == 0 { return value }
      if count == 1 { return pow(value, Double(Self.half(bytes, start + 12)) / 256) }
      let position = value * Double(count - 1)
      let index = min(Int(position), count - 2)
      let low = Double(Self.half(bytes, start + 12 + index * 2))
      let high = Double(Self.half(bytes, start + 14 + index * 2))
      return (low + (high - low) * (position - Double(index))) / 65535
    case "para":
      // Type 0 is a power function; type 3 has two pieces and the parameters g, a, b, c and d.
      let kind = Self.half(bytes, start + 8)
      guard kind == 0 || kind == 3, range.count >= (kind == 0 ? 16 : 32) else { return nil }
      let p = (0..<(kind == 0 ? 1 : 5)).map { Self.fixed(bytes, start + 12 + $0 * 4) }
      if kind == 0 { return pow(value, p[0]) }
      return value >= p[4] ? pow(p[1] * value + p[2], p[0]) : p[3] * value
    default:
      return nil
    }
  }

  private static func text(_ bytes: [UInt8], _ at: Int) -> String {
    String(decoding: bytes[at..<at + 4], as: UTF8.self)
  }

  private static func number(_ bytes: [UInt8], _ at: Int) -> Int {
    bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func half(_ bytes: [UInt8], _ at: Int) -> Int {
    Int(bytes[at]) << 8 | Int(bytes[at + 1])
  }

  private static func fixed(_ bytes: [UInt8], _ at: Int) -> Double {
    Double(Int32(truncatingIfNeeded: number(bytes, at))) / 65536
  }
}

extension SRGB {
  /// The CIE XYZ values of red, green and blue, adapted to the ICC white point D50.
  static let colorants = [
    [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410],
  ]

  /// The inverse of the colorant matrix, which converts D50 XYZ to linear RGB.
  static let fromXYZ = [
    [3.134095658839269, -1.617400405745306, -0.49063776406373244],
    [-0.9787926865366862, 1.9162949000674274, 0.03345362802088908],
    [0.07197112790637006, -0.22898710999939956, 1.4053801981060066],
  ]

  package static let profile = profile(colorants: colorants)

  /// Returns a minimal version 4 ICC profile with three colorants and the sRGB curve.
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

  /// Encodes text as in ICC version 4: a table with one language, followed by the text in UTF-16.
  private static func text(_ value: String) -> [UInt8] {
    let letters = value.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    return Array("mluc".utf8) + number(0) + number(1) + number(12) + Array("enUS".utf8)
      + number(letters.count) + number(28) + letters
  }
}
