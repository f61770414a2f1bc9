import Imaging
import Recipes
import TestSupport

struct HostileInitialsTests {
  private static let boxes = [(64, 64), (90, 30), (1, 1)]

  /// Returns whether all boxes were drawn, and checks the message if they were not.
  private func isDrawn(_ text: String, font: Data) throws -> Bool {
    try ImageMagick.start()
    let initials = Initials(text: text, ink: .white, ground: .sky, fonts: ["font"])
    var picture = try Picture(
      .generated(.initials(initials)), resources: RenderResources(["font": font]))
    do throws(Rejection) {
      for (width, height) in Self.boxes {
        let image = try picture.rendered(.simple(width, height, fit: .stretch))
        #expect(
          try Inspection(inspecting: image.bytes).size == PixelSize(width: width, height: height))
      }
      return true
    } catch {
      #expect(["font-unusable", "glyph-missing"].contains(error.reason.rawValue))
      return false
    }
  }

  @Test(arguments: [
    (DeclaredFonts.latin, "A", "\u{301}"), (DeclaredFonts.latin, "Ж", "\u{323}"),
    (DeclaredFonts.latin, "gj", "\u{331}"), (DeclaredFonts.eastAsian, "A", "\u{301}"),
    (DeclaredFonts.hebrew, "ש", "\u{5B8}"), (DeclaredFonts.arabic, "م", "\u{64E}"),
    (DeclaredFonts.devanagari, "क", "\u{947}"), (DeclaredFonts.emoji, "👩", "\u{200D}👩"),
  ])
  func `many accents are drawn or rejected`(name: String, letter: String, mark: String) throws {
    let font = try DeclaredFonts.bytes(name)
    for count in [0, 1, 2, 4, 8, 9, 11, 12, 13, 14, 15, 40, 250] {
      let drawn = try isDrawn(letter + String(repeating: mark, count: count), font: font)
      #expect(drawn || count > 0)
    }
  }

  @Test(arguments: [
    (DeclaredFonts.latin, "A", 60), (DeclaredFonts.latin, "gj\u{301}\u{302}\u{303}", 60),
    (DeclaredFonts.devanagari, "क्षि", 60),
  ])
  func `a damaged font never causes a crash`(name: String, text: String, count: Int) throws {
    let whole = try DeclaredFonts.bytes(name)
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of damaged fonts for initials: \(seed)")
    var random = SeededRandom(seed: seed)
    // These tables contain the sizes and positions of glyphs.
    let names = ["head", "hhea", "maxp", "hmtx", "loca", "glyf", "GPOS", "GSUB", "GDEF", "OS/2"]
    let tables = (0..<Int(whole[5])).compactMap { number -> Range<Int>? in
      let entry = whole[(12 + 16 * number)..<(28 + 16 * number)]
      guard names.contains(String(decoding: entry.prefix(4), as: UTF8.self)) else { return nil }
      func field(_ place: Int) -> Int {
        entry.dropFirst(place).prefix(4).reduce(0) { (sum: Int, byte: UInt8) in
          sum << 8 | Int(byte)
        }
      }
      let start = field(8)
      return start..<start + field(12)
    }
    #expect(tables.count > 6)
    for _ in 0..<count {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let table = try #require(tables.randomElement(using: &random))
        let reach = min(table.count, Bool.random(using: &random) ? 64 : 4_096)
        let place = table.lowerBound + Int.random(in: 0..<reach, using: &random)
        let extremes: [UInt8] = [0, 0x7F, 0x80, 0xFF]
        bytes[place] =
          extremes.randomElement(using: &random).flatMap { Bool.random(using: &random) ? $0 : nil }
          ?? UInt8.random(in: 0...255, using: &random)
      }
      _ = try isDrawn(text, font: bytes)
    }
  }
}
