package import Recipes

extension Identicon {
  /// The pattern of an id; docs/identicon.md says the same in words.
  package init(of id: String) {
    let hash = IDHash(id)
    let side = 5
    var cells = [UInt8](repeating: 0, count: side * side)
    for row in 0..<side {
      for column in 0..<3 {
        let byte = hash.bytes[2 + row * 3 + column]
        var color: UInt8 = byte < 112 ? 0 : byte < 208 ? 1 : 2
        // The cell in the middle is never ground, so that no pattern is empty.
        if row == 2, column == 2, color == 0 { color = 1 }
        cells[row * side + column] = color
        cells[row * side + (side - 1 - column)] = color
      }
    }
    let step = Palette.step(hash)
    let other = (step + (hash.bytes[17] % 2 == 0 ? 5 : 19)) % Palette.colors.count
    let ground = Color(OKLCH(lightness: 0.95, chroma: 0.02, hue: Double(step) * 15))
    var colors = [ground, Palette.colors[step]]
    if cells.contains(2) { colors.append(Palette.colors[other]) }
    self.init(cells: cells, side: side, colors: colors)
  }
}
