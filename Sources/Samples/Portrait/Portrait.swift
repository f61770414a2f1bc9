import Recipes

/// The look of a person who does not exist.
package struct Portrait: Hashable, Sendable {
  package enum Hair: Hashable, Sendable, CaseIterable {
    case bald, crop, parted, bun, bob, long, curls, afro, scarf
  }

  enum Outfit: Hashable, CaseIterable {
    case crew, shirt, hoodie, stripes
  }

  enum Beard: Hashable {
    case none, moustache, full
  }

  package var hair: Hair
  let outfit: Outfit
  let beard: Beard
  let colors: ColorScheme
  let skin: Color
  let hairColor: Color
  /// Half the width of the face, in units of the board.
  let faceWidth: Float
  /// Degrees by which the head leans.
  let lean: Float
  let grins: Bool
  let eyesAreClosed: Bool
  let hasGlasses: Bool
  let hasHills: Bool
  let seed: UInt64

  /// Chooses every feature at random.
  package init(seed: UInt64) {
    var random = RandomStream(seed: seed, stream: 1)
    self.seed = seed
    hair = random.element(of: Hair.allCases)
    outfit = random.element(of: Outfit.allCases)
    let canHaveBeard = [.bald, .crop, .parted, .curls, .afro].contains(hair)
    beard = canHaveBeard && random.chance(0.4) ? random.element(of: [.moustache, .full]) : .none
    colors = random.element(of: ColorScheme.all)
    let skinIndex = random.index(below: Self.skins.count)
    skin = Self.skins[skinIndex]
    hairColor = random.element(
      of: skinIndex < 4 ? Self.hairColors : Array(Self.hairColors.prefix(4)))
    faceWidth = Float(random.number(in: 158...178))
    lean = Float(random.number(in: -5...5))
    grins = random.chance(0.4)
    eyesAreClosed = random.chance(0.12)
    hasGlasses = random.chance(0.25)
    hasHills = random.chance(0.5)
  }

  private static let skins = [
    0xffe0cd, 0xfbd1b7, 0xf2bd97, 0xe4a87c, 0xcf8d5f, 0xb67347, 0x965a36, 0x74422a, 0x573124,
  ].map { Color($0) }

  /// The first four go with every skin.
  private static let hairColors = [
    0x1d1a22, 0x2f2523, 0x4a2e22, 0x8a8690, 0x6b4129, 0x94592f, 0xc1843f, 0xe0b667, 0xb04a26,
    0xd9d6d8, 0xe86f94, 0x7d5bc7,
  ].map { Color($0) }
}

/// Colours that go together.
struct ColorScheme: Hashable, Sendable {
  let sky: Color
  let ground: Color
  let cloth: Color
  let accent: Color

  static let all = [
    [0xffd9a0, 0xff9a76, 0x2f5d8c, 0xffe9c9], [0xb8e3ff, 0x6fb1f0, 0xf2674a, 0xfff1e6],
    [0xd7ccff, 0x9b86f0, 0x2b2d54, 0xf7c65f], [0xc4f1dc, 0x5ec9a4, 0x23577a, 0xffd166],
    [0xffd3e0, 0xf58fae, 0x5b3a78, 0xfff0f4], [0xfff0b8, 0xf9c74f, 0x2a7a78, 0xffffff],
    [0xcfe0e8, 0x86a6b8, 0xd9594c, 0xf4f1de], [0xe3f2b8, 0xa3cc6a, 0x7a4a2b, 0xfdf6d8],
    [0xa9d6e5, 0x2a6f97, 0xf4a259, 0xfff3e0], [0xf7cfc0, 0xc96f5a, 0x31483f, 0xf2e3c6],
    [0xc8d5ff, 0x5f7ae0, 0xe9eefc, 0xf27a9c], [0xe7d3c0, 0xb08a6a, 0x3b5249, 0xe7c27d],
  ].map { (colors: [UInt32]) in
    ColorScheme(
      sky: Color(colors[0]), ground: Color(colors[1]), cloth: Color(colors[2]),
      accent: Color(colors[3]))
  }
}

extension Color {
  /// From `0xrrggbb`.
  init(_ hex: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: hex >> 16), green: UInt8(truncatingIfNeeded: hex >> 8),
      blue: UInt8(truncatingIfNeeded: hex))
  }

  func withAlpha(_ alpha: Double) -> Color {
    Color(red: red, green: green, blue: blue, alpha: UInt8(alpha * 255))
  }

  func mixed(with other: Color, _ amount: Double) -> Color { other.withAlpha(amount).over(self) }

  func darker(_ amount: Double) -> Color { mixed(with: Color(0x1b1030), amount) }

  var premultiplied: SIMD4<Float> {
    SIMD4(Float(red), Float(green), Float(blue), 255) * (Float(alpha) / 65025)
  }
}
