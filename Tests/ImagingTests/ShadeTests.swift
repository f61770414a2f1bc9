import Recipes
import TestSupport

struct ShadeTests {
  /// The steps for highlighted, selected, focused and disabled, plus smaller and larger ones.
  private static let steps = [0.08, 0.16, 0.04, -0.20, 0.02, 0.5, -0.6]
  private static let pages = [Color.white, .black]

  /// The eight corners of the RGB cube and greys, from opaque to nearly transparent.
  private static let special = [0, 1, 2, 5, 8, 13, 25, 51, 128, 254, 255].flatMap { alpha in
    [
      [0, 0, 0], [255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0],
      [0, 255, 255], [255, 0, 255], [1, 1, 1], [254, 254, 254], [0, 0, 1], [255, 255, 254],
      [128, 128, 128],
    ].map {
      Color(red: UInt8($0[0]), green: UInt8($0[1]), blue: UInt8($0[2]), alpha: UInt8(alpha))
    }
  }

  private static let random: [Color] = {
    var random = SeededRandom(seed: 4)
    return Extent.seeds(1_000, all: 5_000).map { number in
      // One in ten is grey, and one in three is translucent.
      let red = UInt8.random(in: 0...255, using: &random)
      let isGray = number.isMultiple(of: 10)
      return Color(
        red: red, green: isGray ? red : .random(in: 0...255, using: &random),
        blue: isGray ? red : .random(in: 0...255, using: &random),
        alpha: number % 3 == 0 ? .random(in: 0...255, using: &random) : 255)
    }
  }()

  /// B2: `auto` is visible for every colour, on a light and a dark page.
  @Test func `every shade differs visibly from its base colour`() {
    for color in Self.random + Self.special {
      for page in Self.pages {
        for step in Self.steps {
          let shade = color.shade(by: step, awayFrom: page)
          let name: Comment = "\(color.hex) by \(step) on \(page.hex): \(shade.hex)"
          #expect(shade.difference(from: color, on: page) >= 5, name)
          #expect(shade.difference(from: page, on: page) >= 5, name)
          #expect(shade.alpha >= color.alpha, name)
          #expect(color.shade(by: step, awayFrom: page) == shade, name)
          if color.red == color.green && color.green == color.blue {
            #expect(shade.red == shade.green && shade.green == shade.blue, name)
          } else {
            expectSameHue(shade, color, name)
          }
        }
      }
    }
  }

  /// Compares hues if 8-bit colours define them precisely enough.
  private func expectSameHue(_ shade: Color, _ color: Color, _ name: Comment) {
    let (before, after) = (OKLCH(color), OKLCH(shade))
    // Near black, one 8-bit step changes the chroma by 0.017.
    #expect(after.chroma <= before.chroma + (after.lightness < 0.1 ? 0.018 : 0.006), name)
    guard before.chroma > 0.02, after.chroma > 0.02, after.lightness > 0.25 else { return }
    let turn = abs(after.hue - before.hue)
    // A channel is off by up to half a step, which changes the hue of weak colours more.
    #expect(min(turn, 360 - turn) < 0.2 + 0.12 / after.chroma, name)
  }

  /// The direction is away from the page for positive steps, and towards it for negative ones.
  @Test func `if possible, a shade moves away from the page, or towards it for a negative step`() {
    var turned = 0
    for color in Self.random.prefix(500) + Self.special.filter({ $0.alpha == 255 }) {
      for page in Self.pages {
        for step in Self.steps {
          let shade = color.shade(by: step, awayFrom: page)
          guard shade.alpha == color.alpha else { continue }
          let isUp = (step > 0) == (page == .black)
          let moved = OKLCH(shade).lightness - OKLCH(color).lightness
          if isUp ? moved > 0 : moved < 0 { continue }
          turned += 1
          #expect(!hasRoom(color, isUp: isUp, page), "\(color.hex) by \(step) on \(page.hex)")
        }
      }
    }
    #expect(turned > 100)
  }

  /// Returns whether some lighter or darker shade differs visibly from the colour and its page.
  private func hasRoom(_ color: Color, isUp: Bool, _ page: Color) -> Bool {
    let start = OKLCH(color)
    for number in 1...400 {
      var moved = start
      moved.lightness += Double(isUp ? number : -number) / 400
      guard (0...1).contains(moved.lightness) else { return false }
      var shade = Color(moved)
      shade.alpha = color.alpha
      // The limit exceeds a visible difference, because steps of 0.01 may skip a narrow range.
      if shade.difference(from: color, on: page) > 6
        && shade.difference(from: page, on: page) > 6
      {
        return true
      }
    }
    return false
  }

  /// A visible step within range is used unchanged.
  @Test(arguments: [0.08, 0.16, -0.20])
  func `a shade differs from its base by the documented step`(step: Double) throws {
    for color in Self.random {
      let start = OKLCH(color)
      guard color.isOpaque, (0.45...0.7).contains(start.lightness) else { continue }
      for page in Self.pages {
        let moved = OKLCH(color.shade(by: step, awayFrom: page)).lightness - start.lightness
        #expect(abs(moved - (page == .black ? step : -step)) < 0.005, "\(color.hex)")
      }
    }
  }

  @Test func `a larger difference can be requested`() {
    for color in Self.random.prefix(500) + Self.special {
      for page in Self.pages {
        let shade = color.shade(by: 0.16, awayFrom: page, differingBy: 10)
        #expect(shade.difference(from: color, on: page) >= 10, "\(color.hex) on \(page.hex)")
        #expect(shade.difference(from: page, on: page) >= 5, "\(color.hex) on \(page.hex)")
      }
    }
  }

  @Test func `black, white and transparent have documented shades`() {
    let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
    for (color, page, isLighter) in [
      (Color.black, Color.white, true), (.white, .black, false), (.black, .black, true),
      (.white, .white, false),
    ] {
      let shade = color.shade(by: 0.08, awayFrom: page)
      #expect(shade.isOpaque && shade.isGray)
      #expect((OKLCH(shade).lightness > OKLCH(color).lightness) == isLighter)
    }
    for page in Self.pages {
      for step in Self.steps {
        let shade = clear.shade(by: step, awayFrom: page)
        #expect(shade.isGray && shade.alpha > 0 && shade.alpha < 80, "\(shade.hex)")
      }
    }
  }

  @Test func `shades of grey stay grey`() {
    for value in UInt8.min...UInt8.max {
      let color = Color(red: value, green: value, blue: value)
      for page in Self.pages {
        for step in Self.steps { #expect(color.shade(by: step, awayFrom: page).isGray) }
      }
    }
  }
}
