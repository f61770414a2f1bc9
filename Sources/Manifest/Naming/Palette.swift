package import Recipes
import Store

/// The colours of people without a picture: 24 hues of one lightness, by the id.
///
/// White text has a contrast of at least 4.5 on each of them.
package enum Palette {
  static let lightness = 0.52
  /// Less where sRGB has no such colour.
  static let chroma = 0.13

  /// In the order of their hues: 0, 15, 30 … 345 degrees of OKLCH.
  package static let colors = (0..<24).map { step in
    Color(OKLCH(lightness: lightness, chroma: chroma, hue: Double(step) * 15))
  }

  package static func color(of id: String) -> Color {
    colors[step(IDHash(id))]
  }

  /// The first two bytes as a number, modulo 24.
  static func step(_ hash: IDHash) -> Int {
    (Int(hash.bytes[0]) << 8 + Int(hash.bytes[1])) % colors.count
  }
}

/// SHA-256 of an id's UTF-8 in NFC: what decides all that looks like chance.
struct IDHash {
  /// 32 of them.
  let bytes: [UInt8]

  init(_ id: String) {
    bytes = Digest(of: Array(Initialism.normalized(id).utf8)).bytes
  }
}
