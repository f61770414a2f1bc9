import SiteSupport

struct SpriteBuildTests {
  private static let export = "exports: [sprites]"
  private static let two = "name: small, size: 16, scales: [1, 2], formats: [webp, png]"

  private func site(_ people: [Person], styles: [String] = [two]) throws -> TestSite {
    let site = try TestSite()
    try site.write(people, styles: styles, more: Self.export)
    return site
  }

  private static func color(_ number: Int) -> String {
    let hex = String(number + 0x100000, radix: 16)
    return "color:#\(hex)"
  }

  /// G19: each sprite matches its standalone file, and the gutters are transparent.
  @Test(arguments: Extent.seeds(3, all: 23))
  func `each sprite matches its image file`(seed: UInt64) throws {
    var styles = RandomStyle(seed: seed &* 77)
    var pictures = RandomPicture(seed: seed)
    let site = try TestSite()
    var people: [Person] = []
    for number in 0..<6 {
      try site.put(pictures.file(), at: "\(number).bin")
      people.append(Person("user-\(number)", "\(number).bin"))
    }
    people += [
      Person("drawn", name: "Ada Lovelace", "initials"), Person("plain", "color:#12345680"),
      Person("icon", "identicon"), Person("again", "0.bin"), Person("none"),
    ]
    let all = (0..<3).map { number in
      "name: style-\(number), " + styles.keys()
    }
    try site.write(
      people,
      styles: all + [
        "name: odd, size: [13.5, 9], scales: [1, 1.5, 2], formats: [png]",
        "name: rough, size: 21, scales: [0.5, 1.33, 2.7], shadow: { radius: 3 }, formats: [png]",
      ], more: Self.export)
    let result = try site.build(jobs: 2)
    #expect(result.exitStatus == 0)
    try site.checkSprites()
    let sprites = try site.sprites()
    #expect(sprites.users.keys.sorted().contains("drawn") && sprites.users["none"] == nil)
    #expect(Set(sprites.styles.keys).isSuperset(of: ["odd", "rough"]))
    for (id, user) in try site.assets().users {
      let exported = user.avatars.filter { $0.value.contains { $0.format == "png" } }.keys
      #expect(Set(exported) == Set(sprites.users[id, default: [:]].keys), "\(id)")
    }
    let counters = try site.build().report.counters
    #expect(counters.renders == 0 && counters.written == 0)
  }

  @Test func `sheets are split the same way at every scale`() throws {
    // 2 + 2 × 1202 points are 3609 pixels at 1.5, so a sheet holds 2 × 2 pictures.
    let site = try site(
      (0..<5).map { Person("user-\($0)", Self.color($0)) },
      styles: ["name: large, size: 1200, scales: [1, 1.5], shape: square, formats: [png]"])
    try site.build(jobs: 2)
    try site.checkSprites()
    let sprites = try site.sprites()
    let large = try #require(sprites.styles["large"])
    #expect(large.width == 1_200 && large.height == 1_200)
    #expect(large.sheets.map(\.sheet) == [0, 0, 1, 1])
    #expect(large.sheets.map(\.scale) == [1, 1.5, 1, 1.5])
    let sprite = try #require(sprites.users["user-3"]?["large"])
    #expect(sprite.sheet == 0)
    #expect(sprite.frames.map(\.x) == [1_204, 1_806] && sprite.frames.map(\.y) == [1_204, 1_806])
    #expect(sprites.users["user-4"]?["large"]?.sheet == 1)
    #expect(Set(large.sheets.filter { $0.scale == 1.5 }.map(\.width)) == [3_609])
    #expect(large.sheets.map(\.height).suffix(2) == [1_204, 1_806])
  }

  /// A sheet holds 64 × 64 small pictures, so there are more users than fit in one sheet.
  @Test(.onlyInAll) func `thousands of small pictures are split across several sheets`() throws {
    let site = try site(
      (0..<4_100).map { Person("u\($0)", Self.color($0)) },
      styles: ["name: dot, size: 1, scales: [1], shape: square, formats: [png]"])
    try site.build(jobs: 2)
    let sheets = try #require(try site.sprites().styles["dot"]).sheets
    #expect(sheets.map(\.width) == [129, 129] && sheets.map(\.height) == [129, 3])
    let second = try PNGReader(site.folder.read("output/\(sheets[1].path)"))
    #expect(second.crop(x: 7, y: 1, width: 1, height: 1) == [0x10, 0x10, 0x03, 255])
  }

