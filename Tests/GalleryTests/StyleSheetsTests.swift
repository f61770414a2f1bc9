import Build
import Foundation
import SiteSupport
import TestSupport
import Testing

/// `buttons.css`, `avatars.css` and `gallery.css` of whole builds.
struct StyleSheetsTests {
  private func built(_ buttons: [String], styles: [String] = [TestSite.small]) throws -> TestSite {
    let site = try TestSite()
    try site.write([Person("a")], styles: styles, buttons: buttons)
    try site.build()
    return site
  }

  @Test func `buttons as text`() throws {
    let site = try built([
      "name: primary, normal: \"#0a84ff\", highlighted: \"#0060df\", title: white, radius: 10, "
        + "border: { width: 1.5, color: \"#0060df\" }, disabled: \"#0a84ff59\", "
        + "selected: \"#112233\", focused: \"#445566\", "
        + "dark: { normal: \"#000000\", highlighted: same }",
      "name: plain, normal: red, highlighted: same",
    ])
    try expectSnapshot(site.text("buttons.css"), "buttons.css")
  }

  @Test func `pictures as text`() throws {
    let site = try built([
      "name: one, normal: red, highlighted: blue, emit: [png]",
      "name: nine, normal: red, radius: 4.5, border: { width: 1, color: blue }, emit: [css, png]",
    ])
    let css = try site.text("buttons.css")
    let buttons = try site.assets().buttons
    func paths(_ button: String, _ state: String) throws -> [String] {
      try #require(buttons[button]?["light"]?[state]).images.map { "url(\"\($0.path)\")" }
    }
    let (red, blue) = (try paths("one", "normal")[0], try paths("one", "highlighted")[0])
    let nine = try paths("nine", "normal")
    expect(
      try #require(css.components(separatedBy: ".btn-nine {").first),
      equals: """
        .btn-one {
          border: 0px solid transparent;
          background: none border-box no-repeat;
          background-image: \(red), \(blue);
          background-size: 100% 100%, 0 0;
        }

        @media (hover: hover) {
          .btn-one:hover:where(:not(:disabled, .is-disabled, [aria-disabled="true"])) {
            background-size: 0 0, 100% 100%;
          }
        }

        .btn-one:active:where(:not(:disabled, .is-disabled, [aria-disabled="true"])),
        .btn-one.is-highlighted {
          background-size: 0 0, 100% 100%;
        }


        """)
    let stops = "var(--btn-edge) 1px, var(--btn-under) 1px calc(100% - 1px), var(--btn-edge) 0"
    let pictures = css.components(separatedBy: ".btn-nine.as-image {\n").dropFirst()
    expect(
      try #require(pictures.first?.components(separatedBy: "}").first),
      equals: """
          border: 1px solid transparent;
          background: none center / 0 0 no-repeat border-box;
          --btn-lap: 2px;
          background-image: linear-gradient(\(stops)), linear-gradient(90deg, \(stops)), \(nine[0]);
          background-size: calc(100% - 10px + var(--btn-lap)) 100%, 100% calc(100% - 10px + var(--btn-lap)), 0 0;
          border-image-source: \(nine[0]);
          --btn-under: #ff0000;
          --btn-edge: #0000ff;
          border-image-slice: 5 fill;
          border-image-width: 5px;

        """)
    for (scale, slice, width) in [(1, "9 fill", "4.5px"), (2, "14 fill", "4.6667px")] {
      let rest = try #require(css.components(separatedBy: "(min-resolution: \(scale).01dppx)").last)
      let rule = try #require(rest.components(separatedBy: "}").first)
      #expect(rule.contains("border-image-source: \(nine[scale]);"))
      #expect(rule.contains("border-image-slice: \(slice);"))
      #expect(rule.contains("border-image-width: \(width);"))
    }
  }

  @Test func `avatars as text`() throws {
    let site = try built(
      [],
      styles: [
        "name: round, size: 64, scales: [1], formats: [png]",
        "name: wide-2, size: [100.5, 20], scales: [1], formats: [png]",
      ])
    try expectSnapshot(site.text("avatars.css"), "avatars.css")
  }

  /// B7: `css` mode writes 0 button images, and the page carries both colours.
  @Test func `a plain button has no bitmap`() throws {
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

  /// B9: the normal state is in static CSS, for a page without scripts.
  @Test func `the normal state needs nothing to happen first`() throws {
    let site = try built(["name: primary, normal: \"#0a84ff\""])
    let css = try site.text("buttons.css")
    let rule = try #require(css.components(separatedBy: "}").first)
    #expect(rule.hasPrefix(".btn-primary {"))
    #expect(rule.contains("background-color: var(--btn-normal);"))
    #expect(rule.contains("--btn-normal: #0a84ff;"))
    // The only script deals with pictures.
    let scripts = HTMLPage(try site.text("buttons/index.html")).tags("script")
    #expect(scripts.map { $0["src"] } == ["../gallery.js"])
    #expect(try !site.text("gallery.js").contains("btn"))
  }
}
