import Foundation
import Recipes
import Samples
import Testing

struct PortraitTests {
  private func alpha(_ drawing: Drawing, _ x: Int, _ y: Int) -> UInt8 {
    drawing.bytes[(y * drawing.size.width + x) * 4 + 3]
  }

  @Test func `the same seed draws the same person`() {
    let size = PixelSize(width: 90, height: 120)
    #expect(Portrait(seed: 5).drawn(at: size) == Portrait(seed: 5).drawn(at: size))
    #expect(Portrait(seed: 5).drawn(at: size) != Portrait(seed: 6).drawn(at: size))
  }

  @Test func `two hundred seeds draw two hundred people`() {
    let size = PixelSize(width: 32, height: 32)
    let drawings = Set((0..<200 as Range<UInt64>).map { Portrait(seed: $0).drawn(at: size) })
    #expect(drawings.count == 200)
  }

  @Test(arguments: Portrait.Hair.allCases)
  func `every haircut is drawn within a tiny picture and a wide one`(hair: Portrait.Hair) {
    var portrait = Portrait(seed: 2)
    portrait.hair = hair
    for size in [(1, 1), (7, 3), (3, 40), (200, 20)].map(PixelSize.init) {
      #expect(portrait.drawn(at: size).bytes.count == size.width * size.height * 4)
    }
  }

  @Test func `a backdrop fills the picture and its absence leaves the corners free`() {
    let size = PixelSize(width: 60, height: 60)
    let full = Portrait(seed: 3).drawn(at: size)
    let free = Portrait(seed: 3).drawn(at: size, isTransparent: true)
    for y in 0..<60 {
      for x in 0..<60 { #expect(alpha(full, x, y) == 255) }
    }
    #expect(alpha(free, 0, 0) == 0 && alpha(free, 59, 0) == 0)
    #expect(alpha(free, 30, 30) == 255)
  }

  @Test func `a person stands in the middle of a landscape and of a tall picture`() {
    for size in [PixelSize(width: 200, height: 80), PixelSize(width: 80, height: 200)] {
      let drawing = Portrait(seed: 9).drawn(at: size, isTransparent: true)
      var columns = Set<Int>()
      for y in 0..<size.height {
        for x in 0..<size.width where alpha(drawing, x, y) > 128 { columns.insert(x) }
      }
      let middle = ((columns.min() ?? 0) + (columns.max() ?? 0)) / 2
      #expect(abs(middle - size.width / 2) < size.shorterSide / 8)
    }
  }
}
