import Recipes
import TestSupport

struct ContrastTests {
  /// Returns the relative luminance as defined by WCAG 2.1.
  private func luminance(_ color: Color) -> Double {
    func amount(_ byte: UInt8) -> Double {
      let value = Double(byte) / 255
      return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * amount(color.red) + 0.7152 * amount(color.green) + 0.0722 * amount(color.blue)
  }

  @Test func `contrast ratios match published values`() throws {
    let gray = { (value: UInt8) in Color(red: value, green: value, blue: value) }
    #expect(abs(Color.white.contrast(with: gray(0)) - 21) < 0.001)
    #expect(abs(gray(0x77).contrast(with: .white) - 4.48) < 0.005)
    #expect(abs(gray(0x76).contrast(with: .white) - 4.54) < 0.005)
    #expect(Color.sky.contrast(with: .sky) == 1)
    #expect(Color.sky.contrast(with: .ruby) == Color.ruby.contrast(with: .sky))
  }

  @Test func `contrast is computed from the composited colour`() throws {
    let half = Color(red: 0, green: 0, blue: 0, alpha: 128)
    let gray = Color(red: 127, green: 127, blue: 127)
    #expect(half.contrast(with: .white) == gray.contrast(with: .white))
    #expect(Color.white.contrast(with: half) == gray.contrast(with: .white))
  }

  @Test func `the alpha of composited colours is rounded to the nearest value`() {
    let black = { (alpha: Int) in Color(red: 0, green: 0, blue: 0, alpha: UInt8(alpha)) }
    for (above, below) in (0...255).flatMap({ above in (0...255).map { (above, $0) } }) {
      let exact = Double(above) + Double(below * (255 - above)) / 255
      if Int(black(above).over(black(below)).alpha) != Int(exact.rounded()) {
        Issue.record("\(above) over \(below) is not \(exact)")
      }
    }
  }

  /// G39: on every background, the letters have a contrast of at least 4.5.
  @Test func `every background has a readable text colour`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of grounds: \(seed)")
    var random = SeededRandom(seed: seed)
    let grays = (0...255).map { Color(red: UInt8($0), green: UInt8($0), blue: UInt8($0)) }
    let others = (0..<5_000).map { _ in
      Color(
        red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
        blue: .random(in: 0...255, using: &random), alpha: .random(in: 0...255, using: &random))
    }
    for ground in grays + others {
      func onWhite(_ value: UInt8) -> Double {
        Double(value) * Double(ground.alpha) / 255 + 255 - Double(ground.alpha)
      }
      let seen = Color(
        red: UInt8(onWhite(ground.red).rounded()), green: UInt8(onWhite(ground.green).rounded()),
        blue: UInt8(onWhite(ground.blue).rounded()))
      let (ink, back) = (luminance(ground.ink), luminance(seen))
      let contrast = (max(ink, back) + 0.05) / (min(ink, back) + 0.05)
      #expect(contrast >= 4.5, "\(ground.hex)")
    }
  }

  @Test func `on a dark page, a translucent colour is composited on black`() {
    let half = Color(red: 255, green: 255, blue: 255, alpha: 128)
    let gray = Color(red: 128, green: 128, blue: 128)
    #expect(half.contrast(with: .black, on: .black) == gray.contrast(with: .black))
    #expect(Color.white.contrast(with: half, on: .black) == Color.white.contrast(with: gray))
    #expect(Color.white.contrast(with: half, on: .white) == 1)
  }

  /// Returns the contrast of text on a colour on a page, independently of the code under test.
  private func contrast(_ words: Color, _ color: Color, _ page: Color) -> Double {
    func laid(_ upper: Color, _ lower: Color) -> Color {
      func mix(_ above: UInt8, _ below: UInt8) -> UInt8 {
        let alpha = Double(upper.alpha) / 255
        return UInt8((Double(above) * alpha + Double(below) * (1 - alpha)).rounded())
      }
      return Color(
        red: mix(upper.red, lower.red), green: mix(upper.green, lower.green),
        blue: mix(upper.blue, lower.blue))
    }
    let ground = laid(color, page)
    let values = [luminance(laid(words, ground)), luminance(ground)].sorted()
    return (values[1] + 0.05) / (values[0] + 0.05)
  }

