import SiteSupport

extension InBrowser {
  struct PosterPageTests {
    private func built() throws -> TestSite {
      let site = try TestSite()
      let people = [
        Person("a", name: "Ada", "color:#ff0000", tags: ["gold"], link: "https://example.org/"),
        Person("b", name: "Bob <b>", "color:#00ff00"), Person("c", name: "Cy", "color:#0000ff"),
      ]
      try site.write(
        people,
        styles: ["name: plain, size: 40, scales: [2], shape: square, formats: [png, webp]"],
        more: "poster: { size: 40, gap: 10, columns: 3, tiers: [gold, { title: Others }] }")
      try site.build()
      func page(_ body: String) -> String {
        "<!DOCTYPE html>\n<html lang=en><title>Team</title><meta name=color-scheme "
          + "content=\"light dark\"><body style=\"margin: 0\"><main><h1>Team</h1>\(body)</main>"
      }
      try site.folder.write(
        page("<img src=poster.svg alt=Everybody style=\"position: absolute; top: 0; left: 0\">"),
        to: "output/image.html")
      try site.folder.write(
        page("<div style=\"position: absolute; top: 0\">\(try site.text("poster.svg"))</div>"),
        to: "output/inline.html")
      return site
    }

    @Test(arguments: ["image.html", "inline.html"], [false, true])
    func `the poster shows all people in light and dark mode`(path: String, isDark: Bool) throws {
      let site = try built()
      let page = try Browser(scale: 2).page(isDark: isDark)
      try page.open(file: site.folder.path(of: "output/\(path)"))
      let shot = try Pixels(png: page.screenshot(width: 160, height: 200))
      let (ground, ink): ([UInt8], Range<UInt8>) =
        isDark ? ([0x1D, 0x1D, 0x1F, 255], 0xE0..<255) : ([255, 255, 255, 255], 0..<0x40)
      #expect(shot[10, 10] == ground && shot[318, 300] == ground)
      // The poster has a heading, Ada below it, another heading, and two people side by side.
      #expect(shot[160, 160] == [255, 0, 0, 255])
      #expect(shot[110, 360] == [0, 255, 0, 255] && shot[210, 360] == [0, 0, 255, 255])
      let letters = (120..<200).flatMap { x in (20..<100).map { shot[x, $0][0] } }
      #expect(letters.contains(where: ink.contains))
    }

    @Test func `an inline poster has readable text and working links`() throws {
      let axe = try #require(Axe.script, "script/bootstrap test installs it")
      let site = try built()
      for isDark in [false, true] {
        let page = try Browser().page(isDark: isDark)
        try page.open(file: site.folder.path(of: "output/inline.html"))
        #expect(try page.violations(axe) == [])
        try page.close()
      }
    }
  }
}
