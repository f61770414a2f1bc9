import Imaging
import Recipes
import TestSupport

struct InitialsTests {
  private static let latin = DeclaredFonts.latin
  private static let ground = Color(red: 0, green: 64, blue: 128)

  private func picture(
    _ text: String, ground: Color = Self.ground, fonts: [String] = [Self.latin]
  ) throws -> Picture {
    try ImageMagick.start()
    var items: [String: Data] = [:]
    for font in fonts { items[font] = try DeclaredFonts.bytes(font) }
    let initials = Initials(text: text, ink: .white, ground: ground, fonts: fonts)
    return try Picture(.generated(.initials(initials)), resources: RenderResources(items))
  }

  private func pixels(
    _ text: String, _ width: Int, _ height: Int? = nil, ground: Color = Self.ground,
    fonts: [String] = [Self.latin]
  ) throws -> Pixels {
    var picture = try picture(text, ground: ground, fonts: fonts)
    return try Pixels(picture.rendered(.simple(width, height, fit: .stretch)))
  }

  /// Returns the bounding box of the ink, weighted by coverage.
  private func extent(
    _ pixels: Pixels, ground: Color = Self.ground
  ) throws -> (left: Int, top: Int, right: Int, bottom: Int) {
    let plain = [ground.red, ground.green, ground.blue, ground.alpha]
    var columns: [Int] = []
    var rows: [Int] = []
    for y in 0..<pixels.height {
      for x in 0..<pixels.width where pixels[x, y] != plain {
        columns.append(x)
        rows.append(y)
      }
    }
    return (
      try #require(columns.min()), try #require(rows.min()), try #require(columns.max()) + 1,
      try #require(rows.max()) + 1
    )
  }

  @Test(arguments: ["A", "AL", "WM", "J", "Qy", "Ж"], [33, 64, 200])
  func `letters are centred`(text: String, side: Int) throws {
    let box = try extent(try pixels(text, side))
    #expect(abs(box.left - (side - box.right)) <= 1)
    // Two letters span at most 62 % of the side; partly covered pixels are included here.
    #expect(Double(box.right - box.left) <= Double(side) * 0.62 + 2)
  }

  @Test func `capitals are centred by cap height`() throws {
    let flat = try extent(try pixels("H", 200))
    #expect(abs(flat.top - (200 - flat.bottom)) <= 1)
    // An accent above or a tail below does not move the letters.
    for text in ["Ä", "Ç", "Q"] {
      let box = try extent(try pixels(text, 200))
      #expect(box.top < flat.top - 2 || box.bottom > flat.bottom + 2)
    }
    let (flatRow, accented) = (flat.bottom, try extent(try pixels("Ä", 200)).bottom)
    #expect(flatRow == accented)
  }

