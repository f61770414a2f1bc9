import Lettering
import TestSupport

struct TextLineTests {
  private func typeface(_ name: String) throws -> Typeface {
    try Typeface(DeclaredFonts.bytes(name))
  }

  /// Draws the line so that the ink begins at the left edge of the picture.
  private func coverage(_ line: TextLine, emPixels: Double) throws -> InkCoverage {
    let ink = line.ink
    var coverage = InkCoverage(
      width: Int((ink.width * emPixels).rounded(.up)) + 1,
      height: Int((ink.height * emPixels).rounded(.up)) + 1)
    try line.draw(
      emPixels: emPixels, x: -ink.left * emPixels, y: ink.top * emPixels, into: &coverage)
    return coverage
  }

  private func columns(_ coverage: InkCoverage) -> [Int] {
    (0..<coverage.width).map { column in
      (0..<coverage.height).reduce(0) { $0 + Int(coverage.values[$1 * coverage.width + column]) }
    }
  }

  /// D6: an error names each letter that no font covers; no box is drawn in its place.
  @Test func `an error names the letters that no font covers`() throws {
    let latin = try typeface(DeclaredFonts.latin)
    #expect(throws: LetteringError.missing([0x5D0])) { try TextLine("Aא", fonts: [latin]) }
    #expect(throws: LetteringError.missing([0x1F98A])) { try TextLine("🦊", fonts: [latin]) }
    #expect(throws: LetteringError.missing([0x41])) { try TextLine("A", fonts: []) }
  }

  @Test func `blank text is treated as missing`() throws {
    let latin = try typeface(DeclaredFonts.latin)
    #expect(throws: LetteringError.missing([0x20])) { try TextLine(" ", fonts: [latin]) }
    #expect(throws: LetteringError.missing([])) { try TextLine("", fonts: [latin]) }
  }

  @Test func `a letter is drawn with the first font that covers it`() throws {
    let latin = try typeface(DeclaredFonts.latin)
    let asian = try typeface(DeclaredFonts.eastAsian)
    let alone = try TextLine("A", fonts: [latin])
    #expect(try TextLine("A", fonts: [latin, asian]).ink == alone.ink)
    #expect(try TextLine("A", fonts: [asian, latin]).ink != alone.ink)
    _ = try TextLine("山", fonts: [latin, asian])
  }

  @Test(arguments: ["…", "’", "–"])
  func `punctuation does not add space between a word's letters`(mark: String) throws {
    let latin = try typeface(DeclaredFonts.latin)
    let parts = try [mark, "Data"].map { try TextLine($0, fonts: [latin]).advance }
    let whole = try TextLine("Data" + mark, fonts: [latin]).advance
    #expect(whole <= parts[0] + parts[1] + 0.01)
  }

  /// These letters are rectangles, whose area is known without a font library.
  @Test(arguments: ["|", "-", "l"], [7.0, 23.5, 100])
  func `ink coverage matches the exact area`(text: String, emPixels: Double) throws {
    let line = try TextLine(text, fonts: [try typeface(DeclaredFonts.latin)])
    let area = line.ink.width * line.ink.height * emPixels * emPixels
    let covered = try coverage(line, emPixels: emPixels).values.reduce(0.0) {
      $0 + Double($1) / 255
    }
    #expect(abs(covered - area) < 0.04 * max(area, 1) / emPixels.squareRoot() + 0.02)
  }

  @Test(arguments: [(0.0, -80.0), (0, 200), (-90, 40), (90, 40), (-90, -80), (90, 200)])
  func `letters are clipped at the picture's edge`(x: Double, y: Double) throws {
    var coverage = InkCoverage(width: 48, height: 48)
    let blank = coverage
    let line = try TextLine("A", fonts: [try typeface(DeclaredFonts.latin)])
    try line.draw(emPixels: 40, x: x, y: y, into: &coverage)
    #expect(coverage == blank)
    // If a letter is partly outside, only the outer part is clipped.
    try line.draw(emPixels: 40, x: x / 5, y: y < 0 ? 10 : y > 100 ? 60 : y, into: &coverage)
    #expect(coverage != blank)
  }

