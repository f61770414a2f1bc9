import Imaging
import Recipes
import TestSupport

struct ZoomTests {
  private func recipe(_ side: Int, base: Int? = nil, zoom: Double, focus: Focus = .center) -> Recipe
  {
    let whole = PixelSize(width: base ?? side, height: base ?? side)
    var recipe = Recipe.simple(side, base: whole, focus: focus)
    recipe.frame.zoom = zoom
    return recipe
  }

  /// The oracle cuts the pixels out by hand, and then scales them without a zoom.
  @Test(arguments: [(2.0, 0.5, 0.5, 400, 200), (2.5, 0, 1, 0, 480), (4, 0.95, 0.3, 1000, 140)])
  func `a zoomed crop surrounds the focus and stays inside the picture`(
    zoom: Double, x: Double, y: Double, left: Int, top: Int
  ) throws {
    let pixels = Pixels.scene(1200, 800)
    let length = Int(800 / zoom)
    var oracle = try Pixels(width: length, height: length) { pixels[left + $0, top + $1] }.picture()
    let inspection = Inspection(format: .jpeg, size: pixels.size)
    for file in [nil, try pixels.encoded(as: "JPEG", quality: 95)] {
      for (side, base) in [(40, 40), (40, 60), (99, 99)] {
        let recipe = recipe(side, base: base, zoom: zoom, focus: Focus(x: x, y: y))
        let reduction = inspection.reduction(for: recipe.frame)
        #expect(reduction == 1 || length >= reduction * base * 3 / 2)
        var picture =
          try file.map { try Picture(.encoded(inspection, reduction: reduction), $0) }
          ?? pixels.picture()
        let wanted = try oracle.rendered(.simple(side, base: PixelSize(width: base, height: base)))
        let image = try Pixels(try picture.rendered(recipe))
        // At its edges, a crop mixes in the pixels beside it.
        #expect(image.difference(to: try Pixels(wanted)) <= 6)
      }
    }
  }

  @Test(arguments: 1...8)
  func `a rotated file is zoomed like an upright one`(orientation: Int) throws {
    let (upright, stored) = (Pixels.scene(120, 90), Pixels.scene(120, 90).stored(orientation))
    var turned = try Picture(
      .encoded(Inspection(format: .png, size: stored.size, orientation: orientation), reduction: 1),
      try stored.encoded(as: "PNG"))
    var reference = try upright.picture()
    let recipe = recipe(30, zoom: 1.7, focus: Focus(x: 0.3, y: 0.8))
    let image = try Pixels(try turned.rendered(recipe))
    #expect(image.difference(to: try Pixels(try reference.rendered(recipe))) <= 1)
  }

  @Test func `zooming works with tiny pictures and with a smart focus`() throws {
    var tiny = try Pixels.solid(.sky, 2, 1).picture()
    #expect(try Pixels(try tiny.rendered(recipe(32, zoom: 4))) == .solid(.sky, 32, 32))
    var corner = try Pixels(width: 300, height: 200) { x, y in
      x > 240 && y > 150 && (x / 6 + y / 6) % 2 == 0 ? [20, 20, 20, 255] : [200, 200, 200, 255]
    }.picture()
    var smart = recipe(50, zoom: 2)
    smart.frame.finder = .smart
    let found = try #require(try corner.rendered(smart).metadata.focus)
    #expect(found.focus.x > 0.75 && found.focus.y > 0.7)
  }
}

@Suite(.needs(OpenCVData.need))
struct FaceZoomTests {
  private let resources: RenderResources

  init() throws {
    resources = RenderResources(["detector": try #require(OpenCVData.detector)])
    try ImageMagick.start()
  }

  private func recipe(
    _ side: Int, base: Int? = nil, zooms: Bool? = true, isQuick: Bool? = nil
  ) -> Recipe {
    var recipe = Recipe.simple(side, base: PixelSize(width: base ?? side, height: base ?? side))
    recipe.frame.finder = .face(
      detector: "detector", headRoom: 0.3, isSmartOtherwise: false, isQuick: isQuick, zooms: zooms)
    return recipe
  }

  private func found(_ pixels: Pixels, _ recipe: Recipe) throws -> FoundFocus {
    var picture = try Picture(.raster(pixels.size), Data(pixels.bytes), resources: resources)
    return try #require(try picture.rendered(recipe).metadata.focus)
  }

  @Test func `the crop zooms in on a small face but never enlarges the picture`() throws {
    let small = Pixels.people(300, 300, [DrawnFace(x: 50, y: 60, side: 70)])
    let focus = try found(small, recipe(100))
    #expect(focus.method == .face && (1.2...1.8).contains(focus.zoom))
    // The crop contains the whole head, which is at 50 to 120 and 60 to 130.
    let side = 300 / focus.zoom
    let left = max(0, min(focus.focus.x * 300 - side / 2, 300 - side))
    let top = max(0, min(focus.focus.y * 300 - side / 2, 300 - side))
    #expect(left < 40 && left + side > 130 && top < 40 && top + side > 145)

    for (side, zoom) in [(240, 1.25), (280, 1), (400, 1)] {
      #expect(try found(small, recipe(side)).zoom == zoom)
    }
    // The quick search skips pictures that need no cropping.
    #expect(try found(small, recipe(100, isQuick: true)).method == .given)
    let tiny = Pixels.people(300, 300, [DrawnFace(x: 150, y: 160, side: 36)])
    #expect(try found(tiny, recipe(40)).zoom == 2.5)
  }

  @Test func `pictures without exactly one small face are not zoomed`() throws {
    let large = Pixels.people(300, 300, [DrawnFace(x: 60, y: 60, side: 180)])
    #expect(try found(large, recipe(60)).zoom == 1)
    let faces = [DrawnFace(x: 30, y: 60, side: 60), DrawnFace(x: 190, y: 60, side: 70)]
    #expect(try found(.people(300, 300, faces), recipe(60)).zoom == 1)
    let none = try found(.people(300, 300, []), recipe(60))
    #expect(none == FoundFocus(focus: .center, method: .given))
    for zoom in [nil, 1.6] {
      var recipe = recipe(40, zooms: nil)
      recipe.frame.zoom = zoom
      #expect(try found(.people(300, 300, [faces[0]]), recipe).zoom == 1)
    }
  }

  /// The face is found in a reduced decode, but the crop needs a larger one.
  @Test func `an automatic zoom renders the same pixels as an equal fixed zoom`() throws {
    let pixels = Pixels.people(900, 960, [DrawnFace(x: 250, y: 300, side: 150)])
    let file = try pixels.encoded(as: "JPEG", quality: 95)
    let inspection = Inspection(format: .jpeg, size: pixels.size)
    var picture = try Picture(.encoded(inspection, reduction: 8), file, resources: resources)
    for base in [70, 48] {
      let found = try #require(try picture.rendered(recipe(base)).metadata.focus)
      #expect(found.zoom > 1.5)
      for side in [base, base / 2] {
        let whole = PixelSize(width: base, height: base)
        var pinned = Recipe.simple(side, base: whole, focus: found.focus)
        pinned.frame.zoom = found.zoom
        let reduction = inspection.reduction(for: pinned.frame)
        #expect(reduction < 8)
        var other = try Picture(.encoded(inspection, reduction: reduction), file)
        let image = try picture.rendered(recipe(side, base: base))
        #expect(try other.rendered(pinned).bytes == image.bytes)
      }
    }
  }
}
