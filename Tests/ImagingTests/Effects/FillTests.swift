import Imaging
import Recipes
import Testing

struct FillTests {
  private static let blue = Color(red: 0, green: 0, blue: 255)

  @Test func `colours are mixed in proportion to their alpha`() {
    let fill = Fill.linear([.ruby, Color(red: 0, green: 0, blue: 255, alpha: 0)], degrees: 0)
    #expect(fill.color(at: 0.5) == Color(red: 255, green: 0, blue: 0, alpha: 128))
    #expect(fill.color(at: 1) == .clear)
    let uneven = Fill.linear([.ruby, Color(red: 0, green: 0, blue: 255, alpha: 85)], degrees: 0)
    // Red at alpha 255 and blue at alpha 85 are mixed equally, so three quarters are red.
    #expect(uneven.color(at: 0.5) == Color(red: 191, green: 0, blue: 64, alpha: 170))
  }

  @Test func `a position outside 0 to 1 is clamped`() {
    let fill = Fill.conic([.ruby, .lime, Self.blue], degrees: 0)
    #expect(fill.color(at: -3) == .ruby)
    #expect(fill.color(at: 0.5) == .lime)
    #expect(fill.color(at: 7) == Self.blue)
    #expect(Fill.linear([], degrees: 0).color(at: 0.5) == .clear)
  }

  @Test func `fills that look the same are equal after simplification`() {
    let tinted = Color(red: 9, green: 9, blue: 9, alpha: 0)
    let pairs: [(Fill, Fill)] = [
      (.linear([.ruby], degrees: 40), .solid(.ruby)),
      (.conic([.ruby, .ruby, .ruby], degrees: 40), .solid(.ruby)),
      (.linear([], degrees: 3), .solid(.clear)),
      (.solid(tinted), .solid(.clear)),
      (.linear([tinted, .clear], degrees: 3), .solid(.clear)),
      (.linear([.ruby, tinted], degrees: 3), .linear([.ruby, .clear], degrees: 3)),
    ]
    for (first, second) in pairs {
      #expect(first.simplified == second.simplified)
      #expect(first.simplified.simplified == first.simplified)
    }
    #expect(
      Fill.linear([.ruby, .lime], degrees: 180).simplified
        == .linear([.ruby, .lime], degrees: 180))
    #expect(
      Fill.conic([.ruby, .lime], degrees: 90).simplified
        != Fill.conic([.lime, .ruby], degrees: 90).simplified)
  }

  @Test(arguments: [-400, -90, -37.5, 0, 33, 90, 180, 200, 270, 359, 360, 1000])
  func `simplifying a fill does not change any pixels`(degrees: Double) throws {
    let layout = CanvasLayout(24, 17, room: 0, outline: .square)
    let hidden = Color(red: 77, green: 7, blue: 7, alpha: 0)
    let colors = [Color.ruby, hidden, .lime, Self.blue]
    for fill in [Fill.linear(colors, degrees: degrees), .conic(colors, degrees: degrees)] {
      let plain = try layout.rendered([.overlay(fill)], on: .white)
      let simple = try layout.rendered([.overlay(fill.simplified)], on: .white)
      #expect(plain.difference(to: simple) == 0)
    }
  }

  @Test func `a fill with only invisible colours is invisible`() {
    #expect(Fill.linear([.clear, .clear], degrees: 0).isInvisible)
    #expect(Fill.solid(.clear).isInvisible)
    #expect(!Fill.conic([.clear, .ruby], degrees: 0).isInvisible)
  }
}
