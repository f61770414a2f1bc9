import SiteSupport

struct AssetCatalogTests {
  private static let styles = [
    "name: round, size: 16, scales: [1, 2, 3], formats: [webp, png]",
    "name: wide-card, size: [33.5, 20], scales: [0.5, 1, 1.5, 2, 4], shape: square, "
      + "formats: [png]",
    "name: web, size: 20, scales: [1], formats: [webp]",
  ]
  private static let buttons = [
    "name: primary, normal: \"#0a84ff\", highlighted: \"#0060df\", disabled: \"#80808080\", "
      + "radius: 10, border: { width: 1.5, color: \"#fff\" }, "
      + "dark: { normal: \"#0000aa\", highlighted: \"#0000bb\" }",
    "name: Flat!, normal: \"#112233\", highlighted: same, template: true",
  ]
  private static let people = [
    Person("ada", "red.png"), Person("Ada", "blue.png"), Person("..", "red.png"),
    Person("CON", "red.png"), Person("ends...", "red.png"), Person("日本", "blue.png"),
    Person("../../up", "red.png", styles: ["round"]), Person("nobody"),
    Person("broken", "missing.png"), Person("a/b\\c:d", background: "#5856d6"),
  ]

  private func filled(
    exports: String? = "xcassets", buttons: [String] = buttons
  ) throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.paint("blue.png", .blue)
    try write(to: site, exports: exports, buttons: buttons)
    return site
  }

  private func write(to site: TestSite, exports: String?, buttons: [String] = buttons) throws {
    try site.write(
      Self.people, styles: Self.styles, buttons: buttons,
      more: exports.map { "exports: [\($0)]" } ?? "")
  }

  @Test func `names are safe and unique`() throws {
    let site = try filled()
    try site.build()
    try site.expectWholeCatalog()
    let names = site.catalogSets()
    #expect(names.count { $0.hasPrefix("Avatars/round/") } == 8)
    #expect(names.count { $0.hasPrefix("Avatars/wide_card/") } == 7)
    // The catalog omits styles without PNG and people without a picture.
    for word in ["/web/", "nobody", "broken"] {
      #expect(!names.contains { $0.contains(word) }, "\(word)")
    }
    for user in ["ends", "con_a3dbc4b6", "x", "a_b_c_d", "up", "x_cf2abf0c"] {
      #expect(names.contains("Avatars/round/\(user)"), "\(user)")
    }
  }

  /// All keys and values are in Apple's Asset Catalog Format Reference.
  @Test func `the catalog matches its snapshot`() throws {
    let site = try filled()
    try site.build()
    let folders = [
      "", "Avatars/", "Avatars/round/", "Avatars/round/ends.imageset/",
      "Avatars/wide_card/ends.imageset/", "Buttons/primary/", "Buttons/primary/normal.colorset/",
      "Buttons/primary/normal.imageset/", "Buttons/flat/normal.colorset/",
      "Buttons/flat/normal.imageset/",
    ]
    let texts = try folders.map { folder in
      // Puts each innermost object on one line.
      let text = try site.text("Assets.xcassets/\(folder)Contents.json")
        .replacing(/\{[^{}\[]*\}/) { $0.0.replacing(/\s+/, with: " ") }
      return "\(folder)Contents.json\n\(text)\n"
    }
    try expectSnapshot(texts.joined(), "catalog.txt")
    let disabled = "Assets.xcassets/Buttons/primary/disabled.colorset/Contents.json"
    try expectSnapshot(site.text(disabled), "disabled.colorset.json")
  }

  @Test func `pictures use Apple's scales`() throws {
    let site = try filled()
    try site.build()
    func widths(_ name: String) throws -> [String: Int] {
      let folder = "Assets.xcassets/\(name).imageset/"
      let files = site.outputFiles().filter { $0.hasPrefix(folder) && $0.hasSuffix(".png") }
      return try Dictionary(
        uniqueKeysWithValues: files.map {
          (
            String($0.dropFirst(folder.count)),
            try Pixels(png: site.folder.read("output/\($0)")).width
          )
        })
    }
    #expect(
      try widths("Avatars/round/ends") == ["ends.png": 16, "ends@2x.png": 32, "ends@3x.png": 48])
    #expect(try widths("Avatars/wide_card/ends") == ["ends.png": 34, "ends@2x.png": 67])
    let image = try site.image(of: "ends...", "round", scale: 2)
    let folder = "output/Assets.xcassets/Avatars/round/ends.imageset"
    #expect(
      try site.folder.read("\(folder)/ends@2x.png") == site.folder.read("output/\(image.path)"))
  }

  /// B6: two states with the same colour get separate entries.
  @Test func `buttons have colour sets and stretchable bitmaps`() throws {
    let site = try filled()
    try site.build()
    let states =
      ["primary/normal", "primary/highlighted", "primary/disabled"]
      + ["flat/normal", "flat/highlighted"]
    for state in states {
      for kind in ["colorset", "imageset"] {
        #expect(site.folder.exists("output/Assets.xcassets/Buttons/\(state).\(kind)/Contents.json"))
      }
    }
    // The pages do not get bitmaps.
    #expect(try site.assets().buttons["primary"]?["light"]?["normal"]?.images.isEmpty == true)
    let folder = "output/Assets.xcassets/Buttons/primary/normal.imageset"
    let dark = try Pixels(png: site.folder.read("\(folder)/normal_dark@2x.png"))
    #expect(dark.width == 41 && dark.center == [0, 0, 0xAA, 255] && dark[0, 0][3] == 0)
  }

  @Test func `adding a dark appearance to a button changes only that button's sets`() throws {
    let site = try filled()
    try site.build()
    let before = try site.snapshot()
    var buttons = Self.buttons
    buttons[1] += ", dark: { normal: \"#445566\", highlighted: \"#445566\" }"
    try write(to: site, exports: "xcassets", buttons: buttons)
    let counters = try site.build().report.counters
    #expect(counters.renders == 1)
    let after = try site.snapshot()
    let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    let inCatalog = changed.filter { $0.hasPrefix("Assets.xcassets/") }
    #expect(inCatalog.count == 6, "\(inCatalog)")
    #expect(inCatalog.allSatisfy { $0.hasPrefix("Assets.xcassets/Buttons/flat/") })
    try site.expectWholeCatalog()
  }

  @Test func `a style without PNG is skipped with a warning`() throws {
    let site = try filled()
    let warnings = try site.build().diagnostics.sorted.filter { $0.id == "export-needs-png" }
    #expect(warnings.count == 1 && warnings[0].path == "avatars[2].formats")
  }
}

