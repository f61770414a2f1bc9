import SiteSupport

struct StyleOptionBuildTests {
  /// Writes a picture whose thirds are red, green and blue.
  private func stripes(_ site: TestSite, _ name: String = "a.png") throws {
    try site.put(
      TestPicture.png(width: 48, height: 16) { x, _ in x < 16 ? .red : x < 32 ? .green : .blue },
      at: name)
  }

  @Test func `a pinned focus point affects only its user`() throws {
    let site = try TestSite()
    try stripes(site)
    try site.write([
      Person("a", "a.png"), Person("b", "a.png", focus: ["left"]),
      Person("c", "a.png", focus: ["100%", "50%"]), Person("d", "a.png", focus: ["center"]),
    ])
    // The option is also accepted as a plain string instead of a list.
    let text = try site.folder.text(of: site.manifest)
      .replacing("[\"left\"]", with: "left").replacing("[\"center\"]", with: "center")
    try site.folder.write(text, to: site.manifest)
    let counters = try site.build().report.counters
    #expect(counters.decodes == 1 && counters.renders == 3)
    #expect(try site.pixels(of: "a").center == [0, 255, 0, 255])
    #expect(try site.pixels(of: "b").center == [255, 0, 0, 255])
    #expect(try site.pixels(of: "c").center == [0, 0, 255, 255])
    #expect(try site.image(of: "d").path == site.image(of: "a").path)
    #expect(site.assetFiles().count == 3)
    #expect(try site.build().report.counters.renders == 0)
  }

  @Test func `a shadow strip is written at 1x, 2x and 3x`() throws {
    let site = try TestSite()
    try site.write([Person("a")], more: "strips: [{ name: edge, color: black, radius: 2 }]")
    try site.build()
    let strip = try #require(site.assets().strips?["edge"])
    #expect(strip.map(\.scale) == [1, 2, 3])
    #expect(strip.map(\.width) == [1, 1, 1])
    #expect(strip.map(\.height) == [1, 2, 3].map { strip[0].height * $0 })
  }

  /// G10: the canvas grows around the box; the margins are in assets.json and on the pages.
  @Test func `the margins around the box are published`() throws {
    let site = try TestSite()
    try site.paint("a.png", .red)
    try site.write(
      [Person("a", "a.png"), Person("b")],
      styles: [
        "name: small, size: 16, scales: [1, 2], shape: square, formats: [png], "
          + "shadow: { color: \"#0008\", radius: 1, offset: [1, 2] }",
        "name: plain, size: 16, scales: [1], formats: [png]",
      ], more: "pages: { show: [small, plain] }")
    try site.build()
    // The margins are three radii, moved right by 1 and down by 2.
    let inset = AssetsFile.Inset(top: 1, right: 4, bottom: 5, left: 2)
    for scale in [1.0, 2] {
      let image = try site.image(of: "a", scale: scale)
      #expect(image.inset == inset)
      #expect(image.width == Int(22 * scale) && image.height == Int(22 * scale))
      let pixels = try site.pixels(of: "a", scale: scale)
      let (left, top) = (Int(2 * scale), Int(1 * scale))
      let side = Int(16 * scale)
      for (x, y) in [(left, top), (left + side - 1, top + side - 1)] {
        #expect(pixels[x, y] == [255, 0, 0, 255])
      }
      #expect(pixels[left - 1, top][3] < 255 && pixels[left + side, top][3] < 255)
    }
    #expect(try site.image(of: "a", "plain").inset == nil)
    let page = HTMLPage(try site.text("index.html"))
    #expect(page.tags("img").map { $0["width"] } == ["22", "16"])
    #expect(page.tags("img").map { $0["height"] } == ["22", "16"])
    #expect(page.tags("svg").compactMap { $0["width"] } == ["22", "16"])
    try expect(
      site.text("avatars.css"),
      equals: """
        .avatar-small {
          width: 22px;
          height: 22px;
          margin: -1px -4px -5px -2px;
        }

        .avatar-plain {
          width: 16px;
          height: 16px;
        }

        .shape-plain {
          border-radius: 50%;
          outline: 1px solid var(--hairline, #00000014);
          outline-offset: -1px;
        }


        """)
  }

