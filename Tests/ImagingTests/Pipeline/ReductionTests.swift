import Foundation
import Imaging
import Recipes
import Testing

struct ReductionTests {
  private static func frame(_ side: Int, base: Int = 192, fit: Fit = .fill) -> Frame {
    Frame(
      base: PixelSize(width: base, height: base), box: PixelSize(width: side, height: side),
      fit: fit)
  }

  @Test(arguments: [
    (400, 400, 1), (575, 900, 1), (576, 576, 2), (576, 4000, 2), (1151, 1151, 2), (1152, 1300, 4),
    (2303, 2303, 4), (2304, 2304, 8), (9000, 9000, 8), (191, 100, 1),
  ])
  func `a reduced decode is at least 1.5 times the base size`(w: Int, h: Int, reduction: Int) {
    let inspection = Inspection(format: .jpeg, size: PixelSize(width: w, height: h))
    for side in [64, 128, 192] { #expect(inspection.reduction(for: Self.frame(side)) == reduction) }
  }

  @Test func `for every fit, the reduction depends on the drawn size`() {
    let inspection = Inspection(format: .jpeg, size: PixelSize(width: 1200, height: 300))
    #expect(inspection.reduction(for: Self.frame(192, fit: .contain)) == 4)
    #expect(inspection.reduction(for: Self.frame(192, fit: .fill)) == 1)
    #expect(inspection.reduction(for: Self.frame(192, fit: .stretch)) == 1)
  }

  @Test func `a rotated picture is measured upright`() {
    let frame = Frame(
      base: PixelSize(width: 100, height: 300), box: PixelSize(width: 100, height: 300),
      fit: .stretch)
    let size = PixelSize(width: 1000, height: 400)
    #expect(Inspection(format: .jpeg, size: size, orientation: 6).reduction(for: frame) == 2)
    #expect(Inspection(format: .jpeg, size: size, orientation: 1).reduction(for: frame) == 1)
  }

  @Test(arguments: [Inspection.Format.png, .webp, .gif, .avif, .heic])
  func `only a JPEG can be decoded at a reduced size`(format: Inspection.Format) {
    let inspection = Inspection(format: format, size: PixelSize(width: 9000, height: 9000))
    #expect(inspection.reduction(for: Self.frame(64)) == 1)
  }

  /// These sizes are not multiples of a block, so the last decoded pixels are padding.
  @Test(arguments: [
    (2311, 2309, [769: 2, 384: 4, 192: 8]), (1153, 1160, [384: 2, 192: 4, 96: 8]),
    (700, 577, [192: 2, 96: 4, 48: 8]),
  ])
  func `a reduced decode looks like the full one`(w: Int, h: Int, bases: [Int: Int]) throws {
    let pixels = Pixels.scene(w, h)
    let bytes = try pixels.encoded(as: "JPEG", quality: 95)
    let inspection = Inspection(format: .jpeg, size: pixels.size)
    var whole = try pixels.picture()
    for (base, reduction) in bases {
      let recipe = Recipe.simple(base)
      #expect(inspection.reduction(for: recipe.frame) == reduction)
      var reduced = try Picture(.encoded(inspection, reduction: reduction), bytes)
      let image = try Pixels(try reduced.rendered(recipe))
      #expect(image.difference(to: try Pixels(try whole.rendered(recipe))) <= 6)
    }
  }
}
