import Foundation
import Imaging
import Recipes
import Testing

struct SmartFocusTests {
  private func wall(_ width: Int, _ height: Int, patch: (x: Int, y: Int), side: Int = 60) -> Pixels
  {
    Pixels(width: width, height: height) { x, y in
      let (u, v) = (x - patch.x, y - patch.y)
      guard (0..<side).contains(u), (0..<side).contains(v) else { return [150, 160, 170, 255] }
      return (u / 8 + v / 8) % 2 == 0 ? [30, 30, 60, 255] : [220, 230, 240, 255]
    }
  }

  private func smart(_ side: Int, _ focus: Focus = .center) -> Recipe {
    var recipe = Recipe.simple(side, focus: focus)
    recipe.frame.finder = .smart
    return recipe
  }

  @Test(arguments: [10, 70, 150, 230])
  func `the most detailed area is centred in the crop`(place: Int) throws {
    var wide = try wall(300, 100, patch: (place, 20)).picture()
    let found = try #require(try wide.rendered(smart(100)).metadata.focus)
    #expect(found.method == .smart)
    let start = max(0, min(found.focus.x * 300 - 50, 200))
    #expect(abs(start - max(0, min(Double(place) - 20, 200))) <= 4)

    var tall = try wall(100, 300, patch: (20, place)).picture()
    let lower = try #require(try tall.rendered(smart(100)).metadata.focus)
    #expect(abs(lower.focus.y - found.focus.x) <= 0.01)
  }

  @Test func `pinning a detected focus produces the same crop`() throws {
    for (index, place) in stride(from: 0, through: 200, by: 18).enumerated() {
      let (width, height) = index % 2 == 0 ? (260, 100) : (90, 251)
      var picture = try wall(
        width, height, patch: width > height ? (place, 10) : (10, place), side: 50
      ).picture()
      let image = try picture.rendered(smart(64))
      let found = try #require(image.metadata.focus)
      let pinned = try picture.rendered(.simple(64, focus: found.focus))
      #expect(image.bytes == pinned.bytes, "a patch at \(place) of \(width) × \(height)")
      #expect((found.focus.x * 1000).rounded() / 1000 == found.focus.x)
    }
  }

  @Test func `skin tones have more weight than other plain colours`() throws {
    let people = Pixels(width: 300, height: 100) { x, y in
      let (left, right) = (
        hypot(Double(x - 60), Double(y - 50)), hypot(Double(x - 240), Double(y - 50))
      )
      if left < 30 { return [150, 165, 215, 255] }
      return right < 30 ? [224, 172, 140, 255] : [190, 190, 190, 255]
    }
    var picture = try people.picture()
    let found = try #require(try picture.rendered(smart(100)).metadata.focus)
    #expect(found.method == .smart)
    #expect(abs(found.focus.x * 300 - 240) < 20)
  }

  @Test func `invisible colours do not affect the focus`() throws {
    let sticker = Pixels(width: 300, height: 100) { x, y in
      if x < 150 { return [(x / 8 + y / 8) % 2 == 0 ? 0 : 255, 0, 0, 0] }
      return hypot(Double(x - 230), Double(y - 50)) < 30 ? [90, 90, 90, 255] : [0, 0, 0, 0]
    }
    var picture = try sticker.picture()
    let found = try #require(try picture.rendered(smart(100)).metadata.focus)
    #expect(abs(found.focus.x * 300 - 230) < 5)
  }

  @Test func `a uniform picture keeps the given focus`() throws {
    let weave = Pixels(width: 300, height: 100) { x, y in
      (x / 7 + y / 5) % 2 == 0 ? [180, 160, 150, 255] : [90, 100, 110, 255]
    }
    for pixels in [Pixels.solid(.sky, 300, 100), weave] {
      for focus in [Focus.center, Focus(x: 0.3, y: 0.5), Focus(x: 0, y: 0.9)] {
        var picture = try pixels.picture()
        let image = try picture.rendered(smart(50, focus))
        #expect(image.metadata.focus == FoundFocus(focus: focus, method: .given))
        #expect(image.bytes == (try picture.rendered(.simple(50, focus: focus))).bytes)
      }
    }
  }

