import Imaging
import Recipes
import TestSupport

enum OpenCVData {
  private static let path = "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt.xml"
  static let need = Need("opencv-data (script/bootstrap test)", file: path)
  static let detector = FileManager.default.contents(atPath: path)
}

@Suite(.needs(OpenCVData.need))
struct FaceFocusTests {
  private let resources: RenderResources

  init() throws { resources = RenderResources(["detector": try #require(OpenCVData.detector)]) }

  private func recipe(
    _ width: Int, _ height: Int? = nil, headRoom: Double = 0, smart: Bool = false,
    focus: Focus = .center
  ) -> Recipe {
    var recipe = Recipe.simple(width, height, focus: focus)
    recipe.frame.finder = .face(detector: "detector", headRoom: headRoom, isSmartOtherwise: smart)
    return recipe
  }

  private func found(_ pixels: Pixels, _ recipe: Recipe) throws -> FoundFocus {
    try ImageMagick.start()
    var picture = try Picture(.raster(pixels.size), Data(pixels.bytes), resources: resources)
    return try #require(try picture.rendered(recipe).metadata.focus)
  }

  @Test(arguments: [0, 40, 130, 260], [false, true])
  func `a face is centred in the crop`(place: Int, isQuick: Bool) throws {
    var recipe = recipe(100)
    recipe.frame.finder = .face(
      detector: "detector", headRoom: 0, isSmartOtherwise: false, isQuick: isQuick)
    let wide = Pixels.people(360, 120, [DrawnFace(x: place, y: 20, side: 80)])
    let across = try found(wide, recipe)
    #expect(across.method == .face)
    let start = max(0, min(across.focus.x * 360 - 60, 240))
    #expect(abs(start - max(0, min(Double(place) + 40 - 60, 240))) <= 5)

    let tall = Pixels.people(120, 360, [DrawnFace(x: 20, y: place, side: 80)])
    let down = try found(tall, recipe)
    #expect(down.method == .face)
    #expect(abs(max(0, min(down.focus.y * 360 - 60, 240)) - start) <= 5)
  }

  @Test func `pinning a detected face produces the same crop`() throws {
    let pixels = Pixels.people(300, 170, [DrawnFace(x: 190, y: 40, side: 90)])
    var picture = try Picture(.raster(pixels.size), Data(pixels.bytes), resources: resources)
    let image = try picture.rendered(recipe(64, headRoom: 0.3))
    let focus = try #require(image.metadata.focus).focus
    #expect(image.bytes == (try picture.rendered(.simple(64, focus: focus))).bytes)
  }

  @Test func `head room is kept if the picture is tall enough`() throws {
    func top(_ face: DrawnFace, _ headRoom: Double) throws -> Double {
      let pixels = Pixels.people(160, 320, [face])
      let focus = try found(pixels, recipe(80, headRoom: headRoom))
      #expect(focus.method == .face)
      return max(0, min(focus.focus.y * 320 - 80, 160))
    }
    let face = DrawnFace(x: 40, y: 120, side: 80)
    // The crop is centred: 40 pixels above the face, which is half the face's height.
    #expect(abs(try top(face, 0) - 80) <= 5)
    #expect(abs(try top(face, 0.3) - 80) <= 5)
    #expect(abs(try top(face, 0.8) - 56) <= 7)
    // The chin has priority over more head room.
    #expect(abs(try top(face, 5) - 40) <= 7)
    // There is not enough space above the head.
    #expect(try top(DrawnFace(x: 40, y: 10, side: 80), 2) == 0)
  }

  @Test func `a face takes precedence over detail`() throws {
    let face = DrawnFace(x: 20, y: 30, side: 80)
    var pixels = Pixels.people(400, 140, [face])
    for y in 0..<140 {
      for x in 280..<400 where (x / 9 + y / 9) % 2 == 0 {
        for channel in 0..<3 { pixels.bytes[(y * 400 + x) * 4 + channel] = 10 }
      }
    }
    var recipe = recipe(100)
    #expect(abs(try found(pixels, recipe).focus.x * 400 - 70) <= 12)
    recipe.frame.finder = .smart
    #expect(try found(pixels, recipe).focus.x * 400 > 250)
  }

  @Test func `the larger of two faces is chosen`() throws {
    let pixels = Pixels.people(
      400, 140, [DrawnFace(x: 30, y: 50, side: 55), DrawnFace(x: 270, y: 20, side: 100)])
    #expect(abs(try found(pixels, recipe(100)).focus.x * 400 - 320) <= 8)
  }

  @Test func `the fallback is used if no face is found`() throws {
    let empty = Pixels.people(300, 120, [])
    let focus = Focus(x: 0.2, y: 0.5)
    #expect(try found(empty, recipe(90, focus: focus)) == FoundFocus(focus: focus, method: .given))

    let corner = Pixels(width: 300, height: 100) { x, y in
      x > 240 && (x / 6 + y / 6) % 2 == 0 ? [20, 20, 20, 255] : [200, 200, 200, 255]
    }
    let smart = try found(corner, recipe(90, smart: true))
    #expect(smart.method == .smart)
    #expect(smart.focus.x > 0.7)
  }

  @Test(arguments: 1...8)
  func `a rotated file has the same focus`(orientation: Int) throws {
    let upright = Pixels.people(200, 330, [DrawnFace(x: 60, y: 190, side: 90)])
    let stored = upright.stored(orientation)
    var turned = try Picture(
      .encoded(Inspection(format: .png, size: stored.size, orientation: orientation), reduction: 1),
      try stored.encoded(as: "PNG"), resources: resources)
    let focus = try #require(try turned.rendered(recipe(80)).metadata.focus)
    let wanted = try found(upright, recipe(80))
    #expect(focus.method == .face)
    #expect(abs(focus.focus.x - wanted.focus.x) <= 1.0 / 128)
    #expect(abs(focus.focus.y - wanted.focus.y) <= 1.0 / 128)
  }
}