  @Test(arguments: ["A", "AL"], [1, 4, 8, 9, 11, 12, 13, 14, 15, 40])
  func `any number of accents fits inside the picture`(text: String, count: Int) throws {
    for (width, height) in [(200, 200), (200, 90)] {
      let stack = text + String(repeating: "\u{301}", count: count)
      let box = try extent(try pixels(stack, width, height))
      let room = Double(min(width, height))
      #expect(box.top > 0)
      #expect(box.bottom < height)
      // With four or more accents, the height limits the size.
      if count >= 4 { #expect(abs(Double(box.bottom - box.top) - 0.62 * room) <= 2) }
    }
  }

  @Test func `a single letter is larger than two letters`() throws {
    let one = try extent(try pixels("H", 200))
    let two = try extent(try pixels("HH", 200))
    #expect(one.bottom - one.top > two.bottom - two.top + 10)
  }

  @Test func `letters in other scripts are centred by their ink bounds`() throws {
    for (text, font) in [("ש", DeclaredFonts.hebrew), ("山", DeclaredFonts.eastAsian)] {
      let box = try extent(try pixels(text, 200, fonts: [font]))
      #expect(abs(box.top - (200 - box.bottom)) <= 1)
      #expect(abs(box.left - (200 - box.right)) <= 1)
    }
  }

  @Test func `letters scale with the shorter side`() throws {
    let square = try extent(try pixels("AL", 100))
    let wide = try extent(try pixels("AL", 160, 100))
    #expect(wide.left == square.left + 30)
    #expect(wide.right == square.right + 30)
    #expect(wide.top == square.top)
    let tall = try extent(try pixels("AL", 100, 160))
    #expect(tall.top == square.top + 30)
  }

  @Test(arguments: ["AL", "Qg"])
  func `a larger scale shows the same picture`(text: String) throws {
    let small = try pixels(text, 64)
    let large = try pixels(text, 128)
    for y in 0..<64 {
      for x in 0..<64 {
        for channel in 0..<4 {
          let sum = [(0, 0), (1, 0), (0, 1), (1, 1)].reduce(0) {
            $0 + Int(large[x * 2 + $1.0, y * 2 + $1.1][channel])
          }
          #expect(abs(Int(small[x, y][channel]) - sum / 4) <= 18, "\(x), \(y)")
        }
      }
    }
  }

  @Test func `initials have few enough colours for a palette`() throws {
    for text in ["AL", "Q", "ЖЯ"] {
      let picture = try pixels(text, 192)
      let colors = Set(
        stride(from: 0, to: picture.bytes.count, by: 4).map { Array(picture.bytes[$0..<$0 + 4]) })
      #expect(colors.count <= 64)
      #expect(colors.contains([255, 255, 255, 255]))
      #expect(colors.contains([0, 64, 128, 255]))
    }
  }

  @Test func `a translucent background stays translucent behind opaque letters`() throws {
    let ground = Color(red: 200, green: 0, blue: 0, alpha: 100)
    let picture = try pixels("I", 64, ground: ground)
    #expect(picture[0, 0] == [200, 0, 0, 100])
    #expect(picture[32, 32] == [255, 255, 255, 255])
    #expect(picture.alphas.allSatisfy { $0 >= 100 })
  }

  @Test func `emoji are drawn in their own colours`() throws {
    let picture = try pixels("🦊", 96, fonts: [DeclaredFonts.emoji])
    let orange = stride(from: 0, to: picture.bytes.count, by: 4).count { (at: Int) -> Bool in
      let (red, green, blue) = (picture.bytes[at], picture.bytes[at + 1], picture.bytes[at + 2])
      return red > 220 && 60...180 ~= green && blue < 90
    }
    #expect(orange > 500)
    let box = try extent(picture)
    #expect(abs(box.left - (96 - box.right)) <= 2)
    #expect(abs(box.top - (96 - box.bottom)) <= 2)
    #expect(Double(box.right - box.left) <= 96 * 0.62 + 2)
  }

  /// D6: a missing glyph is an error that names the code point, never a box.
  @Test func `an error names the letter that no font covers`() throws {
    var picture = try picture("Aא")
    let rejection = try #require(throws: Rejection.self) { try picture.rendered(.simple(32)) }
    #expect(rejection.reason.rawValue == "glyph-missing")
    #expect(rejection.detail.contains("U+05D0"))
  }

  @Test func `an invalid font is rejected`() throws {
    try ImageMagick.start()
    let initials = Initials(text: "A", ink: .white, ground: .sky, fonts: ["x", "y"])
    for resources in [RenderResources(["x": Data("no font".utf8)]), RenderResources()] {
      var picture = try Picture(.generated(.initials(initials)), resources: resources)
      for _ in 0..<2 {
        let rejection = try #require(throws: Rejection.self) { try picture.rendered(.simple(32)) }
        #expect(rejection.reason.rawValue == "font-unusable")
      }
    }
  }

  @Test(arguments: [1, 2, 3, 5])
  func `initials are drawn even in the smallest boxes`(side: Int) throws {
    #expect(try pixels("AL", side).alphas.allSatisfy { $0 == 255 })
    #expect(try pixels("🦊", side, fonts: [DeclaredFonts.emoji]).width == side)
  }
}