  @Test func `pictures that are identical at every scale share a sprite`() throws {
    // The two pictures are identical at a size of one pixel.
    let site = try TestSite()
    for name in ["left", "right"] {
      try site.put(
        TestPicture.png(width: 16, height: 16, kind: .color) { x, _ in
          (x < 8) == (name == "left") ? .black : .white
        }, at: "\(name).png")
    }
    try site.write(
      [
        Person("a", "left.png"), Person("b", "right.png"), Person("c", "left.png"),
        Person("d", "right.png"),
      ], styles: ["name: small, size: 2, scales: [0.5, 8], shape: square, formats: [png]"],
      more: Self.export)
    try site.build()
    let tiny = try ["a", "b"].map { try site.image(of: $0, scale: 0.5).path }
    #expect(tiny[0] == tiny[1])
    try site.checkSprites()
    let users = try site.sprites().users
    let frames = ["a", "b", "c", "d"].map { users[$0]?["small"]?.frames }
    #expect(frames[0] == frames[2] && frames[1] == frames[3] && frames[0] != frames[1])
    #expect(frames[0]?.first?.x != frames[1]?.first?.x)
    let widths = try site.sprites().styles["small"]?.sheets.map(\.width)
    let css = try site.text("sprites.css")
    #expect(widths?.count == 2 && css.contains(".sprite-small.of-a,\n.sprite-small.of-c {\n"))
  }

  @Test func `changing a user's picture renders only its images and the sheets`() throws {
    let site = try TestSite()
    for (name, color) in [("red", TestPicture.Pixel.red), ("blue", .blue), ("green", .green)] {
      try site.paint("\(name).png", color)
    }
    let styles = [Self.two, "name: other, size: 8, scales: [1], formats: [png]"]
    func write(_ last: String) throws {
      try site.write(
        [Person("a", "red.png"), Person("b", "blue.png", styles: ["small"]), Person("c", last)],
        styles: styles, more: Self.export)
    }
    try write("red.png")
    var counters = try site.build().report.counters
    // Five images in red, four in blue, and three sheets are rendered.
    #expect(counters.renders == 12)
    counters = try site.build().report.counters
    #expect(counters.renders == 0 && counters.written == 0)
    let before = try site.sprites()
    try write("green.png")
    let dry = try site.build { $0.dryRun = true }.report.counters
    counters = try site.build().report.counters
    #expect(counters.renders == 5 + 3 && dry.renders == counters.renders)
    let after = try site.sprites()
    #expect(before.users["a"]?["small"]?.frames == after.users["a"]?["small"]?.frames)
    try site.checkSprites()
    #expect(Set(after.users.keys) == ["a", "b", "c"] && after.users["b"]?["other"] == nil)
  }

  @Test func `a dry run predicts the number of images and sheets`() throws {
    let site = try site((0..<5).map { Person("user-\($0)", Self.color($0)) })
    let dry = try site.build { $0.dryRun = true }.report.counters
    let counters = try site.build().report.counters
    #expect(dry.renders == 5 * 4 + 2 && counters.renders == dry.renders)
  }

  @Test func `a style without PNG, or larger than a sheet, is skipped with a warning`() throws {
    let site = try site(
      [Person("a", "color:red")],
      styles: [
        Self.two, "name: web, size: 8, scales: [1], formats: [webp]",
        "name: huge, size: 4095, scales: [1], formats: [png]",
      ])
    let result = try site.build()
    let warnings = result.diagnostics.sorted.filter { $0.severity == .warning }
    #expect(warnings.map(\.id) == ["export-needs-png", "sprite-too-large"])
    #expect(warnings.map(\.path) == ["avatars[1].formats", "avatars[2]"])
    let sprites = try site.sprites()
    #expect(sprites.styles.keys.sorted() == ["small"])
    #expect(sprites.users["a"]?.keys.sorted() == ["small"])
  }

  @Test func `a site without pictures gets empty sprite files`() throws {
    let site = try site([Person("a"), Person("b")])
    try site.build()
    let sprites = try site.sprites()
    #expect(sprites.users.isEmpty && sprites.styles["small"]?.sheets.isEmpty == true)
    #expect(!(try site.text("sprites.css")).contains("url("))
  }
}
