import Lettering
import TestSupport

struct HostileFontTests {
  private func use(_ bytes: Data, _ text: String) {
    do throws(LetteringError) {
      let line = try TextLine(text, fonts: [try Typeface(bytes)])
      var coverage = InkCoverage(width: 64, height: 64)
      let emPixels = min(40, 60 / line.ink.width, 60 / line.ink.height)
      try line.draw(emPixels: emPixels, x: 0, y: 50, into: &coverage)
      _ = try line.bitmaps(emPixels: emPixels, x: 0, y: 50)
    } catch {
      // An error is fine, but a crash is not.
    }
  }

  @Test(arguments: [
    Data(), Data("not a font".utf8), Data([0, 1, 0, 0]), Data("OTTO".utf8),
    Data("%!PS-AdobeFont-1.0: X".utf8), Data("STARTFONT 2.1\n".utf8), Data("wOFF".utf8),
    Data(repeating: 0, count: 4096),
  ])
  func `a file that is not a font is rejected`(bytes: Data) throws {
    #expect(throws: LetteringError.self) { try Typeface(bytes) }
  }

  @Test(arguments: [
    (DeclaredFonts.latin, "AV", 300), (DeclaredFonts.devanagari, "क्षि", 300),
    (DeclaredFonts.emoji, "👩🏽‍🚀", 12),
  ])
  func `a damaged font never causes a crash`(name: String, text: String, count: Int) throws {
    let whole = try DeclaredFonts.bytes(name)
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of damaged fonts: \(seed)")
    var random = SeededRandom(seed: seed)
    // The table directory. Small tables matter most, so all tables are damaged equally often.
    let tables = Array(whole.prefix(12 + 16 * Int(whole[5])))
    for number in 0..<count {
      var bytes = whole
      if number % 4 == 0 {
        bytes = bytes.prefix(Int.random(in: 0..<whole.count, using: &random))
      } else {
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          // Selects a table, then a position near its start.
          let entry = 12 + 16 * Int.random(in: 0..<Int(whole[5]), using: &random)
          let offset = tables[(entry + 8)..<(entry + 12)].reduce(0) { $0 << 8 | Int($1) }
          let reach = number % 2 == 0 ? 64 : 4096
          let place = min(offset + Int.random(in: 0..<reach, using: &random), whole.count - 1)
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
      }
      use(bytes, text)
    }
  }
}
