import SiteSupport

struct IconExportTests {
  private static let files = [
    "apple-touch-icon.png", "favicon.ico", "icons/icon-192.png", "icons/icon-512.png",
    "icons/maskable-512.png", "site.webmanifest",
  ]

  /// Creates a site whose logo is a red rectangle in a transparent 2:1 picture.
  private func site(_ icons: String, title: String = "Team", users: Int = 1) throws -> TestSite {
    let site = try TestSite()
    let logo = TestPicture.png(width: 200, height: 100) { x, y in
      (20..<180).contains(x) && (20..<80).contains(y) ? .red : .clear
    }
    try site.put(logo, at: "logo.png")
    let people = (0..<users).map { Person("u\($0)", background: "red") }
    try site.write(people, buttons: [Self.button], more: "site: { title: \"\(title)\" }\n\(icons)")
    return site
  }

  private func pixels(_ site: TestSite, _ path: String) throws -> Pixels {
    try Pixels(png: site.folder.read("output/\(path)"))
  }

  private func icons(_ site: TestSite) -> [String] {
    site.outputFiles().filter { !$0.hasPrefix("assets/") && Self.files.contains($0) }
  }

  private static let button = "name: b, normal: red, highlighted: same"
  private static let logo = "icons: { from: logo.png, background: \"#ffcc00\" }"
  private static let yellow: [UInt8] = [255, 204, 0, 255]

  @Test func `a logo stays transparent in icons that allow transparency`() throws {
    let site = try site(Self.logo)
    #expect(try site.build().exitStatus == 0)
    #expect(icons(site) == Self.files)
    for (path, side) in [("icons/icon-192.png", 192), ("icons/icon-512.png", 512)] {
      let icon = try pixels(site, path)
      #expect(icon.width == side && icon.height == side)
      // The whole picture is centred; a square crop would cut its sides.
      #expect(icon[0, 0][3] == 0 && icon[side / 2, side / 8][3] == 0)
      #expect(icon[side / 2, side / 2] == [255, 0, 0, 255])
      #expect(icon[side / 8, side / 2] == [255, 0, 0, 255])
    }
    let touch = try pixels(site, "apple-touch-icon.png")
    #expect(touch.width == 180 && touch.height == 180)
    #expect(touch.alphas.allSatisfy { $0 == 255 })
    #expect(touch[0, 0] == Self.yellow && touch.center == [255, 0, 0, 255])
  }

  @Test func `the picture on a maskable icon is inside the safe zone`() throws {
    let site = try TestSite()
    try site.paint("full.png", .red, side: 600)
    try site.write(
      [Person("a", background: "red")],
      more: "icons: { from: full.png, background: \"#ffcc0080\" }")
    try site.build()
    let icon = try pixels(site, "icons/maskable-512.png")
    #expect(icon.width == 512 && icon.height == 512)
    var farthest = 0.0
    for y in 0..<512 {
      for x in 0..<512 where icon[x, y] != [255, 229, 127, 255] {
        // Measures to each pixel's outermost corner.
        let (u, v) = (abs(Double(x) - 255.5) + 0.5, abs(Double(y) - 255.5) + 0.5)
        farthest = max(farthest, (u * u + v * v).squareRoot())
        #expect(icon[x, y][3] == 255)
      }
    }
    #expect(farthest <= 0.4 * 512)
    #expect(farthest > 0.39 * 512)
    #expect(icon.center == [255, 0, 0, 255])
  }

  @Test func `the favicon contains three sizes with an alpha channel`() throws {
    let site = try site(Self.logo)
    try site.build()
    let file = try #require(IconFileReader(site.folder.read("output/favicon.ico")))
    #expect(file.entries.map(\.width) == [16, 32, 48])
    for entry in file.entries {
      #expect(entry.height == entry.width && entry.bits == 32)
      let pixels = try Pixels(png: entry.picture)
      #expect(pixels.width == entry.width && pixels.height == entry.height)
      // A sharp filter produces ringing near an edge.
      #expect(pixels.center.prefix(3) == [255, 0, 0] && pixels.center[3] >= 248)
      #expect(pixels[0, 0][3] == 0)
      // Eight bits and colour type 6; Firefox accepts no other PNG in an ICO.
      #expect(Array(entry.picture[24..<26]) == [8, 6])
    }
  }

