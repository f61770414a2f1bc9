import SiteSupport

struct NinePatchTests {
  private func button(radius: Double, border: Double, color: Color? = nil) -> ButtonStyle {
    let edge = Color(red: 255, green: 200, blue: 0, alpha: 160)
    var button = ButtonStyle(
      name: "b",
      light: .init(
        normal: Color(red: 10, green: 132, blue: 255, alpha: 220),
        highlighted: Color(red: 0, green: 0, blue: 0)),
      declared: Located(FileLocation(file: "manifest.yaml"), path: "buttons[0]"))
    button.radius = radius
    if border > 0 { button.border = ButtonStyle.Edge(width: border, color: color ?? edge) }
    return button
  }

  private func pixels(_ recipe: Recipe, of color: Color) throws -> Pixels {
    ImagingRuntime.allowDecoding()
    try ImagingRuntime.start()
    var picture = try Picture(.color(color))
    return try Pixels(png: try picture.rendered(recipe).bytes)
  }

  /// B11: a nine-patch of 2c + 3 pixels, stretched to any size, matches the button drawn directly.
  @Test(
    arguments: Extent.isAll ? [0, 0.3, 1, 3.3, 4.5, 8, 10, 12.3, 24] : [0, 3.3, 8],
    ButtonStyle.densities.map(\.key))
  func `a stretched nine-patch matches the drawn button`(radius: Double, density: String) throws {
    for border in [0, 0.5, 1, 2.3, 4] where radius > 0 || border > 0 {
      let button = button(radius: radius, border: border)
      let patches = button.ninePatches.filter { $0.density == density }.map(\.bitmap)
      let scale = try #require(patches.first).scale
      let cap = Int((max(radius, border) * scale).rounded(.up))
      let inside = Int((border * scale).rounded(.up))
      #expect(patches.map(\.state) == [.normal, .highlighted])
      for (patch, color) in zip(patches, button.light.states.map(\.color)) {
        let file = try NinePatchFile(try pixels(patch.siteImage.recipe, of: color))
        #expect(file.width == 2 * cap + 1 && file.height == 2 * cap + 1)
        #expect(file.columns == [cap..<cap + 1] && file.rows == [cap..<cap + 1])
        let content = inside..<2 * cap + 1 - inside
        #expect(file.contentColumns == content && file.contentRows == content)
        for (width, height) in [(90, 60), (50, 50)] {
          let size = PixelSize(
            width: Int(Double(width) * scale), height: Int(Double(height) * scale))
          let direct = try pixels(button.recipe(size: size, scale: scale), of: color)
          #expect(
            try file.stretched(width: size.width, height: size.height) == direct.bytes,
            "border \(border), \(size)")
        }
      }
    }
  }

  @Test func `an invisible border does not shrink the content area`() throws {
    let button = button(radius: 6, border: 3, color: Color(red: 9, green: 9, blue: 9, alpha: 0))
    let patch = try #require(button.ninePatches.first).bitmap
    let file = try NinePatchFile(try pixels(patch.siteImage.recipe, of: button.light.normal))
    #expect(file.contentColumns == 0..<file.width)
  }

  @Test func `a plain button does not get a nine-patch`() {
    #expect(button(radius: 0, border: 0).ninePatches.isEmpty)
  }

  @Test func `the test reader rejects everything that Android rejects`() throws {
    func read(_ paint: @escaping TestPicture.Paint) throws {
      let file = TestPicture.png(width: 5, height: 5, pixel: paint)
      _ = try NinePatchFile(file)
    }
    let line = TestPicture.Pixel.black
    func sound(_ x: Int, _ y: Int) -> TestPicture.Pixel {
      let isFrame = x == 0 || y == 0 || x == 4 || y == 4
      return isFrame ? ((x == 2) != (y == 2) ? line : .clear) : .red
    }
    try read(sound)
    for (x, y) in [(0, 0), (4, 4)] {
      #expect(throws: NinePatchFile.Broken.self) {
        try read { $0 == x && $1 == y ? line : sound($0, $1) }
      }
    }
    #expect(throws: NinePatchFile.Broken.self) {
      try read { $0 == 2 && $1 == 0 ? .init(0, 0, 0, 254) : sound($0, $1) }
    }
    #expect(throws: NinePatchFile.Broken.self) {
      try read { $0 == 2 && $1 == 0 ? .clear : sound($0, $1) }
    }
  }
}
