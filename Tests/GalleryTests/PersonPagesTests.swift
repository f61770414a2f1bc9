import SiteSupport

struct PersonPagesTests {
  private static let path = "people/id6_53ample_206/index.html"

  @Test func `a person's page lists every file in every style`() throws {
    let site = try TestSite.whole()
    try site.build()
    #expect(site.pageFiles().count { $0.hasPrefix("people/") } == 23)
    let page = try site.page(Self.path)
    let user = try #require(try site.assets().users["id6Sample 6"])
    let images = ["small", "wide"].flatMap { user.avatars[$0] ?? [] }
    #expect(images.count == 6)
    let rows = page.tags("a").compactMap { $0["href"] }.filter { $0.hasPrefix("../../assets/") }
    #expect(rows == images.map { "../../\($0.path)" })
    for image in images {
      #expect(page.texts.contains(image.sha256) && page.texts.contains("\(image.bytes)"))
      #expect(page.texts.contains("\(image.width) × \(image.height)"))
    }
    // The tallest picture has its file's size, and the others have their normal sizes. Only the
    // first one has alternative text.
    #expect(page.tags("img").map { $0["width"] } == ["72", "16", "24"])
    #expect(page.tags("img").map { $0["alt"] } == ["Sample 6", "", ""])
    #expect(page.tags("details").count == 1 && page.tags("details").first?["open"] == nil)
    #expect(page.texts.contains("Made from: color"))
    let hrefs = page.links(on: Self.path)
    #expect(hrefs.contains { $0.path == "styles/index.html" && $0.anchor == "style-wide" })
    #expect(hrefs.contains { $0.path == "tags/6sample-6/index.html" })
    #expect(hrefs.contains { $0.address == "https://example.org/?q=6&amp=1" })
    #expect(hrefs.contains { $0.path == "index.html" && $0.anchor == "person-id6_53ample_206" })
  }

  @Test func `a person's page shows title, text and links`() throws {
    let site = try TestSite()
    let user = """
      {id: a, name: Sample, avatar: "color:red", title: Cook, organisation: "Inn & Co", about: "One <b>\\nTwo",
       link: "https://c.example",
       links: ["https://www.github.com/a", "https://example.org/@a", "mailto:a@b.example?subject=x", "http://www.c.example/",
         "http://github.com/a", "https://d.example/faculty/department/group/people/sample/index.html",
         "https://people.institute.example/~ada/publications"]}
      """
    try site.folder.write(
      "version: 1\nsite: {url: \"https://t.example\"}\npages: {people: true, cards: true}\nusers:\n  - \(user)\n",
      to: "content/manifest.yaml")
    try site.build()
    let page = try site.page("people/a/index.html")
    #expect(page.texts.contains("Cook · Inn & Co") && page.texts.contains("One <b>\nTwo"))
    let links = page.tags("a").filter { $0["rel"] == "me" }
    // Repeated links are listed once, and long labels are shortened.
    #expect(links.map { $0["class"] } == ["web", "code", "talk", "mail", "web", "web"])
    for label in [
      "GitHub", "@a@example.org", "a@b.example", "c.example", "d.example/…/sample",
      "people.institute.example/…/publications",
    ] {
      #expect(page.texts.contains(label))
    }
    #expect(try site.page("index.html").texts.contains("Cook · Inn & Co"))
    let card = try VCard(site.folder.read("output/people/a/card.vcf"))
    #expect(card["ORG"]?.texts == ["Inn & Co"] && card["NOTE"]?.texts == ["One <b>\nTwo"])
    #expect(card.lines.count { $0.name == "URL" } == 7)
  }

  @Test(arguments: [(16, 64), (64, 96), (128, 192), (300, 192)])
  func `a small photo is enlarged by at most half`(side: Int, shown: Int) throws {
    let site = try TestSite()
    try site.paint("a.png", .red, side: side)
    try site.write(
      [Person("a", "a.png")], styles: ["name: s, size: 64"], more: "pages: { people: true }")
    try site.build()
    #expect(try site.page("people/a/index.html").tags("img").first?["width"] == "\(shown)")
  }

  @Test func `a person's page links to the previous and next person`() throws {
    let site = try TestSite.whole()
    try site.build()
    func neighbours(_ number: Int) throws -> [String?] {
      let page = try site.page("people/id\(number)_53ample_20\(number)/index.html")
      return ["prev", "next"].map { rel in page.tags("a").first { $0["rel"] == rel }?["href"] }
    }
    #expect(try neighbours(0) == [nil, "../../people/id1_53ample_201/index.html"])
    #expect(
      try neighbours(9) == [
        "../../people/id8_53ample_208/index.html", "../../people/id10_53ample_2010/index.html",
      ])
    #expect(try neighbours(22) == ["../../people/id21_53ample_2021/index.html", nil])
  }

  @Test func `the page for a person without a picture says why it is missing`() throws {
    let site = try TestSite.whole()
    try site.build()
    let failed = try site.page("people/id2_53ample_202/index.html")
    #expect(failed.tags("img").isEmpty && failed.tags("table").isEmpty)
    #expect(failed.texts.contains("Failed: the picture file cannot be opened or read"))
    let skipped = try site.page("people/id4_53ample_204/index.html")
    #expect(skipped.texts.contains { $0.hasPrefix("No picture: ") })
  }

  @Test(arguments: [true, false])
  func `a person's page links to the contact card if one exists`(cards: Bool) throws {
    let site = try TestSite.whole(pages: ["cards": cards])
    try site.build()
    let hrefs = try site.page(Self.path).tags("a").compactMap { $0["href"] }
    #expect(hrefs.contains("../../people/id6_53ample_206/card.vcf") == cards)
  }

  @Test func `person pages are disabled by default`() throws {
    let site = try TestSite.whole(pages: ["people": false])
    try site.build()
    #expect(!site.pageFiles().contains { $0.hasPrefix("people/") })
  }
}