  @Test func `pages and the web manifest reference only existing icons`() throws {
    let site = try site(Self.logo, title: "A \\\"B\\\" & <c>", users: 201)
    try site.build()
    try expectSnapshot(site.text("site.webmanifest"), "site.webmanifest")
    for (path, root) in [
      ("index.html", ""), ("page/2/index.html", "../../"), ("buttons/index.html", "../"),
    ] {
      let links = HTMLPage(try site.text(path)).tags("link").filter { $0["rel"] != "stylesheet" }
        .filter { !["prev", "next"].contains($0["rel"]) }
        .map { "\($0["rel"] ?? "") \($0["href"] ?? "")" }
      #expect(
        links == [
          "icon \(root)favicon.ico", "icon \(root)icons/icon-192.png",
          "apple-touch-icon \(root)apple-touch-icon.png", "manifest \(root)site.webmanifest",
        ])
    }
  }

  @Test func `a site without icons uses the initials of its title`() throws {
    let site = try TestSite()
    try site.write([Person("a")], more: "site: { title: Sample <Tools> }\npages: { people: true }")
    try site.build()
    for (path, root) in [("index.html", ""), ("people/a/index.html", "../../")] {
      let links = HTMLPage(try site.text(path)).tags("link").filter { $0["rel"] == "icon" }
      #expect(links.map { $0["href"] } == ["\(root)icons/initials.svg"])
    }
    #expect(try site.text("icons/initials.svg").contains(">ST</text></svg>\n"))
    let color = try site.text("icons/initials.svg").split(separator: "fill=\"#").dropFirst().first
    #expect(try site.text("gallery.css").contains("--link: #\(color?.prefix(6) ?? "");"))
    // A title without letters produces a plain square.
    try site.write([Person("a")], more: "site: { title: \"…\" }")
    try site.build()
    #expect(try site.text("icons/initials.svg").contains("></text></svg>\n"))
    try site.write([Person("a")], more: "icons: { from: initials }")
    try site.build()
    #expect(icons(site) == Self.files)
  }

  @Test(arguments: ["color:#336699", "color:#33669980", "initials", "identicon"])
  func `icons made from colours, initials or identicons extend to the edge`(source: String) throws {
    let site = try site("icons: { from: \"\(source)\" }")
    #expect(try site.build().exitStatus == 0)
    #expect(icons(site) == Self.files)
    for path in ["apple-touch-icon.png", "icons/maskable-512.png"] {
      let icon = try pixels(site, path)
      #expect(icon.alphas.allSatisfy { $0 == 255 })
      // The colour at the edge continues, without a frame.
      let side = icon.width
      #expect(icon[0, 0] != [255, 255, 255, 255])
      #expect(side == 180 || (0..<side).allSatisfy { icon[$0, side / 8] == icon[0, 0] })
      #expect(!source.hasPrefix("color") || Set((0..<side).map { icon[$0, side / 2] }).count == 1)
    }
    let large = try pixels(site, "icons/icon-512.png")
    #expect(large[0, 0][3] == (source.hasSuffix("80") ? 128 : 255))
  }

  @Test func `icon initials come from the title and use the configured background`() throws {
    let site = try site("icons: { from: initials, background: \"#ffcc00\" }", title: "Ж")
    #expect(try site.build().exitStatus == 0)
    #expect(try pixels(site, "icons/icon-192.png")[0, 0] == Self.yellow)
    let colors = try pixels(site, "icons/icon-192.png")
    #expect((0..<192).contains { colors[$0, 96] != Self.yellow })
  }

  @Test(arguments: [
    ("missing.png", "paths are relative to the manifest"),
    ("red", "write `color:red` for the colour"),
    ("#ff0000", "write `color:#ff0000` for the colour"),
    ("logo.svg", "export it as a 512-pixel PNG"),
  ])
  func `icon errors include a help line`(source: String, help: String) throws {
    let site = try site("icons: { from: \"\(source)\" }")
    try site.put(
      Array("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 0 0\"/>".utf8), at: "logo.svg")
    #expect(try Build(site.options()).check().diagnostics.sorted.map(\.help) == [help])
  }

  @Test func `a file named like a colour is treated as a file`() throws {
    let site = try site("icons: { from: red }")
    try site.paint("red", .red, side: 600)
    #expect(try site.build().exitStatus == 0)
    #expect(icons(site) == Self.files)
  }

  /// F3: a site with only icons and strips is valid.
  @Test func `a site may consist of only icons or only strips`() throws {
    let site = try TestSite()
    try site.paint("logo.png", .red, side: 600)
    let manifests = [
      ("icons: { from: logo.png }", "site.webmanifest"),
      ("strips: [{ name: s, color: black, radius: 2 }]", "strips.css"),
    ]
    for (keys, file) in manifests {
      try site.folder.write("version: 1\n\(keys)\n", to: site.manifest)
      let result = try site.build()
      #expect(result.exitStatus == 0 && result.diagnostics.isEmpty)
      #expect(site.outputFiles().contains(file) && site.outputFiles().contains("index.html"))
    }
  }

  @Test(arguments: [
    ("missing.png", "source-unreadable"), ("../logo.png", "path-outside-root"),
    ("words.png", "unsupported-format"), ("initials", "no-initials"),
    ("http://127.0.0.1/logo.png", "address-not-public"),
  ])
  func `icons without a usable source are reported`(source: String, id: String) throws {
    let site = try site("icons: { from: \"\(source)\" }", title: "!?")
    try site.put(Array("no picture".utf8), at: "words.png")
    let result = try site.build()
    #expect(result.exitStatus == 1)
    let reported = try #require(result.diagnostics.sorted.first)
    #expect(result.diagnostics.sorted.count == 1)
    #expect(reported.id == id && reported.severity == .error && reported.path == "icons.from")
    #expect(reported.location?.position?.line == 3)
    #expect(icons(site).isEmpty)
    #expect(try site.page("index.html").tags("link").count { $0["rel"] == "icon" } == 1)
    #expect(try site.text("index.html").contains("icons/initials.svg"))
    let check = try Build(site.options()).check()
    #expect(check.exitStatus == 1)
    #expect(check.diagnostics.sorted == result.diagnostics.sorted)
  }

  /// A picture with valid headers may have invalid data.
  @Test func `an undecodable icon is reported once`() throws {
    let site = try site("icons: { from: logo.png }")
    let header = TestPicture.png(
      width: 40, height: 40, chunks: [TestPicture.chunk("IDAT", Array("rubbish".utf8))])
    try site.put(header, at: "logo.png")
    let result = try site.build()
    #expect(result.exitStatus == 1)
    #expect(result.diagnostics.sorted.map(\.path) == ["icons.from"])
    #expect(icons(site).isEmpty)
    #expect(site.outputFiles().contains("index.html"))
  }

  @Test func `changing the logo changes the icons`() throws {
    let site = try site(Self.logo)
    try site.build()
    let one = try site.snapshot()
    try site.paint("logo.png", .blue, side: 64)
    #expect(try site.build().report.counters.renders == 7)
    let other = try site.snapshot()
    for path in Self.files {
      #expect((other[path] == one[path]) == (path == "site.webmanifest"), "\(path)")
    }
  }

  /// The favicon contains images, which the store may lose.
  @Test func `icons missing from the store are re-rendered`() throws {
    let site = try site(Self.logo)
    try site.build()
    let before = try site.snapshot()
    let favicon = try #require(IconFileReader(site.folder.read("output/favicon.ico")))
    let blob = try #require(
      site.folder.list().first { path in
        path.hasPrefix("cache/store/")
          && (try? site.folder.read(path)) == favicon.entries[1].picture
      })
    try site.folder.remove(blob)
    try site.folder.remove("output/favicon.ico")
    let counters = try site.build().report.counters
    #expect(counters.renders == 1 && counters.written == 1)
    #expect(try site.snapshot() == before)
  }
}
