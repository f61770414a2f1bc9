import SiteSupport
import Testing

/// `exports: [xcassets]`: whole builds, whose catalogs are read as Xcode would.
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

  private func write(
    to site: TestSite, exports: String?, buttons: [String] = buttons
  ) throws {
    try site.write(
      Self.people, styles: Self.styles, buttons: buttons,
      more: exports.map { "exports: [\($0)]" } ?? "")
  }

  private func inspection(of site: TestSite) throws -> CatalogInspection {
    try CatalogInspection(
      URL(fileURLWithPath: site.folder.path(of: "output/Assets.xcassets"), isDirectory: true))
  }

  @Test func `a catalog follows every rule of Apple's reference`() throws {
    let site = try filled()
    try site.build()
    let catalog = try inspection(of: site)
    #expect(catalog.complaints.isEmpty, "\(catalog.complaints.joined(separator: "\n"))")
    let avatars = catalog.imageSets.keys.filter { $0.hasPrefix("Avatars/round/") }
    #expect(avatars.count == 8)
    #expect(catalog.imageSets.keys.count { $0.hasPrefix("Avatars/wide_card/") } == 7)
    // A style without PNG, and a person without a picture.
    let names = Set(catalog.imageSets.keys)
    #expect(!names.contains { $0.contains("/web/") || $0.contains("nobody") })
    #expect(!names.contains { $0.contains("broken") })
    for user in ["ends", "con_a3dbc4b6", "x", "a_b_c_d", "up", "x_cf2abf0c"] {
      #expect(names.contains("Avatars/round/\(user)"), "\(user)")
    }
    #expect(catalog.colorSets.count == 5)
  }

  @Test func `pictures stand at the scales that Apple has`() throws {
    let site = try filled()
    try site.build()
    let catalog = try inspection(of: site)
    let round = try #require(catalog.imageSets["Avatars/round/ends"])
    #expect(round.map(\.scale) == [1, 2, 3] && round.map(\.width) == [16, 32, 48])
    #expect(round.map(\.fileName) == ["ends.png", "ends@2x.png", "ends@3x.png"])
    let card = try #require(catalog.imageSets["Avatars/wide_card/ends"])
    #expect(card.map(\.scale) == [1, 2] && card.map(\.width) == [34, 67])
    // The same pictures as on the pages.
    let image = try site.image(of: "ends...", "round", scale: 2)
    let folder = "output/Assets.xcassets/Avatars/round/ends.imageset"
    #expect(
      try site.folder.read("\(folder)/ends@2x.png") == site.folder.read("output/\(image.path)"))
  }

  /// B6: two states of one color are two entries.
  @Test func `buttons have colors, and bitmaps that stretch`() throws {
    let site = try filled()
    try site.build()
    let catalog = try inspection(of: site)
    #expect(
      catalog.colorSets == [
        "Buttons/primary/normal": .init(light: "#0a84ffff", dark: "#0000aaff"),
        "Buttons/primary/highlighted": .init(light: "#0060dfff", dark: "#0000bbff"),
        "Buttons/primary/disabled": .init(light: "#80808080", dark: "#80808080"),
        "Buttons/flat/normal": .init(light: "#112233ff"),
        "Buttons/flat/highlighted": .init(light: "#112233ff"),
      ])
    let normal = try #require(catalog.imageSets["Buttons/primary/normal"])
    #expect(normal.map(\.scale) == [1, 2, 3, 1, 2, 3])
    #expect(normal.map(\.isDark) == [false, false, false, true, true, true])
    #expect(normal.map(\.cap) == [10, 20, 30, 10, 20, 30])
    #expect(normal.map(\.width) == [21, 41, 61, 21, 41, 61])
    #expect(try #require(catalog.imageSets["Buttons/primary/disabled"]).count == 6)
    for state in ["normal", "highlighted"] {
      let flat = try #require(catalog.imageSets["Buttons/flat/\(state)"])
      #expect(flat.count == 1 && flat[0].width == 1 && flat[0].height == 1)
      #expect(flat[0].scale == nil && flat[0].cap == nil)
    }
    #expect(catalog.templates == ["Buttons/flat/normal", "Buttons/flat/highlighted"])
    // The pages get no bitmaps for this.
    #expect(try site.assets().buttons["primary"]?["light"]?["normal"]?.images.isEmpty == true)
    let folder = "output/Assets.xcassets/Buttons/primary/normal.imageset"
    let dark = try Pixels(png: site.folder.read("\(folder)/normal_dark@2x.png"))
    #expect(dark.center == [0, 0, 0xAA, 255] && dark[0, 0][3] == 0)
  }

  @Test func `a file looks as Xcode writes it`() throws {
    let site = try filled()
    try site.build()
    #expect(
      try site.text("Assets.xcassets/Buttons/primary/disabled.colorset/Contents.json") == """
        {
          "colors" : [
            {
              "color" : {
                "color-space" : "srgb",
                "components" : {
                  "alpha" : "0.502",
                  "blue" : "0x80",
                  "green" : "0x80",
                  "red" : "0x80"
                }
              },
              "idiom" : "universal"
            },
            {
              "appearances" : [
                {
                  "appearance" : "luminosity",
                  "value" : "dark"
                }
              ],
              "color" : {
                "color-space" : "srgb",
                "components" : {
                  "alpha" : "0.502",
                  "blue" : "0x80",
                  "green" : "0x80",
                  "red" : "0x80"
                }
              },
              "idiom" : "universal"
            }
          ],
          "info" : {
            "author" : "sitegen",
            "version" : 1
          }
        }

        """)
  }

  /// A19: exports are made of what is there already, and go when nobody asks for them.
  @Test func `a catalog comes, stays and goes`() throws {
    let site = try filled(exports: nil)
    try site.build()
    let before = try site.snapshot()
    try write(to: site, exports: "xcassets")
    let first = try site.build().report.counters
    // Two states of the rounded button in two appearances and one in one, at three scales, and one
    // pixel; the avatars are there.
    #expect(first.renders == 16 && first.removed == 0)
    let stamps = try site.stamps()
    let second = try site.build().report.counters
    #expect(second.renders == 0 && second.written == 0 && second.removed == 0)
    #expect(try site.stamps() == stamps)
    try write(to: site, exports: nil)
    try site.build()
    #expect(try site.snapshot() == before)
    #expect(!site.folder.list().contains { $0.contains("xcassets") })
  }

  /// A18: the tree of one job is that of eight.
  @Test func `any number of jobs gives the same catalog`() throws {
    let one = try filled(exports: "xcassets, swift")
    let eight = try filled(exports: "xcassets, swift")
    try one.build(jobs: 1)
    try eight.build(jobs: 8)
    #expect(try one.snapshot() == eight.snapshot())
  }

  @Test func `a dark appearance changes the sets of its button only`() throws {
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
    #expect(try inspection(of: site).complaints.isEmpty)
  }

  @Test func `a style without PNG is left out with a warning`() throws {
    let site = try filled()
    let warnings = try site.build().diagnostics.sorted.filter { $0.id == "export-needs-png" }
    #expect(warnings.count == 1 && warnings[0].path == "avatars[2].formats")
  }

  /// The reader of these tests reports every fault.
  @Test(arguments: [
    ("Buttons/flat/normal.imageset/Contents.json", "filename", "fileName"),
    ("Buttons/flat/normal.imageset/Contents.json", "normal.png", "norma.png"),
    ("Buttons/flat/normal.imageset/Contents.json", "universal", "all"),
    ("Buttons/flat/normal.imageset/Contents.json", "template", "red"),
    ("Buttons/primary/normal.imageset/Contents.json", "\"top\" : 10", "\"top\" : 11"),
    ("Buttons/primary/normal.imageset/Contents.json", "9-part", "9-parts"),
    ("Buttons/primary/normal.imageset/Contents.json", "luminosity", "brightness"),
    ("Buttons/primary/normal.imageset/Contents.json", "2x\"", "3x\""),
    ("Buttons/primary/normal.colorset/Contents.json", "0x0A", "0xA"),
    ("Buttons/primary/normal.colorset/Contents.json", "srgb", "rgb"),
    ("Buttons/primary/normal.colorset/Contents.json", "\"version\" : 1", "\"version\" : 2"),
    ("Buttons/Contents.json", "true", "1"),
    ("Contents.json", "info", "information"),
    ("Avatars/round/ends.imageset/Contents.json", "\"2x\"", "\"1x\""),
  ])
  func `a damaged catalog breaks a rule`(path: String, old: String, new: String) throws {
    let site = try filled()
    try site.build()
    let text = try site.text("Assets.xcassets/\(path)")
    let damaged = text.replacingOccurrences(of: old, with: new)
    #expect(damaged != text)
    try site.folder.write(damaged.utf8, to: "output/Assets.xcassets/\(path)")
    #expect(try !inspection(of: site).complaints.isEmpty)
  }
}
