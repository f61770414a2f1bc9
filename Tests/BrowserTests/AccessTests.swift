import SiteSupport
import Testing

extension InBrowser {
  /// The complaints of axe-core.
  struct AccessTests {
    /// Its folder is removed with the last reference.
    private let site: TestSite

    init() throws { site = try .gallery(", people: true, cards: true") }

    @Test(arguments: [false, true])
    func `no page breaks a rule of axe`(isDark: Bool) throws {
      let axe = try #require(Axe.script, "script/bootstrap test installs it")
      let browser = try Browser()
      let paths = site.outputFiles().filter { $0.hasSuffix(".html") }
      // Of each kind the first and the last are enough.
      var chosen = Set(["otter", "broken", "nobody"].map { "people/\($0)/index.html" })
      #expect(chosen.isSubset(of: paths))
      for kind in ["index", "page/2", "tags/", "styles/", "buttons/"] {
        let pages = paths.filter { $0.hasPrefix(kind) }
        try chosen.formUnion([#require(pages.first), #require(pages.last)])
      }
      for path in Extent.isAll ? paths : chosen.sorted() {
        let page = try browser.page(width: 1_200, height: 900, isDark: isDark)
        try page.open(site.address(of: path))
        let violations = try page.violations(axe, isDark: isDark)
        #expect(violations == [], "\(path)")
        try page.close()
      }
    }

    @Test(arguments: [(390, false), (1_200, false), (390, true)])
    func `nor does what scripts show`(width: Int, isDark: Bool) throws {
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
      try page.settle()
      try expectNone("detail")
      try page.press(.escape)
      try page.wait(for: "!\(page.isDetailOpen)")
      try page.find(" nobody else", said: "Nobody found")
      try expectNone("nobody")
    }
  }
}
