import Build
import Foundation
import Gallery
import Manifest
import Plan
import SiteSupport
import TestSupport
import Testing

/// Files for other programs: `feed.json`, `robots.txt` and the sitemap.
struct FeedTests {
  private typealias Mapping = [String: Any]

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

  private func feed(_ site: TestSite) throws -> Mapping {
    try #require(
      JSONSerialization.jsonObject(with: site.folder.read("output/feed.json")) as? Mapping)
  }

  @Test func `a feed says of everybody what the manifest says`() throws {
    let site = try Self.site(
      """
      "site":{"title":"A \\"B\\" </c>","description":"one\\ntwo","language":"de",
      "url":"https://example.org/ä&b"},"pages":{"feed":true,"size":10}
      """)
    let feed = try feed(site)
    let base = "https://example.org/%C3%A4&b/"
    #expect(feed["version"] as? String == "https://jsonfeed.org/version/1.1")
    #expect(feed["title"] as? String == "A \"B\" </c>" && feed["language"] as? String == "de")
    #expect(feed["description"] as? String == "one\ntwo")
    #expect(feed["home_page_url"] as? String == base)
    #expect(feed["feed_url"] as? String == base + "feed.json")
    let items = try #require(feed["items"] as? [Mapping])
    #expect(items.count == Self.names.count)
    #expect(Set(items.compactMap { $0["id"] as? String }).count == items.count)
    for (number, item) in items.enumerated() {
      let name = Self.names[number]
      // Compared by scalars, because `==` ignores how letters are encoded.
      #expect(item["title"].map { Array("\($0)".utf8) } == Array(name.utf8))
      #expect(item["tags"] as? [String] == (number % 4 == 0 ? [name, "tag, two"] : nil))
      let text = [number % 3 == 0 ? name : nil, number % 4 == 0 ? "\(name), tag, two" : nil]
        .compactMap(\.self)
      #expect(
        item["content_text"] as? String == (text.isEmpty ? name : text.joined(separator: "\n")))
      let image = item["image"] as? String
      #expect((image != nil) == (number % 2 == 0))
      if let image {
        let path = try #require(image.hasPrefix(base) ? image.dropFirst(base.count) : nil)
        let picture = try Pixels(png: site.folder.read("output/\(path)"))
        #expect(picture.width == 32)
      }
      // The page of the person, and the person on it.
      let url = try #require(item["url"] as? String)
      let folder = number < 10 ? "" : "page/\(number / 10 + 1)/"
      #expect(url.hasPrefix(base + folder + "#person-id\(number)"))
      let page = HTMLPage(try site.text(folder + "index.html"))
      let anchor = url.drop { $0 != "#" }.dropFirst()
      #expect(page.tags("li").contains { $0["id"].map { $0[...] } == anchor })
      #expect(item["external_url"].map { "\($0)".utf8.allSatisfy { $0 < 0x80 } } == true)
    }
    #expect(items[1]["date_published"] == nil)
  }

  /// A feed cannot have relative addresses.
  @Test func `without an address a feed has no addresses`() throws {
    let site = try Self.site("\"pages\":{\"feed\":true,\"people\":true}")
    let feed = try feed(site)
    #expect(Set(feed.keys) == ["version", "title", "language", "items"])
    for item in try #require(feed["items"] as? [Mapping]) {
      #expect(item["url"] == nil && item["image"] == nil && item["title"] != nil)
    }
    for path in ["robots.txt", "sitemap.xml"] { #expect(!site.outputFiles().contains(path)) }
  }

  @Test func `nothing is made that nobody asks for, and ids stay`() throws {
    let site = try TestSite()
    try site.write([Person("a"), Person("b")])
    try site.build()
    #expect(!site.outputFiles().contains("feed.json"))
    func ids(_ people: [Person], _ more: String) throws -> [String] {
      try site.write(people, more: more)
      try site.build()
      let items = try #require(try feed(site)["items"] as? [Mapping])
      return items.compactMap { $0["id"] as? String }
    }
    let first = try ids([Person("a"), Person("b")], "pages: { feed: true }")
    let url = "site: { url: \"http://example.org\" }\npages: { feed: true }"
    #expect(try ids([Person("b", name: "New"), Person("a")], url) == first.reversed())
    let shape = /urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    #expect(first.allSatisfy { $0.wholeMatch(of: shape) != nil } && Set(first).count == 2)
  }

  @Test func `robots and the map name every page`() throws {
    let site = try Self.site(
      "\"site\":{\"url\":\"https://example.org/a'b&c\"},\"pages\":{\"size\":10},"
        + "\"buttons\":[{\"name\":\"b\",\"normal\":\"red\"}]")
    let base = "https://example.org/a'b&c/"
    #expect(
      try site.text("robots.txt").hasSuffix("\nSitemap: \(base)sitemap.xml\n"))
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
  func `addresses are encoded once`(url: String, base: String) throws {
    let site = try TestSite()
    try site.write([Person("a")], more: "site: { url: \"\(url)\" }")
    try site.build()
    #expect(try Locations(site.folder.read("output/sitemap.xml")).all == [base])
  }

  /// One sitemap can have at most fifty thousand addresses.
  @Test func `a large map is split, with an index`() throws {
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
    #expect(try files(50_000).keys.sorted() == ["robots.txt", "sitemap.xml"])
    let split = try files(120_001)
    #expect(
      split.keys.sorted() == [
        "robots.txt", "sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap.xml",
      ])
    let index = try Locations(try #require(split["sitemap.xml"]))
    #expect(index.root == "sitemapindex")
    #expect(index.all == (1...3).map { "https://example.org/sitemap-\($0).xml" })
    let parts = try (1...3).map { try Locations(try #require(split["sitemap-\($0).xml"])).all }
    #expect(parts.map(\.count) == [50_000, 50_000, 20_001])
    #expect(Set(parts.joined()).count == 120_001 && parts[0][0] == "https://example.org/")
    #expect(split.values.allSatisfy { $0.count < 50_000_000 })
  }
}

/// The addresses of a sitemap, read by a real XML parser.
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