  /// Hinting would move stems to whole pixels.
  @Test(arguments: ["A", "g", "W", "ש"])
  func `doubling the size does not change the shape`(text: String) throws {
    let fonts = [try typeface(DeclaredFonts.latin), try typeface(DeclaredFonts.hebrew)]
    let line = try TextLine(text, fonts: fonts)
    let small = try coverage(line, emPixels: 20)
    let large = try coverage(line, emPixels: 40)
    for row in 0..<small.height {
      for column in 0..<small.width {
        var sum = 0
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
          let (left, top) = (column * 2 + x, row * 2 + y)
          guard left < large.width, top < large.height else { continue }
          sum += Int(large.values[top * large.width + left])
        }
        let own = Int(small.values[row * small.width + column])
        // FreeType approximates curves by lines, with an error of up to a sixteenth.
        #expect(abs(own - sum / 4) <= 16, "\(column), \(row)")
      }
    }
  }

  @Test func `pairs of capitals are kerned`() throws {
    let latin = try typeface(DeclaredFonts.latin)
    func width(_ text: String) throws -> Double { try TextLine(text, fonts: [latin]).ink.width }
    // A pair without kerning reveals the side bearings.
    let bearings = try width("HH") - 2 * width("H")
    #expect(try width("AV") < width("A") + width("V") + bearings - 0.05)
  }

  @Test(arguments: [("אב", DeclaredFonts.hebrew), ("مع", DeclaredFonts.arabic)])
  func `right-to-left text begins on the right, and its letters are separate`(
    text: String, font: String
  ) throws {
    let fonts = [try typeface(font)]
    let pair = columns(try coverage(try TextLine(text, fonts: fonts), emPixels: 64))
    let parts = try text.map {
      columns(try coverage(try TextLine(String($0), fonts: fonts), emPixels: 64))
    }
    // The second letter is at the left end, followed by an empty column.
    #expect(Array(pair.prefix(parts[1].count - 2)) == Array(parts[1].dropLast(2)))
    #expect(pair.dropFirst(parts[1].count - 2).contains(0))
    // The first letter is at the right end, shifted by part of a pixel, so only its ink is equal.
    let ink = pair.reduce(0, +)
    #expect(abs(ink - parts[0].reduce(0, +) - parts[1].reduce(0, +)) < ink / 100)
  }

  @Test func `left-to-right text begins on the left`() throws {
    let latin = try typeface(DeclaredFonts.latin)
    let pair = columns(try coverage(try TextLine("LI", fonts: [latin]), emPixels: 64))
    let first = columns(try coverage(try TextLine("L", fonts: [latin]), emPixels: 64))
    #expect(Array(pair.prefix(first.count - 2)) == Array(first.dropLast(2)))
  }

  @Test func `a Devanagari vowel sign is drawn next to its consonant`() throws {
    let fonts = [try typeface(DeclaredFonts.devanagari)]
    let whole = try TextLine("कि", fonts: fonts)
    let bare = try TextLine("क", fonts: fonts)
    #expect(whole.ink.width > bare.ink.width + 0.1)
    #expect(whole.capHeight == nil)
  }

  @Test(arguments: ["🦊", "👩🏽‍🚀", "🇩🇪", "👨‍👩‍👧‍👦", "1️⃣", "❤️"])
  func `an emoji with several code points is drawn as one picture`(text: String) throws {
    let line = try TextLine(text, fonts: [try typeface(DeclaredFonts.emoji)])
    let placed = try line.bitmaps(emPixels: 40, x: 0, y: 40)
    #expect(placed.count == 1)
    let bitmap = try #require(placed.first?.bitmap)
    #expect(bitmap.bytes.count == bitmap.width * bitmap.height * 4)
    #expect(Set(stride(from: 3, to: bitmap.bytes.count, by: 4).map { bitmap.bytes[$0] }).count > 1)
    #expect(try coverage(line, emPixels: 10).values.allSatisfy { $0 == 0 })
  }

  @Test func `skin tones are visible`() throws {
    let fonts = [try typeface(DeclaredFonts.emoji)]
    let bitmaps = try ["👩🏻‍🚀", "👩🏿‍🚀"].map {
      try TextLine($0, fonts: fonts).bitmaps(emPixels: 40, x: 0, y: 40).map(\.bitmap)
    }
    #expect(bitmaps[0] != bitmaps[1])
  }
}
