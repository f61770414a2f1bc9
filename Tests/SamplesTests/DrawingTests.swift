import Foundation
import Recipes
import Samples
import Testing
import Workers

struct DrawingTests {
  @Test func `an enlarged drawing keeps its colours within the grain`() {
    let small = Drawing(
      bytes: Data((0..<16).flatMap { _ in [100, 150, 200, 255] as [UInt8] }),
      size: PixelSize(width: 4, height: 4))
    let large = small.enlarged(to: PixelSize(width: 33, height: 21), seed: 1)
    #expect(large.size == PixelSize(width: 33, height: 21))
    for index in stride(from: 0, to: large.bytes.count, by: 4) {
      #expect(abs(Int(large.bytes[index]) - 100) <= 5)
      #expect(abs(Int(large.bytes[index + 1]) - 150) <= 5)
      #expect(abs(Int(large.bytes[index + 2]) - 200) <= 5)
      #expect(large.bytes[index + 3] == 255)
    }
    #expect(Set(stride(from: 0, to: large.bytes.count, by: 4).map { large.bytes[$0] }).count > 3)
  }

  @Test func `a drawing of the right size stays as it is`() {
    let drawing = Portrait(seed: 1).drawn(at: PixelSize(width: 8, height: 8))
    #expect(drawing.enlarged(to: drawing.size, seed: 1) == drawing)
  }

  @Test func `what is asked of a worker is the picture itself`() throws {
    let drawing = Portrait(seed: 1).drawn(at: PixelSize(width: 9, height: 5))
    let request = PictureEncoder.request(drawing, as: .jpeg, quality: 85)
    let recipe = try #require(request.recipes.first)
    #expect(request.recipes.count == 1)
    #expect(recipe.frame.box == drawing.size && recipe.frame.base == drawing.size)
    #expect(recipe.outline == .square && recipe.effects.isEmpty)
    #expect(recipe.encoding == Encoding(format: .jpeg, quality: 85))
  }
}
