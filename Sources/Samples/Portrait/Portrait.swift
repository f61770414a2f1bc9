/// The look of a person who does not exist: every feature that the painter asks for.
package struct Portrait: Hashable, Sendable {
  package enum Hair: String, Hashable, Sendable, CaseIterable {
    case crop
    case buzz
    case bald
    case bob
    case long
    case wavy
    case afro
    case bun
    case curls
    case quiff
    case ponytail
    case pixie
    case braids
    case scarf
    case beanie
  }

  package enum Outfit: String, Hashable, Sendable, CaseIterable {
    case crew
    case vneck
    case shirt
    case hoodie
    case turtleneck
    case stripes
    case jacket
    case dungarees
  }

  package enum Glasses: String, Hashable, Sendable, CaseIterable {
    case none
    case round
    case square
    case sun
  }

  package enum Beard: String, Hashable, Sendable, CaseIterable {
    case none
    case stubble
    case moustache
    case full
  }

  package enum Mouth: String, Hashable, Sendable, CaseIterable {
    case smile
    case grin
    case calm
    case smirk
  }

  package enum Backdrop: String, Hashable, Sendable, CaseIterable {
    case plain
    case sun
    case rings
    case hills
    case confetti
  }

  package var hair: Hair
  package var outfit: Outfit
  package var glasses: Glasses
  package var beard: Beard
  package var mouth: Mouth
  package var backdrop: Backdrop
  var skin: Tint
  var hairTint: Tint
  var cloth: Tint
  var accent: Tint
  var sky: Tint
  var ground: Tint
  /// Half the width of the face, and how broad the jaw is, 0…1.
  var faceWidth: Double
  var jaw: Double
  var chin: Double
  /// Degrees.
  var tilt: Double
  var eyesAreClosed: Bool
  var hasFreckles: Bool
  var hasEarrings: Bool
  var browWeight: Double
  var seed: UInt64

  /// Draws lots for every feature.
  package init(seed: UInt64) {
    var lots = RandomStream(seed: seed, stream: 1)
    self.seed = seed
    hair = lots.element(of: Hair.allCases)
    outfit = lots.element(of: Outfit.allCases)
    glasses =
      lots.chance(0.34) ? lots.element(of: [.round, .square, .round, .square, .sun]) : .none
    let isShaven = [Hair.bob, .long, .wavy, .bun, .ponytail, .braids, .scarf].contains(hair)
    beard =
      !isShaven && lots.chance(0.42) ? lots.element(of: [.stubble, .moustache, .full]) : .none
    mouth = lots.element(of: [.smile, .smile, .grin, .grin, .calm, .smirk])
    backdrop = lots.element(of: Backdrop.allCases)
    skin = lots.element(of: Palette.skins)
    let isDyed = beard == .none && lots.chance(0.12)
    hairTint = lots.element(
      of: isDyed ? Palette.dyes : skin.luma < 0.5 ? Palette.darkHairs : Palette.hairs)
    let scheme = lots.element(of: Palette.schemes)
    (sky, ground, cloth, accent) = (scheme.sky, scheme.ground, scheme.cloth, scheme.accent)
    faceWidth = lots.number(in: 140...158)
    jaw = lots.number(in: 0.5...0.72)
    chin = lots.number(in: 594...622)
    tilt = lots.number(in: -4.5...4.5)
    eyesAreClosed = lots.chance(0.12)
    hasFreckles = lots.chance(0.18)
    hasEarrings = isShaven && hair != .scarf && lots.chance(0.5)
    browWeight = lots.number(in: 9...14)
  }
}

/// Colours that go together.
enum Palette {
  struct Scheme: Sendable {
    var sky: Tint
    var ground: Tint
    var cloth: Tint
    var accent: Tint

    init(_ sky: UInt32, _ ground: UInt32, _ cloth: UInt32, _ accent: UInt32) {
      self.sky = Tint(sky)
      self.ground = Tint(ground)
      self.cloth = Tint(cloth)
      self.accent = Tint(accent)
    }
  }

  static let skins = [
    0xffe0cd, 0xfbd1b7, 0xf2bd97, 0xe4a87c, 0xcf8d5f, 0xb67347, 0x965a36, 0x74422a, 0x573124,
  ].map { Tint($0) }

  static let hairs = [
    0x1d1a22, 0x2f2523, 0x4a2e22, 0x6b4129, 0x94592f, 0xc1843f, 0xe0b667, 0xb04a26, 0x8a8690,
    0xd9d6d8,
  ].map { Tint($0) }

  static let darkHairs: [Tint] = Array(hairs.prefix(4)) + Array(hairs.suffix(2))

  static let dyes = [0xe86f94, 0x4f8fcf, 0x7d5bc7, 0x2f9e8f].map { Tint($0) }

  static let schemes = [
    Scheme(0xffd9a0, 0xff9a76, 0x2f5d8c, 0xffe9c9),
    Scheme(0xb8e3ff, 0x6fb1f0, 0xf2674a, 0xfff1e6),
    Scheme(0xd7ccff, 0x9b86f0, 0x2b2d54, 0xf7c65f),
    Scheme(0xc4f1dc, 0x5ec9a4, 0x23577a, 0xffd166),
    Scheme(0xffd3e0, 0xf58fae, 0x5b3a78, 0xfff0f4),
    Scheme(0xfff0b8, 0xf9c74f, 0x2a7a78, 0xffffff),
    Scheme(0xcfe0e8, 0x86a6b8, 0xd9594c, 0xf4f1de),
    Scheme(0xe3f2b8, 0xa3cc6a, 0x7a4a2b, 0xfdf6d8),
    Scheme(0xa9d6e5, 0x2a6f97, 0xf4a259, 0xfff3e0),
    Scheme(0xf7cfc0, 0xc96f5a, 0x31483f, 0xf2e3c6),
    Scheme(0xc8d5ff, 0x5f7ae0, 0xe9eefc, 0xf27a9c),
    Scheme(0xe7d3c0, 0xb08a6a, 0x3b5249, 0xe7c27d),
  ]
}