  /// C10: the whole canvas is filled with white, and then with the background.
  @Test func `an opaque style fills the whole canvas`() throws {
    let site = try TestSite()
    try site.put(TestPicture.png(width: 8, height: 8) { _, _ in .clear }, at: "a.png")
    let ring = "border: { color: blue, mode: outside, gap: 2 }"
    try site.write(
      [Person("a", "a.png")],
      styles: [
        "name: small, size: 16, scales: [1], formats: [png], opaque: true, "
          + "background: \"rgba(255, 0, 0, 0.5)\", \(ring)",
        "name: white, size: 16, scales: [1], formats: [png], opaque: true, \(ring)",
      ])
    try site.build()
    let pixels = try site.pixels(of: "a")
    #expect(pixels.width == 22)
    for pixel in [pixels.center, pixels[0, 0], pixels[21, 21]] {
      #expect(pixel[0] == 255 && abs(Int(pixel[1]) - 128) <= 1 && pixel[3] == 255)
      #expect(pixel[1] == pixel[2])
    }
    let white = try site.pixels(of: "a", "white")
    #expect(white[0, 0] == [255, 255, 255, 255] && white.center == [255, 255, 255, 255])
  }

  @Test func `the fallback is used if all other sources fail`() throws {
    let site = try TestSite()
    try site.paint("last.png", .green)
    try site.paint("own.png", .blue)
    try site.put(Array("no picture".utf8), at: "broken.png")
    try site.write(
      [
        Person("a", "broken.png"), Person("b"), Person("c", background: "#ff0000"),
        Person("d", "own.png"), Person("e", "broken.png", background: "#ff0000"),
      ], more: "fallback: [missing.png, last.png]")
    #expect(try site.build().exitStatus == 0)
    let green: [UInt8] = [0, 255, 0, 255]
    for id in ["a", "b", "e"] { #expect(try site.pixels(of: id).center == green, "\(id)") }
    #expect(try site.pixels(of: "c").center == [255, 0, 0, 255])
    #expect(try site.pixels(of: "d").center == [0, 0, 255, 255])
    let users = try site.assets().users
    #expect(["a", "b", "c", "d"].map { users[$0]?.sourceIndex } == [2, 1, 0, 0])
    #expect(users["a"]?.status == "ok" && users["b"]?.status == "ok")
  }

  @Test func `invalid detector data is rejected`() throws {
    let site = try TestSite()
    try site.paint("a.png", .red)
    try site.write(
      [Person("a", "a.png")],
      styles: ["name: small, size: 16, scales: [1], formats: [png], focus: face"])
    try site.folder.write("<opencv_storage><other/></opencv_storage>", to: "data.xml")
    let path = site.folder.path(of: "data.xml")
    for isCheck in [true, false] {
      var options = site.options()
      options.faceDetector = path
      let result = try isCheck ? Build(options).check() : Build(options).run()
      #expect(result.diagnostics.sorted.map(\.id) == ["no-face-detector"])
    }
  }

  @Test func `a missing face detector causes a warning if a style needs it`() throws {
    var style = AvatarStyle(declared: Located(FileLocation(file: "m.yaml"), path: "avatars[2]"))
    #expect(style.diagnostic(with: StyleResources()) == nil)
    style.finder = .face(headRoom: 0.3, isSmartOtherwise: true)
    let diagnostic = try #require(style.diagnostic(with: StyleResources()))
    #expect(diagnostic.severity == .warning && diagnostic.id == "no-face-detector")
    #expect(diagnostic.path == "avatars[2].focus")
    #expect(try #require(diagnostic.help).contains("install the package"))
    #expect(diagnostic.message.hasSuffix("`smart` is used instead"))
    #expect(style.diagnostic(with: StyleResources(detector: "d")) == nil)
    style.finder = .quickFace
    #expect(
      style.diagnostic(with: StyleResources())?.message
        == "face detection is off; the centre is used instead")
    style.fit = .contain
    #expect(style.diagnostic(with: StyleResources()) == nil)
  }
}
