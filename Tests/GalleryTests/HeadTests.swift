import SiteSupport

struct HeadTests {
  private static let base = "https://example.org/team/"

  private func site(_ more: String, people: Int = 12) throws -> TestSite {
    let site = try TestSite()
    try site.write(
      (0..<people).map { Person("p\($0)", name: "Sample \($0)", "color:red") },
      buttons: ["name: b, normal: red"], more: more)
    let result = try site.build()
    // The head uses only documented values.
    let unknown = HTMLPage.headNames.filter { name in
      result.diagnostics.sorted.contains { "\($0)".contains("unknown name \"\(name)\"") }
    }
    #expect(unknown.isEmpty)
    return site
  }

  /// Returns the content of a page's head, preceded by a title line.
  private func head(_ site: TestSite, _ path: String, _ title: String) throws -> String {
    let text = try site.text(path)
    let head = try #require(text.firstMatch(of: /<head>\n(?s:(.*?))<\/head>/)).1
    return "-- \(title): \(path)\n\(String(head).withNumberedDigests)"
  }

  /// G18: the content of the social card is also available as text.
  @Test func `page heads match their snapshot`() throws {
    let full = try site(
      """
      site: { title: "A <b> & \\"c\\"", description: "Few 'words'", url: "\(Self.base)" }
      pages: { size: 10 }
      """)
    let local = try site("site: { title: T, description: D }\npages: { size: 10 }")
    let one = try site("site: { title: T, url: \"\(Self.base)\" }", people: 1)
    let bare = try TestSite()
    try bare.write([Person("a")], more: "site: { title: T, url: \"\(Self.base)\" }")
    try bare.build()
    let heads = [
      try head(full, "index.html", "with a URL"), try head(full, "page/2/index.html", "with a URL"),
      try head(full, "buttons/index.html", "with a URL"), try head(local, "index.html", "without"),
      try head(one, "index.html", "one person"), try head(bare, "index.html", "without a picture"),
    ]
    try expectSnapshot(heads.joined(), "heads.html")
  }

  /// G18: everyone on the social card also appears on the page, with a name.
  @Test func `everyone on the social card is also on the page`() throws {
    let site = try site("site: { url: \"\(Self.base)\" }\npages: { size: 20 }")
    let page = HTMLPage(try site.text("index.html"))
    let card = try #require(page.metas["og:image"]).dropFirst(Self.base.count)
    #expect(!page.tags("img").contains { $0["src"]?[...] == card })
    #expect(page.tags("img").count == 12)
    let cards = page.tags("li").compactMap { $0["id"] }
    let names = cards.map { id in page.text(in: "h3") { $0["id"] == id } }
    #expect(names == (0..<12).map { "Sample \($0)" })
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
}
