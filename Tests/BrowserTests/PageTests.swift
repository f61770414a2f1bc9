import SiteSupport

extension InBrowser {
  struct PageTests {
    private func built() throws -> TestSite {
      let site = try TestSite()
      try site.paint("red.png", .red)
      try site.write(
        [Person("a", "red.png"), Person("b", background: "#00ff00")],
        buttons: [
          "name: primary, normal: \"#0a84ff\", disabled: \"#0a84ff59\", title: white",
          "name: \"<Ü 1>\", normal: red, radius: 8, emit: [css, png], dark: { normal: blue }",
        ], more: "exports: [touch]")
      try site.build()
      return site
    }

    /// B9: the button page shows every colour without scripts.
    @Test func `the button page works without scripts`() throws {
      let site = try built()
      let page = try Browser().page()
      try page.forbidScripts()
      try page.open(file: site.folder.path(of: "output/buttons/index.html"))
      let colors: [String] = try page.value(
        of: "[...document.querySelectorAll('.btn-primary')].map(e => "
          + "getComputedStyle(e).backgroundColor)")
      let (normal, disabled) = ("rgb(10, 132, 255)", "rgba(10, 132, 255, 0.35)")
      #expect(colors == [normal, normal, disabled, normal, normal, disabled])
    }

    @Test(arguments: [390, 1_280])
    func `no element overflows the page`(width: Int) throws {
      let site = try built()
      let browser = try Browser()
      for path in ["index.html", "buttons/index.html"] {
        let page = try browser.page(width: width, height: 800)
        try page.open(file: site.folder.path(of: "output/\(path)"))
        #expect(try page.value(of: "document.documentElement.scrollWidth", as: Int.self) <= width)
        let overlaps: [String] = try page.value(
          of: "[...document.querySelectorAll('button')].filter(b => b.scrollWidth > b.clientWidth"
            + " + 1).map(b => b.className)")
        #expect(overlaps == [])
      }
    }
  }
}
