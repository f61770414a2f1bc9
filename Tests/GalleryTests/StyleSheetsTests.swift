import SiteSupport

struct StyleSheetsTests {
  private func built(_ buttons: [String], styles: [String] = [TestSite.small]) throws -> TestSite {
    let site = try TestSite()
    try site.write([Person("a")], styles: styles, buttons: buttons)
    try site.build()
    return site
  }

  /// B15: CSS draws the corners, an overlay and a shadow.
  @Test func `buttons.css matches its snapshot`() throws {
    let site = try built([
      "name: primary, normal: \"#0a84ff\", highlighted: \"#0060df\", title: white, radius: 10, "
        + "border: { width: 1.5, color: \"#0060df\" }, disabled: \"#0a84ff59\", "
        + "selected: \"#112233\", focused: \"#445566\", "
        + "dark: { normal: \"#000000\", highlighted: same }",
      "name: plain, normal: red, highlighted: same",
      "name: deep, normal: red, radius: 10, shape: continuous, border: { color: blue }, "
        + "overlay: { colors: [\"#ffffff40\", \"#00000040\"], direction: right }, "
        + "shadow: { color: \"#00000080\", radius: 4, offset: [0, 3], spread: 1 }",
    ])
    try expectSnapshot(site.text("buttons.css"), "buttons.css")
  }

  @Test func `the style sheet for pictures matches its snapshot`() throws {
    let site = try built([
      "name: one, normal: red, highlighted: blue, emit: [png]",
      "name: nine, normal: red, radius: 4.5, border: { width: 1, color: blue }, emit: [css, png]",
    ])
    try expectSnapshot(site.text("buttons.css").withNumberedDigests, "pictures.css")
  }

  @Test func `the style sheet for avatars matches its snapshot`() throws {
    let site = try built(
      [],
      styles: [
        "name: round, size: 64, scales: [1], formats: [png]",
        "name: wide-2, size: [100.5, 20], scales: [1], formats: [png]",
        "name: soft, size: 50, shape: continuous, radius: 20%, corners: [tl, br]",
        "name: ringed, size: 40, border: { width: 4, color: red, mode: outside }",
        "name: box, size: 40, shape: square",
      ])
    try expectSnapshot(site.text("avatars.css"), "avatars.css")
  }

  /// B8: a button's background is on the element itself, which has no child elements.
  @Test func `a button's element contains only its name`() throws {
    let site = try built(["name: primary, normal: red, emit: [css, png], selected: blue"])
    let page = HTMLPage(try site.text("buttons/index.html"))
    let elements = page.elements(in: "button") { $0["class"]?.hasPrefix("btn-") == true }
    #expect(elements.count >= 6 && Set(elements) == ["button"])
  }

  /// B7: `css` mode writes no button images, and the page shows both colours.
  @Test func `a plain button needs only CSS`() throws {
    let site = try built(["name: primary, normal: \"#0a84ff\", highlighted: \"#0060df\""])
    #expect(site.assetFiles().isEmpty)
    let button = try #require(site.assets().buttons["primary"]?["light"])
    #expect(button["normal"]?.color == "#0a84ffff" && button["normal"]?.images.isEmpty == true)
    #expect(button["highlighted"]?.color == "#0060dfff")
    let page = HTMLPage(try site.text("buttons/index.html"))
    #expect(page.tags("link").contains { $0["href"] == "../buttons.css" })
    #expect(page.tags("img").isEmpty && page.tags("button").count == 4)
    #expect(page.tags("button").first?["class"] == "btn-primary is-light is-normal on-light")
    let css = try site.text("buttons.css")
    #expect(css.contains("#0a84ff") && css.contains("#0060df"))
  }

  /// B9: the normal state is in static CSS, for pages without scripts.
  @Test func `the normal state works without scripts`() throws {
    let site = try built(["name: primary, normal: \"#0a84ff\""])
    let css = try site.text("buttons.css")
    let rule = try #require(css.components(separatedBy: "}").first)
    #expect(rule.hasPrefix(".btn-primary {"))
    #expect(rule.contains("background-color: var(--btn-normal);"))
    #expect(rule.contains("--btn-normal: #0a84ff;"))
    // The only script is the one for pictures.
    let scripts = HTMLPage(try site.text("buttons/index.html")).tags("script")
    #expect(scripts.map { $0["src"] } == ["../gallery.js"])
    #expect(try !site.text("gallery.js").contains("btn"))
  }
}
