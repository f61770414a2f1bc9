import Bytes
package import Recipes

/// Background colours for people without a picture: 24 hues of equal lightness, chosen by id.
///
/// White text has a contrast ratio of at least 4.5 on each colour.
package enum Palette {
  static let lightness = 0.52
  /// The chroma; hues that are outside sRGB at this chroma get a lower one.
  static let chroma = 0.13

  package static let colors = (0..<24).map { step in
    Color(OKLCH(lightness: lightness, chroma: chroma, hue: Double(step) * 15))
  }

  package static func color(of id: String) -> Color { colors[step(hash(of: id))] }

  static func step(_ hash: [UInt8]) -> Int {
    (Int(hash[0]) << 8 + Int(hash[1])) % colors.count
  }

  /// Returns the SHA-256 of an id in NFC, the seed for all pseudo-random choices.
  static func hash(of id: String) -> [UInt8] { Digest(of: Initialism.normalized(id)).bytes }
}

extension Identicon {
  /// Creates the pattern for an id, as specified in docs/contributing/identicon.md.
  package init(of id: String) {
    let hash = Palette.hash(of: id)
    let side = 5
    var cells = [UInt8](repeating: 0, count: side * side)
    for row in 0..<side {
      for column in 0..<3 {
        let byte = hash[2 + row * 3 + column]
        var color: UInt8 = byte < 112 ? 0 : byte < 208 ? 1 : 2
        // The centre cell never gets the background colour, so no pattern is empty.
        if row == 2, column == 2, color == 0 { color = 1 }
        cells[row * side + column] = color
        cells[row * side + (side - 1 - column)] = color
      }
    }
    let step = Palette.step(hash)
    let other = (step + (hash[17] % 2 == 0 ? 5 : 19)) % Palette.colors.count
    let ground = Color(OKLCH(lightness: 0.95, chroma: 0.02, hue: Double(step) * 15))
    var colors = [ground, Palette.colors[step]]
    if cells.contains(2) { colors.append(Palette.colors[other]) }
    self.init(cells: cells, side: side, colors: colors)
  }
}
