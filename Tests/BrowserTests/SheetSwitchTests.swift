import SiteSupport

extension InBrowser {
  struct SheetSwitchTests {
    /// F19: one build produces separate images and sprite sheets that look the same.
    @Test func `pictures from a sprite sheet look like the separate files`() throws {
      let site = try TestSite()
      try site.paint("red.png", .red)
      try site.paint("blue.png", .init(0, 0, 255))
      try site.write(
        [Person("a", "red.png"), Person("b", "blue.png")],
        styles: ["name: round, size: 40, scales: [1], formats: [png]"],
        more: "exports: [sprites]\npages: { styles: true }")
      try site.build()
      let page = try Browser().page()
      // The switch needs only the style sheet, not a script.
      try page.forbidScripts()
      try page.open(file: site.folder.path(of: "output/styles/index.html"))
      let single = try shown(page)
      #expect(single.kinds == ["IMG", "IMG"])
      let _: Int = try page.value(of: "document.querySelector('#as-sheet').click() ?? 1")
      let composed = try shown(page)
      #expect(composed.kinds == ["SPAN", "SPAN"])
      for (one, other) in zip(single.pixels, composed.pixels) {
        #expect(one.bytes == other.bytes)
        #expect(one.center != [255, 255, 255, 255])
      }
      #expect(single.pixels[0].center != single.pixels[1].center)
    }

    private func shown(_ page: BrowserPage) throws -> (kinds: [String], pixels: [Pixels]) {
      struct Box: Decodable {
        var kind: String
        var x: Double
        var y: Double
      }
      let boxes: [Box] = try page.value(
        of: "[...document.querySelectorAll('.examples img, .examples .cut')]"
          + ".filter(e => e.getClientRects().length).map(e => { const b ="
          + " e.getBoundingClientRect(); return {kind: e.tagName, x: b.x, y: b.y}; })")
      return (
        boxes.map(\.kind),
        try boxes.map {
          try Pixels(png: page.screenshot(x: $0.x, y: $0.y, width: 40, height: 40))
        }
      )
    }
  }
}
