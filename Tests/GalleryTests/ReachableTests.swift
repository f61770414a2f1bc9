import SiteSupport

struct ReachableTests {
  @Test(arguments: [true, false], [true, false])
  func `every page and picture can be reached through links`(people: Bool, tags: Bool) throws {
    let site = try TestSite.whole(pages: ["people": people, "tags": tags])
    try site.build()
    #expect(try site.brokenLinks() == [])
    let (pages, files) = try site.reachable()
    #expect(pages == Set(site.pageFiles()))
    let images = Set(try site.assets().images.map(\.path))
    #expect(images.count > 20 && images.isSubset(of: files))
    // People without a picture also appear on a page.
    let cards = try site.pageFiles().filter { $0 == "index.html" || $0.hasPrefix("page/") }
      .flatMap { try site.page($0).tags("li") }
    #expect(cards.count { $0["class"] == "person" && $0["id"] != nil } == 23)
  }

  @Test func `the link checker detects broken links`() throws {
    let site = try TestSite()
    try site.folder.write(
      "<a href=\"gone.html\"></a><a href=\"#gone\"></a><a href=\"../up.html\"></a>"
        + "<a id=\"b\" href=\"#b\"></a><img srcset=\"index.html 1x, gone.png 2x\">"
        + "<a href=\"https://example.org/\"></a>",
      to: "output/index.html")
    #expect(
      try site.brokenLinks().map(\.address) == ["gone.html", "#gone", "../up.html", "gone.png"])
  }
}
