import SiteSupport

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

  /// What stands between the tags of the head, with a title line.
  private func head(_ site: TestSite, _ path: String, _ title: String) throws -> String {
    let text = try site.text(path)
    let head = try #require(text.firstMatch(of: /<head>\n(?s:(.*?))<\/head>/)).1
    return "-- \(title): \(path)\n\(String(head).withNumberedDigests)"
  }

  /// G18: what is in the picture of the card is said in words, too.
  @Test func `heads as text`() throws {
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

  /// G18: the card is a picture beside the page, never instead of it: whoever is on it stands on the
  /// page with a picture that has its words.
  @Test func `nobody is only on the card`() throws {
    let site = try site("site: { url: \"\(Self.base)\" }\npages: { size: 20 }")
    let page = HTMLPage(try site.text("index.html"))
    let card = try #require(page.metas["og:image"]).dropFirst(Self.base.count)
    #expect(!page.tags("img").contains { $0["src"]?[...] == card })
    #expect(page.tags("img").compactMap { $0["alt"] } == (0..<12).map { "Sample \($0)" })
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
