import Foundation

/// As much of an ICC profile as decides what to do with it, read in safe Swift.
struct ICCProfile {
  enum Space: Hashable {
    case rgb
    case gray
    case cmyk
    case other
  }

  let space: Space
  private let bytes: [UInt8]
  private let tags: [String: Range<Int>]

  /// Nil when the bytes are no profile: such a profile is ignored, like a missing one.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 132, Self.text(bytes, 36) == "acsp" else { return nil }
    let count = Self.number(bytes, 128)
    guard count <= 100, bytes.count >= 132 + count * 12 else { return nil }
    var tags: [String: Range<Int>] = [:]
    for index in 0..<count {
      let entry = 132 + index * 12
      let start = Self.number(bytes, entry + 4)
      let length = Self.number(bytes, entry + 8)
      guard start >= 128, start <= bytes.count, length <= bytes.count - start else { return nil }
      tags[Self.text(bytes, entry)] = start..<start + length
    }
    space =
      switch Self.text(bytes, 16) {
      case "RGB ": .rgb
      case "GRAY": .gray
      case "CMYK": .cmyk
      default: .other
      }
    self.bytes = bytes
    self.tags = tags
  }

  /// Whether a conversion to sRGB would change nothing that 8 bits can show.
  ///
  /// Decided by the colorants and the curves, not by a name. Most photos carry such a profile,
  /// and leaving them alone saves a pass over every pixel.
  var isSRGB: Bool {
    guard space == .rgb, tags["A2B0"] == nil else { return false }
    for (tag, color) in SRGB.colorants {
      guard let range = tags[tag], range.count >= 20 else { return false }
      for axis in 0..<3 {
        let value = Self.fixed(bytes, range.lowerBound + 8 + axis * 4)
        guard abs(value - color[axis]) < 0.002 else { return false }
      }
    }
    for tag in ["rTRC", "gTRC", "bTRC"] {
      for step in 0...32 {
        let encoded = Double(step) / 32
        guard let light = linear(tag, encoded),
          abs(SRGB.encoded(light) - encoded) < 0.5 / 255
        else { return false }
      }
    }
    return true
  }

  /// The light that a tone curve gives for a value; nil for curves that we do not read.
  private func linear(_ tag: String, _ value: Double) -> Double? {
    guard let range = tags[tag], range.count >= 12 else { return nil }
    let start = range.lowerBound
    switch Self.text(bytes, start) {
    case "curv":
      let count = Self.number(bytes, start + 8)
      guard count <= (range.count - 12) / 2 else { return nil }
      if count == 0 { return value }
      if count == 1 { return pow(value, Double(Self.half(bytes, start + 12)) / 256) }
      let place = value * Double(count - 1)
      let index = min(Int(place), count - 2)
      let low = Double(Self.half(bytes, start + 12 + index * 2))
      let high = Double(Self.half(bytes, start + 14 + index * 2))
      return (low + (high - low) * (place - Double(index))) / 65535
    case "para":
      // Kind 3 is the one that sRGB profiles use: two pieces with five parameters.
      guard Self.half(bytes, start + 8) == 3, range.count >= 32 else { return nil }
      let p = (0..<5).map { Self.fixed(bytes, start + 12 + $0 * 4) }
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
