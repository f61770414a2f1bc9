import Foundation
import Imaging
import TestSupport
import Testing

struct ContrastTests {
  /// Relative luminance as WCAG 2.1 writes it.
  private func luminance(_ color: Color) -> Double {
    func amount(_ byte: UInt8) -> Double {
      let value = Double(byte) / 255
      return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * amount(color.red) + 0.7152 * amount(color.green) + 0.0722 * amount(color.blue)
  }

  @Test func `published contrasts are met`() throws {
    let gray = { (value: UInt8) in Color(red: value, green: value, blue: value) }
    #expect(abs(Color.white.contrast(with: gray(0)) - 21) < 0.001)
    #expect(abs(gray(0x77).contrast(with: .white) - 4.48) < 0.005)
    #expect(abs(gray(0x76).contrast(with: .white) - 4.54) < 0.005)
    #expect(Color.sky.contrast(with: .sky) == 1)
    #expect(Color.sky.contrast(with: .ruby) == Color.ruby.contrast(with: .sky))
  }

  @Test func `a translucent colour counts as it looks`() throws {
    let half = Color(red: 0, green: 0, blue: 0, alpha: 128)
    let gray = Color(red: 127, green: 127, blue: 127)
    #expect(half.contrast(with: .white) == gray.contrast(with: .white))
    #expect(Color.white.contrast(with: half) == gray.contrast(with: .white))
  }

  /// G39: whatever the ground, the letters on it have a contrast of 4.5.
  @Test func `there is an ink for every ground`() throws {
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

  /// Figures of CSS Color 4.
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

  @Test func `every colour comes back`() {
    for red in stride(from: 0, through: 255, by: 15) {
      for green in stride(from: 0, through: 255, by: 17) {
        for blue in stride(from: 0, through: 255, by: 51) {
          let color = Color(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
          #expect(Color(OKLCH(color)) == color)
        }
      }
    }
  }

  @Test func `too much chroma is taken back, not the lightness`() {
    for hue in stride(from: 0.0, to: 360, by: 7) {
      let asked = OKLCH(lightness: 0.6, chroma: 0.4, hue: hue)
      #expect(!asked.isInGamut && asked.inGamut.isInGamut)
      let got = OKLCH(Color(asked))
      #expect(abs(got.lightness - 0.6) < 0.004)
      #expect(min(abs(got.hue - hue), 360 - abs(got.hue - hue)) < 2)
    }
  }
}
