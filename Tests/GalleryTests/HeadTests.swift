import Build
import Diagnostics
import Foundation
import SiteSupport
import TestSupport
import Testing

/// What the head of a page tells other sites.
struct HeadTests {
  private static let base = "https://example.org/team/"

  private func site(_ more: String, people: Int = 12) throws -> TestSite {
    let site = try TestSite()
    try site.write(
      (0..<people).map { Person("p\($0)", name: "Sample \($0)", "color:red") },
      buttons: ["name: b, normal: red"], more: more)
    let result = try site.build()
    // The head uses only known values.
    let unknown = HTMLPage.headNames.filter { name in
      result.diagnostics.sorted.contains { "\($0)".contains("no value is called \"\(name)\"") }
    }
    #expect(unknown.isEmpty)
    return site
  }

  private static let pages = [
    ("index.html", ""), ("page/2/index.html", "page/2/"), ("buttons/index.html", "buttons/"),
  ]

  @Test func `a page tells its address, and the site's card`() throws {
    let site = try site(
      """
      site: { title: "A <b> & \\"c\\"", description: "Few 'words'", url: "\(Self.base)" }
      pages: { size: 10 }
      """)
    for (path, address) in Self.pages {
      let page = HTMLPage(try site.text(path))
      let meta = page.metas
      #expect(meta["og:title"] == page.text(in: "title") { $0.name == "title" })
      #expect(meta["og:title"]?.contains("A <b> & \"c\"") == true)
      #expect(meta["og:description"] == "Few 'words'" && meta["description"] == "Few 'words'")
      #expect(meta["og:type"] == "website" && meta["og:site_name"] == "A <b> & \"c\"")
      #expect(meta["og:url"] == Self.base + address)
      #expect(page.links("canonical") == [Self.base + address])
      #expect(meta["twitter:card"] == "summary_large_image")
      #expect(meta["og:image:width"] == "1200" && meta["og:image:height"] == "630")
      #expect(meta["og:image:type"] == "image/png")
      // G18: what is in the picture is said in words, too.
      #expect(meta["og:image:alt"] == "A <b> & \"c\": pictures of 12 people")
      let image = try #require(meta["og:image"])
      let card = try PNGReader(
        site.folder.read("output/\(image.dropFirst(Self.base.count))"))
      #expect(image.hasPrefix(Self.base) && card.width == 1_200 && card.height == 630)
      // One of each.
      let names = page.tags("meta").compactMap { $0["property"] }
      #expect(Set(names).count == names.count)
    }
  }

  /// G18: the card is a picture beside the page, never instead of it: whoever is on it stands on the
  /// page with a picture that has its words.
  @Test func `nobody is only on the card`() throws {
    let site = try site("site: { url: \"\(Self.base)\" }\npages: { size: 20 }")
    let page = HTMLPage(try site.text("index.html"))
    let card = try #require(page.metas["og:image"]).dropFirst(Self.base.count)
    #expect(!page.tags("img").contains { $0["src"]?[...] == card })
    #expect(page.tags("img").compactMap { $0["alt"] } == (0..<12).map { "Sample \($0)" })
  }

  @Test func `without an address there is only what holds anywhere`() throws {
    let site = try site("site: { title: T, description: D }\npages: { size: 10 }")
    for (path, _) in Self.pages {
      let page = HTMLPage(try site.text(path))
      let names = page.tags("meta").compactMap { $0["property"] ?? $0["name"] }
        .filter { $0.hasPrefix("og:") || $0.hasPrefix("twitter:") }
      #expect(names == ["og:title", "og:description"])
      #expect(page.links("canonical").isEmpty)
    }
  }

  @Test func `without a picture the card is a small one, and one person is named`() throws {
    let site = try TestSite()
    try site.write([Person("a")], more: "site: { title: T, url: \"\(Self.base)\" }")
    try site.build()
    var meta = HTMLPage(try site.text("index.html")).metas
    #expect(meta["twitter:card"] == "summary" && meta["og:image"] == nil)
    try site.write(
      [Person("a", name: "Sample Wren", "color:red")],
      more: "site: { title: T, url: \"\(Self.base)\" }")
    try site.build()
    meta = HTMLPage(try site.text("index.html")).metas
    #expect(meta["og:image:alt"] == "T: Sample Wren")
  }
}

extension HTMLPage {
  fileprivate static let headNames = ["canonical", "card", "head", "image", "url"]

  fileprivate var metas: [String: String] {
    let pairs = tags("meta").compactMap { tag in
      (tag["property"] ?? tag["name"]).map { ($0, tag["content"] ?? "") }
    }
    return Dictionary(pairs) { first, _ in first }
  }

  fileprivate func links(_ relation: String) -> [String] {
    tags("link").filter { $0["rel"] == relation }.compactMap { $0["href"] }
  }
}
