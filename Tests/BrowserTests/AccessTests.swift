import SiteSupport
import TestSupport
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
      let kinds = ["index", "page/2", "tags/", "people/", "styles/", "buttons/"]
      for kind in kinds { #expect(paths.contains { $0.hasPrefix(kind) }, "\(kind)") }
      // A few people are enough.
      let people = ["otter", "zoe", "broken", "nobody", "plain"].map { "people/\($0)/index.html" }
      for path in paths where !path.hasPrefix("people/") || people.contains(path) {
        let page = try browser.page(width: 1_200, height: 900, isDark: isDark)
        try page.open(site.address(of: path))
        let violations = try page.violations(axe)
        #expect(violations == [], "\(path)")
        try page.close()
      }
    }

    @Test(arguments: [false, true])
    func `nor does what scripts show`(isDark: Bool) throws {
      let axe = try #require(Axe.script, "script/bootstrap test installs it")
      for width in [390, 1_200] {
        let page = try Browser().page(width: width, height: 900, isDark: isDark)
        func expectNone(_ what: String) throws {
          let violations = try page.violations(axe)
          #expect(violations == [], "\(what), \(width)")
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
}