  /// The suggested colour passes, and any lightness between it and the original fails.
  @Test func `the suggested colour is the nearest readable one`() throws {
    var random = SeededRandom(seed: 45)
    func byte() -> UInt8 { .random(in: 0...255, using: &random) }
    var (tried, without) = (0, 0)
    while tried < 1_000 {
      let isVeil = tried.isMultiple(of: 4)
      let words = Color(red: byte(), green: byte(), blue: byte())
      let color = Color(red: byte(), green: byte(), blue: byte(), alpha: isVeil ? byte() : 255)
      let page = tried.isMultiple(of: 2) ? Color.white : .black
      guard contrast(words, color, page) < 4.5 else { continue }
      tried += 1
      let name: Comment = "\(words.hex) on \(color.hex) on \(page.hex)"
      let start = OKLCH(color)
      guard let found = color.nearest(carrying: words, on: page) else {
        without += 1
        #expect(isVeil, name)
        expectNothing(words, color, page, from: start, within: 1, but: nil)
        continue
      }
      #expect(contrast(words, found, page) >= 4.5, name)
      #expect(found.alpha == color.alpha, name)
      let after = OKLCH(found)
      let move = abs(after.lightness - start.lightness)
      // Rounded bytes are off by up to half a step, and the search has its own step size.
      expectNothing(words, color, page, from: start, within: move - 0.004, but: found)
      #expect(after.chroma <= start.chroma + 0.006, name)
      guard after.chroma > 0.02, after.lightness > 0.25 else { continue }
      let turn = abs(after.hue - start.hue)
      #expect(min(turn, 360 - turn) < 0.2 + 0.12 / after.chroma, name)
    }
    #expect(without > 10 && without < 250)
  }

  private func expectNothing(
    _ words: Color, _ color: Color, _ page: Color, from start: OKLCH, within reach: Double,
    but found: Color?
  ) {
    for number in 1...500 {
      let move = Double(number) / 500
      guard move < reach else { return }
      for lightness in [start.lightness - move, start.lightness + move]
      where (0...1).contains(lightness) {
        var other = Color(OKLCH(lightness: lightness, chroma: start.chroma, hue: start.hue))
        other.alpha = color.alpha
        // Near black, many lightnesses are rounded to the same bytes.
        if other == found { return }
        #expect(contrast(words, other, page) < 4.5, "\(words.hex) on \(color.hex) at \(lightness)")
      }
    }
  }

  /// Values from CSS Color 4.
  @Test(arguments: [
    (Color(red: 255, green: 0, blue: 0), 0.62796, 0.25768, 29.23),
    (Color(red: 0, green: 255, blue: 0), 0.86644, 0.29483, 142.50),
    (Color(red: 0, green: 0, blue: 255), 0.45201, 0.31321, 264.05),
    (Color(red: 102, green: 51, blue: 153), 0.44027, 0.1603, 303.37),
  ])
  func `colours have their published lightness, chroma and hue`(
    color: Color, lightness: Double, chroma: Double, hue: Double
  ) {
    let value = OKLCH(color)
    #expect(abs(value.lightness - lightness) < 0.0005)
    #expect(abs(value.chroma - chroma) < 0.0005)
    #expect(abs(value.hue - hue) < 0.05)
    #expect(Color(value) == color)
  }

  @Test func `every colour survives a round trip through OKLCH`() {
    for red in stride(from: 0, through: 255, by: 15) {
      for green in stride(from: 0, through: 255, by: 17) {
        for blue in stride(from: 0, through: 255, by: 51) {
          let color = Color(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
          #expect(Color(OKLCH(color)) == color)
        }
      }
    }
  }

  @Test func `colours outside the gamut lose chroma, not lightness`() {
    for hue in stride(from: 0.0, to: 360, by: 7) {
      let asked = OKLCH(lightness: 0.6, chroma: 0.4, hue: hue)
      #expect(!asked.isInGamut && asked.inGamut.isInGamut)
      let got = OKLCH(Color(asked))
      #expect(abs(got.lightness - 0.6) < 0.004)
      #expect(min(abs(got.hue - hue), 360 - abs(got.hue - hue)) < 2)
    }
  }
}