extension TestSite {
  func catalogSets() -> Set<String> {
    Set(
      outputFiles().compactMap { path in
        path.wholeMatch(of: /Assets\.xcassets\/(.+)\.(?:imageset|colorset)\/Contents\.json/)
          .map { String($0.1) }
      })
  }

  /// Expects case-insensitively unique paths, and sets that list each file once.
  ///
  /// Caps and centre must add up to the whole picture.
  func expectWholeCatalog() throws {
    let paths = outputFiles().filter { $0.hasPrefix("Assets.xcassets/") }
    #expect(Set(paths.map { $0.lowercased() }).count == paths.count)
    for name in catalogSets() { #expect(!name.contains("."), "\(name)") }
    for path in paths where path.hasSuffix(".imageset/Contents.json") {
      let folder = path.dropLast("Contents.json".count)
      let contents = try JSONSerialization.jsonObject(with: bytes(path)) as? [String: Any]
      let images = try #require(contents?["images"] as? [[String: Any]])
      var named = ["Contents.json"]
      for image in images {
        let file = try #require(image["filename"] as? String)
        named.append(file)
        let pixels = try Pixels(png: bytes("\(folder)\(file)"))
        guard let resizing = image["resizing"] as? [String: Any] else { continue }
        let caps = resizing["cap-insets"] as? [String: Int]
        let center = resizing["center"] as? [String: Any]
        func sum(_ first: String, _ side: String, _ last: String) -> Int? {
          guard let middle = center?[side] as? Int else { return nil }
          return middle + (caps?[first] ?? 0) + (caps?[last] ?? 0)
        }
        #expect(sum("left", "width", "right") == pixels.width, "\(folder)\(file)")
        #expect(sum("top", "height", "bottom") == pixels.height, "\(folder)\(file)")
      }
      let files = paths.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }
      #expect(named.sorted() == files.sorted(), "\(folder)")
    }
  }

  private func bytes(_ path: String) throws -> Data { try folder.read("output/\(path)") }
}
