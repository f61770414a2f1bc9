import SiteSupport

struct SitemapTests {
  static let names =
    EscapingTests.hostile + [
      "comma, semicolon; back\\slash\\", "\\n is no line", "👩‍👩‍👧‍👦 🧑🏽‍🚀 e\u{301}", "\u{202E}revo\u{202C}",
      String(repeating: "漢字", count: 600), "\"quoted\" 'too'", "ends in \\",
    ]

  static func site(_ more: String, link: String? = nil) throws -> TestSite {
    let site = try TestSite(manifest: "content/manifest.json")
    let people = try names.enumerated().map { number, name in
      try Person(
        "id\(number)" + (number == 1 ? name : ""), name: name,
        background: number % 2 == 0 ? "red" : nil, title: number % 3 == 0 ? name : nil,
        tags: number % 4 == 0 ? [name, "tag, two"] : nil,
        link: number == 2 ? "mailto:otter%2Bone@example.org" : "https://example.org/ä?q=a&b='c'"
      ).json
    }
    try site.put(
      Array(
        """
        {"version":1,\(more),
        "avatars":[{"name":"s","size":16,"scales":[1,2],"formats":["webp","png"]}],
        "users":[\(people.joined(separator: ","))]}
        """.utf8), at: "manifest.json")
    try site.build()
    return site
  }

  @Test func `a sitemap requires a site URL`() throws {
    let site = try Self.site("\"pages\":{\"people\":true}")
    for path in ["robots.txt", "sitemap.xml"] { #expect(!site.outputFiles().contains(path)) }
  }

  @Test func `robots.txt and the sitemap cover every page`() throws {
    let site = try Self.site(
      "\"site\":{\"url\":\"https://example.org/a'b&c\"},\"pages\":{\"size\":10},"
        + "\"buttons\":[{\"name\":\"b\",\"normal\":\"red\"}]")
    let base = "https://example.org/a'b&c/"
    #expect(try site.text("robots.txt").hasSuffix("\nSitemap: \(base)sitemap.xml\n"))
    let map = try Locations(site.folder.read("output/sitemap.xml"))
    #expect(map.root == "urlset" && map.first == base)
    let pages = site.outputFiles().filter { $0.hasSuffix(".html") }.map { path in
      base + path.replacing("index.html", with: "")
    }
    #expect(pages.count > 6 && Set(map.all) == Set(pages) && map.all.count == pages.count)
  }

  @Test(arguments: [
    ("https://example.org", "https://example.org/"),
    ("https://example.org/ä/%C3%A4/100%25", "https://example.org/%C3%A4/%C3%A4/100%25/"),
    ("https://münchen.example/[x]", "https://m%C3%BCnchen.example/[x]/"),
  ])
  func `URLs are percent-encoded exactly once`(url: String, base: String) throws {
    let site = try TestSite()
    try site.write([Person("a")], more: "site: { url: \"\(url)\" }")
    try site.build()
    #expect(try Locations(site.folder.read("output/sitemap.xml")).all == [base])
  }

  @Test func `a large sitemap is split into parts with an index`() throws {
    var description = SiteDescription()
    description.url = "https://example.org/"
    func files(_ count: Int) throws -> [String: Data] {
      let pages = ["index.html"] + (1..<count).map { "people/p\($0)/index.html" }
      var files: [String: Data] = [:]
      for page in try #require(Sitemap(description, pages: pages)).files {
        var bytes = Data()
        try page.write { bytes += $0 }
        files[page.path] = bytes
      }
      return files
    }
    #expect(try files(10_000).keys.sorted() == ["robots.txt", "sitemap.xml"])
    let split = try files(20_001)
    #expect(
      split.keys.sorted() == [
        "robots.txt", "sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap.xml",
      ])
    let index = try Locations(try #require(split["sitemap.xml"]))
    #expect(index.root == "sitemapindex")
    #expect(index.all == (1...3).map { "https://example.org/sitemap-\($0).xml" })
    let parts = try (1...3).map { try Locations(try #require(split["sitemap-\($0).xml"])).all }
    #expect(parts.map(\.count) == [10_000, 10_000, 1])
    #expect(Set(parts.joined()).count == 20_001 && parts[0][0] == "https://example.org/")
    #expect(split.values.allSatisfy { $0.count < 50_000_000 })
  }
}

private struct Locations {
  let all: [String]
  let root: String?

  init(_ bytes: Data) throws {
    let elements = try XMLElements(bytes)
    all = elements.named("loc").map(\.text)
    root = elements.all.first?.name
  }

  var first: String? { all.first }
}
