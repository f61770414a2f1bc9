import SiteSupport

struct StylePagesTests {
  private static let wide = "name: wide, size: [24, 12], scales: [1], shape: square, formats: [png]"

  private func built(
    _ people: [Person], show: String? = nil, pages: String = "", styles: Bool = true
  ) throws -> TestSite {
    let site = try TestSite()
    let shown = show.map { "show: \($0), " } ?? ""
    try site.write(
      people, styles: [TestSite.small, Self.wide],
      more: "pages: { \(shown)size: 10, styles: \(styles)\(pages) }")
    try site.build()
    return site
  }

  private func cards(_ site: TestSite) throws -> [String] {
    try site.page("index.html").tags("img").compactMap { $0["width"] }
  }

  @Test func `a card shows the person's first style`() throws {
    let site = try built([
      Person("a", background: "red"), Person("b", background: "red", styles: ["wide"]),
    ])
    #expect(try cards(site) == ["16", "24"])
    // The first person's wide picture is not on a card, and the second person's is.
    let page = try site.page("styles/wide/index.html")
    #expect(page.tags("li").compactMap { $0["id"] } == ["person-a"])
    #expect(page.tags("img").map { $0["width"] } == ["24"])
    #expect(!site.folder.exists("output/styles/small"))
  }

  @Test func `a card shows the styles listed in the manifest, in the same order`() throws {
    let people = [
      Person("a", background: "red"), Person("b", background: "red", styles: ["small"]),
      Person("c", "missing.png"),
    ]
    let both = try built(people, show: "[wide, small]")
    #expect(try cards(both) == ["24", "16", "16"])
    #expect(try both.page("index.html").tags("svg").compactMap { $0["width"] } == ["24", "16"])
    #expect(both.pageFiles() == ["index.html", "styles/index.html"])
    let one = try built(people, show: "wide")
    #expect(try cards(one) == ["24", "16"])
    #expect(one.pageFiles().contains("styles/small/index.html"))
  }

  @Test func `the examples are the listed people or the first six pictures`() throws {
    let people = [Person("none")] + (0..<8).map { Person("u\($0)", background: "red") }
    func examples(_ site: TestSite) throws -> [String?] {
      try site.page("styles/index.html").links(on: "styles/index.html")
        .filter { $0.anchor?.hasPrefix("person-") == true }.map(\.anchor)
    }
    let first = (0..<6).map { "person-u\($0)" }
    #expect(try examples(built(people)) == first + first)
    let named = try built(people, pages: ", examples: [u7, none, u2]")
    #expect(try examples(named) == ["person-u2", "person-u7", "person-u2", "person-u7"])
  }

  @Test func `pictures that are not on cards are shown on style pages`() throws {
    let site = try built((0..<21).map { Person("u\($0)", background: "red") })
    let pages = ["index.html", "page/2/index.html", "page/3/index.html"].map { "styles/wide/" + $0 }
    #expect(site.pageFiles().filter { $0.hasPrefix("styles/wide/") } == pages)
    #expect(try site.page(pages[2]).tags("li").compactMap { $0["id"] } == ["person-u20"])
    #expect(try site.brokenLinks() == [])
  }

  @Test func `a style page describes its recipe in plain language`() throws {
    let site = try TestSite()
    try site.write(
      [Person("a", background: "red")],
      styles: [
        "name: all, size: [40, 20], scales: [1, 1.5], shape: rounded, radius: 25%, "
          + "corners: [tl, br], focus: [25%, 40%], zoom: 1.6, grayscale: true, blur: 1, "
          + "background: white, border: [{ width: 2, color: red, mode: outside, gap: 1, allowNonSquare: true }, "
          + "{ width: hairline, allowNonSquare: true, "
          + "gradient: { colors: [red, blue], kind: conic } }], "
          + "shadow: { color: black, radius: 2, offset: [0, 4] }, "
          + "decorations: [{ name: online, dot: lime, corner: tr, size: 6 }], "
          + "formats: [webp, jpeg], quality: { jpeg: 70 }, maxBytes: { webp: 9000 }",
        "name: plain, size: 10, shape: circle, formats: png, focus: face, zoom: auto",
      ], more: "pages: { styles: true }")
    try site.build()
    let page = try site.page("styles/index.html")
    let texts = page.texts.filter { $0 != "\n" }
    let start = try #require(texts.firstIndex(of: "Size"))
    let end = try #require(texts.firstIndex { $0.hasPrefix("Pictures: ") })
    try expectSnapshot(texts[start..<end].joined(separator: "\n"), "recipe.txt")
    #expect(texts.contains("10 × 10 points") && texts.contains("circle"))
  }

  @Test func `style pages are built only if they are enabled and there are pictures`() throws {
    #expect(try built([Person("a")]).pageFiles() == ["index.html"])
    let site = try built([Person("a", background: "red")], styles: false)
    #expect(site.pageFiles() == ["index.html"])
  }
}
