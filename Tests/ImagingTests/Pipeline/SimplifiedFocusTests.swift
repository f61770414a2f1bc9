import Imaging
import Recipes
import TestSupport

/// One focus represents all that give the same crop.
struct SimplifiedFocusTests {
  private func images(
    _ bytes: [UInt8], _ size: PixelSize, _ boxes: [PixelSize], _ focus: Focus
  ) throws -> [Data] {
    try ImageMagick.start()
    var picture = try Picture(.raster(size), Data(bytes))
    return try boxes.map { box in
      let frame = Frame(base: boxes[0], box: box, fit: .fill, focus: focus)
      return try picture.rendered(
        Recipe(frame: frame, outline: .square, effects: [], encoding: Encoding(format: .png))
      ).bytes
    }
  }

  /// Compares rendered crops; all pixels of the picture differ.
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `a simplified focus gives the same crops`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let sides = [8, 9, 16, 24, 33, 48]
    func side() -> Int { sides[Int.random(in: sides.indices, using: &random)] }
    let size = PixelSize(width: side(), height: side())
    let box = PixelSize(width: side(), height: side())
    // A scale that rounds differently.
    let small = PixelSize(width: (box.width + 1) / 2, height: box.height / 2)
    let bytes = (0..<size.width * size.height).flatMap { (pixel: Int) -> [UInt8] in
      let green = UInt8(pixel / 251 * 40 % 256)
      return [UInt8(pixel % 251), green, UInt8(pixel * 7 % 256), 255]
    }
    for _ in 0..<8 {
      let focus = Focus(
        x: Double(Int.random(in: 0...20, using: &random)) / 20,
        y: Double(Int.random(in: 0...20, using: &random)) / 20)
      let simplified = focus.simplified(for: size, boxes: [box, small])
      #expect(simplified.simplified(for: size, boxes: [box, small]) == simplified, "seed \(seed)")
      #expect(
        try images(bytes, size, [box, small], focus)
          == images(bytes, size, [box, small], simplified), "seed \(seed): \(focus)")
    }
  }

  @Test func `an axis shown whole becomes the centre, a clamped focus the edge`() {
    let square = [PixelSize(width: 32, height: 32), PixelSize(width: 16, height: 16)]
    func simplified(_ width: Int, _ height: Int, _ x: Double, _ y: Double) -> Focus {
      Focus(x: x, y: y).simplified(for: PixelSize(width: width, height: height), boxes: square)
    }
    #expect(simplified(1000, 1000, 0, 0.9) == .center)
    // The crop shows half of the width, so a point left of a quarter cannot be centred.
    #expect(simplified(200, 100, 0.25, 0.9) == Focus(x: 0, y: 0.5))
    #expect(simplified(200, 100, 0.26, 0.9) == Focus(x: 0.26, y: 0.5))
    #expect(simplified(200, 100, 0.75, 0) == Focus(x: 1, y: 0.5))
    #expect(simplified(100, 200, 0.3, 0.74) == Focus(x: 0.5, y: 0.74))
    // Rounded scales may move along different axes.
    let odd = [PixelSize(width: 32, height: 31), PixelSize(width: 16, height: 16)]
    let near = Focus(x: 0.4, y: 0.4)
    #expect(near.simplified(for: PixelSize(width: 100, height: 100), boxes: odd).x == 0.5)
    #expect(near.simplified(for: PixelSize(width: 100, height: 100), boxes: odd).y != 0.5)
  }
}
