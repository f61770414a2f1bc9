import Bytes
import Foundation
import Manifest
import Recipes
import TestSupport

struct PaletteTests {
  private func luminance(_ color: Color) -> Double {
    func amount(_ byte: UInt8) -> Double {
      let value = Double(byte) / 255
      return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * amount(color.red) + 0.7152 * amount(color.green) + 0.0722 * amount(color.blue)
  }

  /// G39: an id always has the same colour, and white text is readable on every colour.
  @Test func `white text is readable on all 24 colours`() {
    #expect(Set(Palette.colors).count == 24)
    for color in Palette.colors {
      #expect(1.05 / (luminance(color) + 0.05) >= 4.5)
      #expect(color.ink == .white)
      #expect(abs(OKLCH(color).lightness - 0.52) < 0.005)
    }
  }

  /// G39: the colour depends on the id, in any encoding.
  @Test func `an id always has the same colour`() {
    #expect(Palette.color(of: "é") == Palette.color(of: "e\u{301}"))
    let key = SourceKey(.initials, name: "Someone Else", id: "ada")
    #expect(Palette.color(of: "ada") == key.background)
    let used = Set((0..<2_000).map { Palette.color(of: "user-\($0)") })
    #expect(used.count == 24)
  }

  @Test func `an explicit background replaces the palette colour`() {
    let key = SourceKey(.initials, name: "Ada", id: "ada", background: .white)
    #expect(key.background == .white && key.text == "A")
  }
}

/// Draws identicons as described in docs/contributing/identicon.md.
struct IdenticonPageTests {
  private func table() throws -> [(color: String, ground: String)] {
    let lines = try Checkout.text(of: "docs/contributing/identicon.md").split(separator: "\n")
    return lines.filter { $0.contains("| `#") }.map { line in
      let parts = line.split(separator: "`")
      return (String(parts[1]), String(parts[3]))
    }
  }

  @Test(arguments: ["ada", "grace", "e\u{301}", "山田", "", "x y"] + (0..<200).map { "user\($0)" })
  func `the documented algorithm reproduces the pattern`(id: String) throws {
    let table = try table()
    #expect(table.count == 24)
    let b = Digest(of: Array(id.precomposedStringWithCanonicalMapping.utf8)).bytes.map { Int($0) }
    let n = (b[0] * 256 + b[1]) % 24
    let second = b[17] % 2 == 0 ? (n + 5) % 24 : (n + 19) % 24
    let names = [table[n].ground, table[n].color, table[second].color]
    var picture = [[String]](repeating: [String](repeating: "", count: 5), count: 5)
    for row in 0...4 {
      for column in 0...2 {
        let byte = b[2 + 3 * row + column]
        var name = byte < 112 ? names[0] : byte < 208 ? names[1] : names[2]
        if row == 2, column == 2, name == names[0] { name = names[1] }
        picture[row][column] = name
      }
      picture[row][3] = picture[row][1]
      picture[row][4] = picture[row][0]
    }
    let identicon = Identicon(of: id)
    let drawn = identicon.cells.map { identicon.colors[Int($0)].css }
    #expect(drawn == picture.flatMap { $0 })
    #expect(identicon.side == 5)
    #expect((2...3).contains(identicon.colors.count))
    #expect(identicon.colors[0].css == names[0])
  }
}
