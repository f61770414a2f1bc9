import SiteSupport

extension InBrowser {
  struct AccessTests {
    private let site: TestSite

    init() throws { site = try .gallery(", people: true, cards: true") }

    @Test(arguments: [false, true])
    func `axe-core finds no violations on any page`(isDark: Bool) throws {
      let axe = try #require(Axe.script, "script/bootstrap test installs it")
      let browser = try Browser()
      let paths = site.outputFiles().filter { $0.hasSuffix(".html") }
      // One page of each kind; the first tag page lists all tags, so the last one is added.
      var chosen = Set(["otter", "broken"].map { "people/\($0)/index.html" })
      #expect(chosen.isSubset(of: paths))
      // Dark mode changes only colours, so fewer pages suffice.
      for kind in ["index"] + (isDark ? [] : ["tags/", "styles/", "buttons/"]) {
        let pages = paths.filter { $0.hasPrefix(kind) }
        chosen.insert(try #require(pages.first))
        if kind == "tags/" { chosen.insert(try #require(pages.last)) }
      }
      for path in Extent.isAll ? paths : chosen.sorted() {
        let page = try browser.page(width: 1_200, height: 900, isDark: isDark)
        try page.open(site.address(of: path))
        let violations = try page.violations(axe, isDark: isDark)
        #expect(violations == [], "\(path)")
        try page.close()
      }
    }

    @Test(arguments: Extent.isAll ? [(390, false), (1_200, true)] : [(390, true)])
    func `axe-core finds no violations in dynamic views`(width: Int, isDark: Bool) throws {
      let axe = try #require(Axe.script, "script/bootstrap test installs it")
      let page = try Browser().page(width: width, height: 900, isDark: isDark)
      func expectNone(_ what: String) throws {
        let violations = try page.violations(axe, isDark: isDark)
        #expect(violations == [], "\(what)")
      }
      try page.open(site.address(of: "index.html"))
      try page.find("sample", said: "23 people found")
      try expectNone("found")
      try page.run("sitegen.opener(document.querySelector('#results .person')).click()")
      try page.wait(for: page.isDetailOpen)
      try page.waitForPaint()
      try expectNone("detail")
      try page.press(.escape)
      try page.wait(for: "!\(page.isDetailOpen)")
      try page.find(" nobody else", said: "No matches")
      try expectNone("nobody")
    }
  }
}