  @Test func `detection is skipped if the crop shows the whole picture`() throws {
    var picture = try wall(100, 100, patch: (0, 0)).picture()
    let focus = Focus(x: 0.25, y: 0.75)
    let image = try picture.rendered(smart(64, focus))
    #expect(image.metadata.focus == FoundFocus(focus: focus, method: .given))
  }

  /// G35: a 100×400 source shows its top quarter.
  @Test func `a tall picture shows its top, and a wide one its middle`() throws {
    let colors: [[UInt8]] = [
      [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [9, 9, 9, 255], [200, 200, 0, 255],
    ]
    var tall = try Pixels(width: 100, height: 400) { _, y in colors[y / 100] }.picture()
    let top = try tall.rendered(smart(100))
    #expect(try Pixels(top) == .solid(.ruby, 100, 100))
    #expect(top.metadata.focus == FoundFocus(focus: Focus(x: 0.5, y: 0.125), method: .smart))

    var wide = try Pixels(width: 500, height: 100) { x, _ in colors[x / 100] }.picture()
    let middle = try Pixels(try wide.rendered(smart(100, Focus(x: 0, y: 0))))
    #expect(middle == Pixels(width: 100, height: 100) { _, _ in colors[2] })
  }

  @Test func `all scales show the same part, and only the largest reports the focus`() throws {
    var picture = try wall(300, 100, patch: (220, 20)).picture()
    let large = try picture.rendered(smart(99))
    let found = try #require(large.metadata.focus)
    for side in [33, 66] {
      var recipe = smart(side)
      recipe.frame.base = PixelSize(width: 99, height: 99)
      let image = try picture.rendered(recipe)
      #expect(image.metadata.focus == nil)
      recipe.frame.finder = nil
      recipe.frame.focus = found.focus
      #expect(image.bytes == (try picture.rendered(recipe)).bytes)
    }
  }

  @Test(arguments: 1...8)
  func `a rotated file has the same focus`(orientation: Int) throws {
    for upright in [wall(300, 170, patch: (205, 90)), wall(140, 310, patch: (40, 30))] {
      var straight = try upright.picture()
      let stored = upright.stored(orientation)
      var turned = try Picture(
        .encoded(
          Inspection(format: .png, size: stored.size, orientation: orientation), reduction: 1),
        try stored.encoded(as: "PNG"))
      let wanted = try #require(try straight.rendered(smart(80)).metadata.focus)
      let found = try #require(try turned.rendered(smart(80)).metadata.focus)
      #expect(found.method == .smart)
      #expect(abs(found.focus.x - wanted.focus.x) <= 1.0 / 96)
      #expect(abs(found.focus.y - wanted.focus.y) <= 1.0 / 96)
    }
  }

  @Test func `a reduced decode finds the same focus`() throws {
    let pixels = wall(800, 450, patch: (480, 150), side: 100)
    let file = try pixels.encoded(as: "JPEG", quality: 90)
    let inspection = Inspection(format: .jpeg, size: pixels.size)
    let found = try [20, 75, 350].map { side in
      let recipe = smart(side)
      var picture = try Picture(
        .encoded(inspection, reduction: inspection.reduction(for: recipe.frame)), file)
      return try #require(try picture.rendered(recipe).metadata.focus).focus.x
    }
    for x in found { #expect(abs(x - 530.0 / 800) <= 0.03) }
  }
}

extension Pixels {
  /// Returns the stored pixels of this picture for an EXIF orientation.
  func stored(_ orientation: Int) -> Pixels {
    let sideways = orientation >= 5
    return Pixels(width: sideways ? height : width, height: sideways ? width : height) { c, r in
      // The upright position of the stored column c and row r.
      let (x, y) = sideways ? (r, c) : (c, r)
      return self[
        [2, 3, 6, 7].contains(orientation) ? width - 1 - x : x,
        [3, 4, 7, 8].contains(orientation) ? height - 1 - y : y]
    }
  }
}
