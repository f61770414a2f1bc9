import Foundation
import Recipes
import Samples
import Testing
import Workers

struct DrawingTests {
  @Test func `a viewer who obeys sees a picture that lies on its side upright`() {
    let rows: [[UInt8]] = [[1, 2, 3], [4, 5, 6]]
    let stored = Drawing(
      bytes: Data(rows.joined().flatMap { [$0, 0, 0, 255] }), size: PixelSize(width: 3, height: 2)
    ).lyingOnItsSide()
    #expect(stored.size == PixelSize(width: 2, height: 3))
    let values = stride(from: 0, to: 24, by: 4).map { stored.bytes[$0] }
    let lines = stride(from: 0, to: 6, by: 2).map { Array(values[$0..<$0 + 2]) }
    // A quarter turn clockwise: the first column, read upwards, becomes the first row.
    let shown = (0..<2).map { column in lines.reversed().map { $0[column] } }
    #expect(shown == rows)
  }

  @Test func `the mark is one block of EXIF after the start of the file`() {
    let marked = SamplePicture.marked(jpeg: Data([0xFF, 0xD8, 0xFF, 0xD9]))
    #expect(Array(marked.prefix(4)) == [0xFF, 0xD8, 0xFF, 0xE1])
    let length = Int(marked[4]) << 8 | Int(marked[5])
    #expect(Array(marked.dropFirst(4 + length)) == [0xFF, 0xD9])
    #expect(Array(marked[6..<12]) == Array("Exif\0\0".utf8))
  }

  @Test func `only a large picture has the noise of a photograph`() {
    func shades(_ size: PixelSize) -> Int {
      let bytes = Portrait(seed: 1).drawn(at: size).bytes
      return Set((0..<size.width).map { bytes[$0 * 4] }).count
    }
    #expect(shades(PixelSize(width: 1200, height: 4)) == 1)
    #expect(shades(PixelSize(width: 1201, height: 4)) > 3)
  }

  @Test func `what is asked of a worker is the picture itself`() throws {
    let drawing = Portrait(seed: 1).drawn(at: PixelSize(width: 9, height: 5))
    let request = drawing.request(as: .jpeg)
    let recipe = try #require(request.recipes.first)
    #expect(request.recipes.count == 1)
    #expect(recipe.frame.box == drawing.size && recipe.frame.base == drawing.size)
    #expect(recipe.outline == .square && recipe.effects.isEmpty)
    #expect(recipe.encoding == Encoding(format: .jpeg, quality: 85))
  }
}
