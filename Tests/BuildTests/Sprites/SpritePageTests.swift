import SiteSupport

struct SpritePageTests {
  private static let style = "name: round, size: 16, scales: [1, 2], formats: [png]"

  /// G18: a card with sprites keeps its links as focusable elements with text.
  @Test func `the documented sprite examples use real links with text`() throws {
    let site = try TestSite()
    try site.write(
      [Person("ada", name: "Ada Lovelace", "color:red")], styles: [Self.style],
      more: "exports: [sprites]")
    try site.build()
    let css = try site.text("sprites.css")
    let samples = try Checkout.blocks(of: "html", in: "docs/reference/exports.md")
      .filter { $0.contains("sprite-") }
    #expect(samples.count == 2)
    for sample in samples {
      let page = HTMLPage(sample)
      let links = page.tags("a")
      #expect(links.count == 1)
      #expect(links.allSatisfy { $0["href"]?.hasPrefix("https://") == true })
      #expect(links.allSatisfy { $0["tabindex"] == nil && $0["role"] == nil })
      let sprite = try #require(page.tags("span").first)
      let classes = try #require(sprite["class"]).split(separator: " ")
      #expect(classes == ["sprite-round", "of-ada"])
      #expect(css.hasPrefix(".sprite-round {\n") && css.contains("\n.sprite-round.of-ada {\n"))
      // Text is inside the link or next to it.
      let words = page.text(in: "a") { $0.name == "a" }?
        .trimmingCharacters(in: .whitespacesAndNewlines)
      if sprite["role"] == "img" {
        #expect(sprite["aria-label"] == "Ada Lovelace" && words == "")
      } else {
        #expect(sprite["aria-hidden"] == "true" && words == "Ada Lovelace")
      }
      let sheet = try #require(page.tags("link").first?["href"])
      #expect(site.folder.exists("output/\(sheet)"))
    }
  }

  /// G18: gallery cards, with or without sprites.
  @Test(arguments: ["", "exports: [sprites]"])
  func `links on cards stay focusable, and alt texts do not repeat names`(more: String) throws {
    let site = try TestSite()
    try site.write(
      [
        Person("ada", name: "Ada", "color:red", link: "https://example.org/ada"),
        Person("bob", name: "Bob", "color:blue"),
        Person("eve", name: "Eve", link: "mailto:eve@example.org"),
      ], styles: [Self.style, "name: small, size: 8, scales: [1], formats: [png]"], more: more)
    try site.build()
    let page = HTMLPage(try site.text("index.html"))
    var cards: [String: [HTMLPage.Tag]] = [:]
    var open: String?
    for tag in page.tags {
      if tag["class"] == "person" { open = tag["id"] }
      if ["footer", "section", "nav", "dialog"].contains(tag.name) { open = nil }
      if let open { cards[open, default: []].append(tag) }
    }
    #expect(cards.keys.sorted() == ["person-ada", "person-bob", "person-eve"])
    func links(_ card: String) -> [HTMLPage.Tag] { cards[card]?.filter { $0.name == "a" } ?? [] }
    // A name links to the person's URL if there is one, and otherwise to the card.
    #expect(links("person-ada").map { $0["href"] } == ["https://example.org/ada"])
    #expect(links("person-bob").map { $0["href"] } == ["#person-bob"])
    #expect(links("person-eve").map { $0["href"] } == ["mailto:eve@example.org"])
    for tag in cards.values.joined() {
      #expect(tag["tabindex"] == nil && (tag["aria-hidden"] == nil || tag.name == "svg"))
    }
    for (card, name) in [("person-ada", "Ada"), ("person-bob", "Bob")] {
      let images = cards[card]?.filter { $0.name == "img" } ?? []
      #expect(images.map { $0["alt"] } == [""])
      #expect(page.text(in: "h3") { $0["id"] == card } == name)
    }
    // The content of a card is text, not pixels.
    #expect(page.text(in: "a") { $0["id"] == "person-ada" } == "Ada")
  }

  @Test func `both sprite files list the same positions`() throws {
    let site = try TestSite()
    let ids = ["Ada", "a b", "é", "}", "\"", "</style>", "_41da"]
    try site.write(
      ids.enumerated().map { Person($1, "color:#10203\($0)") }, styles: [Self.style],
      more: "exports: [sprites]")
    try site.build()
    let css = try site.text("sprites.css")
    let sprites = try site.sprites()
    let sheets = try #require(sprites.styles["round"]).sheets
    let names = ["_41da", "a_20b", "_c3_a9", "_7d", "_22", "_3c_2fstyle_3e", "_5f41da"]
    for (id, name) in zip(ids, names) {
      let frame = try #require(sprites.users[id]?["round"]?.frames.first { $0.scale == 1 })
      #expect(
        css.contains(
          ".sprite-round.of-\(name) {\n  background-position: -\(frame.x)px -\(frame.y)px;\n}\n"))
    }
    let urls = sheets.map { "url(\"\($0.path)\")" }
    #expect(
      css.contains(
        "{\n  background-image: \(urls[0]);\n"
          + "  background-image: image-set(\(urls[0]) 1x, \(urls[1]) 2x);\n}\n"))
    #expect(css.contains("  background-size: \(sheets[0].width)px auto;\n"))
    #expect(css.contains("  width: 16px;\n  height: 16px;\n"))
    #expect(css.utf8.count { $0 >= 0x80 } == 0)
    let braces = css.filter { "{}".contains($0) }
    #expect(braces == String(repeating: "{}", count: braces.count / 2))
  }
}
