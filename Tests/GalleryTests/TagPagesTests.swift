import SiteSupport

struct TagPagesTests {
  @Test func `every tag lists its people on paginated pages`() throws {
    let site = try TestSite.whole(people: 25)
    try site.build()
    let index = try site.page("tags/index.html")
    let links = index.links(on: "tags/index.html").filter { $0.path?.hasPrefix("tags/0") == true }
    #expect(links.map(\.path) == ["tags/0sample-0/index.html"])
    let counts = index.tags("p").count { $0["class"] == "count" }
    #expect(counts == 25)
    let tag = "tags/3sample-3/"
    let pages = ["index.html", "page/2/index.html", "page/3/index.html"].map { tag + $0 }
    #expect(site.pageFiles().filter { $0.hasPrefix(tag) } == pages)
    let people = try pages.flatMap { path in
      try site.page(path).tags("li").filter { $0["class"] == "person" }.compactMap { $0["id"] }
    }
    #expect(people == (3..<25).map { "person-id\($0)_53ample_20\($0)" })
    let first = try site.page(pages[0])
    #expect(first.text(in: "h1") { $0.name == "h1" } == "3Sample 3")
    let next = first.tags("link").first { $0["rel"] == "next" }
    #expect(next.flatMap { PageLink.path(of: $0["href"] ?? "", on: pages[0]) } == pages[1])
    let last = try site.page(pages[2])
    let current = last.tags("a").first { $0["aria-current"] == "page" }
    #expect(current.flatMap { PageLink.path(of: $0["href"] ?? "", on: pages[2]) } == pages[2])
  }

  @Test func `a name links to the person's URL or, without one, to their card`() throws {
    let site = try TestSite.whole(pages: ["people": false])
    try site.build()
    let tag = "tags/0sample-0/page/2/index.html"
    let hrefs = try site.page(tag).links(on: tag).filter { $0.anchor?.hasPrefix("person") == true }
    #expect(hrefs.first?.path == "page/2/index.html")
    #expect(hrefs.first?.anchor == "person-id10_53ample_2010")
    let own = try site.page("page/2/index.html").tags("a").compactMap { $0["href"] }
    #expect(own.contains("#person-id10_53ample_2010"))
    #expect(own.contains("https://example.org/?q=11&amp=1"))
    #expect(try site.brokenLinks() == [])
  }

  /// A thousand tags produce neither a page with a thousand links nor a long header.
  @Test func `a long list of tags is paginated, and the index shows the most frequent`() throws {
    let site = try TestSite()
    let people = (0..<11).map { number in
      Person("p\(number)", tags: (0..<100).map { "tag\(number * 100 + $0)" })
    }
    // These tag names do not collide with page names.
    try site.write(people + [Person("q", tags: ["page", "_", "2"])])
    try site.build()
    let pages = ["tags/index.html", "tags/_/2/index.html", "tags/_/3/index.html"]
    var counts: [Int] = []
    for path in pages {
      let page = try site.page(path)
      counts.append(page.tags("p").count { $0["class"] == "count" })
      let current = page.tags("a").filter { $0["aria-current"] == "page" }
      #expect(current.compactMap { $0["aria-label"] }.count == 1)
      #expect(
        page.links(on: path).filter { $0.isForPeople && pages.contains($0.path ?? "") }.count > 2)
    }
    #expect(counts == [500, 500, 103])
    #expect(site.pageFiles().filter { $0.hasPrefix("tags/_/") } == Array(pages.dropFirst()))
    #expect(site.pageFiles().count { $0.hasPrefix("tags/") } == 1_103 + 3)
    let (reached, _) = try site.reachable()
    #expect(reached == Set(site.pageFiles()))
    #expect(try site.brokenLinks() == [])
    let head = try #require(try FindingFiles(site).head["tags"] as? [[Any]])
    #expect(head.count == 200)
  }

  @Test func `tag pages are built only if they are enabled and there are tags`() throws {
    let site = try TestSite()
    try site.write([Person("a")])
    try site.build()
    #expect(!site.folder.exists("output/tags"))
    try site.write([Person("a", tags: ["one"])], more: "pages: { tags: false }")
    try site.build()
    #expect(!site.folder.exists("output/tags"))
    let page = try site.page("index.html")
    #expect(page.texts.contains("one"))
    #expect(!page.tags("a").contains { $0["href"]?.contains("tags") == true })
    try site.write([Person("a", tags: ["one"])])
    try site.build()
    #expect(site.pageFiles() == ["index.html", "tags/index.html", "tags/one/index.html"])
  }
}
