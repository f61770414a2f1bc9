import SiteSupport

struct AndroidExportTests {
  private static let round =
    "name: primary, normal: \"#0a84ff\", highlighted: \"#0060df\", disabled: \"#0a84ff59\", "
    + "selected: navy, focused: blue, title: white, radius: 10, "
    + "border: { width: 1, color: black }, dark: { normal: red, highlighted: same }"
  private static let plain = "name: plain, normal: green, highlighted: same"
  private static let densities = ["mdpi", "hdpi", "xhdpi", "xxhdpi", "xxxhdpi"]

  private func site(
    _ buttons: [String] = [round, plain], more: String = "exports: [android]"
  ) throws -> TestSite {
    let site = try TestSite()
    try site.write([Person("a", background: "red")], buttons: buttons, more: more)
    return site
  }

  private func resources(_ site: TestSite) -> [String] {
    site.outputFiles().filter { $0.hasPrefix("res/") }
  }

  private func elements(_ site: TestSite, _ path: String) throws -> XMLElements {
    try XMLElements(site.folder.read("output/\(path)"))
  }

  @Test func `every state has bitmaps for five densities in light and dark mode`() throws {
    let site = try site()
    #expect(try site.build().exitStatus == 0)
    let states = ["normal", "highlighted", "disabled", "selected", "focused"]
    var wanted = [
      "res/drawable/btn_plain.xml", "res/drawable/btn_primary.xml", "res/values/colors.xml",
      "res/values-night/colors.xml",
    ]
    for density in Self.densities {
      wanted += states.map { "res/drawable-\(density)/btn_primary_\($0).9.png" }
      wanted += states.map { "res/drawable-night-\(density)/btn_primary_\($0).9.png" }
    }
    #expect(Set(resources(site)) == Set(wanted))
    for (density, side) in zip(Self.densities, [21, 31, 41, 61, 81]) {
      let file = try NinePatchFile(
        site.folder.read("output/res/drawable-\(density)/btn_primary_selected.9.png"))
      #expect(file.width == side)
      let bytes: [UInt8] = try file.stretched(width: side, height: side)
      let middle = bytes.dropFirst((side * side / 2) * 4).prefix(4)
      #expect(Array(middle) == [0, 0, 128, 255])
    }
    let night = try Pixels(
      png: site.folder.read("output/res/drawable-night-xhdpi/btn_primary_normal.9.png"))
    #expect(night.center == [255, 0, 0, 255])
  }

  /// Android uses the first matching item, and its colour codes begin with the alpha.
  @Test func `selectors and colours match their snapshot`() throws {
    let site = try site()
    try site.build()
    let files = [
      "drawable/btn_primary.xml", "drawable/btn_plain.xml", "values/colors.xml",
      "values-night/colors.xml",
    ]
    let texts = try files.map { "\($0)\n" + (try site.text("res/\($0)")) }
    try expectSnapshot(texts.joined(), "android.txt")
  }

  /// Names are accepted by Android's tools, and every referenced file exists.
  @Test func `names are valid, and all references resolve`() throws {
    let names = [
      "a", "a_normal", "B", "b", "42", "日本", "e\u{301}", "</selector>", "con", "a&b \"c\"",
      "a_normal_normal", String(repeating: "x", count: 64), "🙂",
    ]
    let buttons = try names.enumerated().map { number, name in
      let text = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
      return "name: \(text), normal: \"#0000\(String(number + 16, radix: 16))\", "
        + "highlighted: same, radius: 1"
    }
    let site = try site(buttons)
    #expect(try site.build().exitStatus == 0)
    let files = Set(resources(site))
    var colors: Set<String> = []
    for color in try elements(site, "res/values/colors.xml").named("color") {
      #expect(colors.insert(color.attributes["name"] ?? "").inserted)
    }
    #expect(colors.count == names.count * 2)
    for file in files {
      let name = try #require(file.split(separator: "/").last?.split(separator: ".").first)
      #expect(name.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil, "\(file)")
    }
    let selectors = files.filter { $0.hasPrefix("res/drawable/") }
    #expect(selectors.count == names.count)
    var drawables: Set<String> = Set(selectors.map { String($0.dropFirst(13).dropLast(4)) })
    for selector in selectors {
      for item in try elements(site, selector).named("item") {
        let name = try #require(item.attributes["android:drawable"]?.split(separator: "/").last)
        for density in Self.densities {
          #expect(files.contains("res/drawable-\(density)/\(name).9.png"))
        }
        #expect(colors.contains(String(name)))
        #expect(drawables.insert(String(name)).inserted)
      }
    }
    #expect(files.contains("res/drawable/btn_a.xml"))
  }

  @Test func `a site without buttons exports nothing`() throws {
    let site = try site([])
    try site.build()
    #expect(resources(site).isEmpty)
  }

  @Test func `changing a colour changes only the files for that colour`() throws {
    let other = Self.round.replacingOccurrences(of: "primary", with: "other")
      .replacingOccurrences(of: "#0a84ff\"", with: "#123456\"")
    let site = try site([Self.round, other])
    try site.build()
    let before = try site.snapshot()
    let changed = Self.round.replacingOccurrences(of: "#0060df", with: "#0060de")
    try site.write(
      [Person("a", background: "red")], buttons: [changed, other], more: "exports: [android]")
    let counters = try site.build().report.counters
    #expect(counters.renders == 5)
    let after = try site.snapshot()
    let files = Set(before.keys).union(after.keys).filter {
      $0.hasPrefix("res/") && before[$0] != after[$0]
    }
    #expect(
      Set(files)
        == Set(
          Self.densities.map { "res/drawable-\($0)/btn_primary_highlighted.9.png" }
            + ["res/values/colors.xml"]))
  }
}
