import SiteSupport

/// The search data for `gallery.js`, read with an independent parser.
struct FindingDataTests {
  @Test func `the details list every picture once, matching assets.json`() throws {
    let site = try TestSite.whole()
    try site.build()
    let data = try FindingFiles(site)
    let users = try site.assets().users
    #expect(data.pageSizes == [10, 10, 3])
    #expect(data.people.count == users.count)
    for (number, person) in data.people.enumerated() {
      let id = try #require(person["id"] as? String)
      #expect(id.hasPrefix("id\(number)S"))
      let user = try #require(users[id])
      #expect(person["name"] as? String == user.name)
      #expect(person["status"] as? String == user.status)
      #expect(person["source"] as? String == user.source)
      #expect((person["reason"] == nil) == (user.reason == nil))
      let page = try #require(person["page"] as? String)
      #expect(try site.page(page).tags("h1").count == 1)
      #expect(
        person["vcard"] as? String == page.replacingOccurrences(of: "index.html", with: "card.vcf"))
      let anchor = try #require(person["anchor"] as? String)
      let people = number < 10 ? "index.html" : "page/\(number / 10 + 1)/index.html"
      #expect(try site.page(people).ids.contains(anchor))
      let styles = try #require(person["styles"] as? [FindingFiles.Mapping])
      #expect(styles.compactMap { $0["name"] as? String } == user.avatars.keys.sorted())
      for style in styles {
        let images = try #require(style["images"] as? [[Any]])
        let name = try #require(style["name"] as? String)
        let expected = try #require(user.avatars[name])
        #expect(images.map { $0[0] as? Double } == expected.map(\.scale))
        #expect(images.map { $0[1] as? String } == expected.map(\.format))
        #expect(images.map { $0[2] as? Int } == expected.map(\.width))
        #expect(images.map { $0[3] as? Int } == expected.map(\.height))
        #expect(images.map { $0[4] as? Int } == expected.map(\.bytes))
        #expect(images.map { $0[5] as? String } == expected.map(\.sha256))
        let first = try #require(expected.first { $0.scale == 1 })
        #expect(style["width"] as? Int == first.width && style["height"] as? Int == first.height)
        #expect((style["color"] as? String)?.count == 7)
        #expect(style["thumbhash"] == nil)
      }
    }
  }

  @Test func `the search index has one line per person in manifest order`() throws {
    let site = try TestSite.whole()
    try site.build()
    let data = try FindingFiles(site)
    #expect(data.partSizes == [23])
    #expect(data.lines.map(\.name) == (0..<23).map { "Sample \($0)" })
    #expect(data.lines.map(\.status) == (0..<23).map { ["o", "o", "x", "f", "k"][$0 % 5] })
    #expect(data.lines[3].tags == ["0Sample 0", "1Sample 1", "2Sample 2", "3Sample 3"])
    #expect(data.lines[4].title == "" && data.lines[5].title == "Sample 5")
    // All texts on this site are ASCII.
    #expect(data.lines.allSatisfy { $0.folded == nil })
    #expect(data.head["people"] as? Int == 23 && data.head["pageSize"] as? Int == 10)
    #expect(data.head["chunk"] as? Int == 4096 && data.head["chunks"] as? Int == 1)
    let tags = try #require(data.head["tags"] as? [[Any]])
    #expect(tags.map { $0[0] as? String } == (0..<23).map { "\($0)Sample \($0)" })
    #expect(tags.map { $0[1] as? Int } == (0..<23).map { 23 - $0 })
    #expect(tags[7][2] as? String == "tags/7sample-7/index.html")
    let statuses = try #require(data.head["statuses"] as? [String: Int])
    #expect(statuses == ["ok": 10, "fallback": 4, "stale": 0, "skipped": 4, "failed": 5])
  }

  @Test func `words with umlauts are found under both spellings`() throws {
    let site = try TestSite()
    try site.write([Person("Thomas Müller", tags: ["Vögel"])])
    try site.build()
    #expect(try FindingFiles(site).lines[0].folded == "thomas muller  vogel thomas mueller")
  }

  @Test func `the search index is split into two parts above 4,096 people`() throws {
    let site = try TestSite()
    try site.write((0..<4_097).map { Person("u\($0)", styles: []) })
    try site.build()
    let data = try FindingFiles(site)
    #expect(data.partSizes == [4_096, 1] && data.pageSizes.count == 41)
    #expect(data.lines.map(\.name) == (0..<4_097).map { "u\($0)" })
  }

  @Test func `tags are merged across normalization forms, then sorted by count and bytes`() throws {
    let site = try TestSite()
    try site.write([
      Person("a", tags: ["b", "é", "Z"]), Person("b", tags: ["a", "e\u{301}"]), Person("c"),
    ])
    try site.build()
    let tags = try #require(try FindingFiles(site).head["tags"] as? [[Any]])
    #expect(tags.map { $0[0] as? String } == ["é", "Z", "a", "b"])
    #expect(tags.map { $0[1] as? Int } == [2, 1, 1, 1])
    #expect(site.pageFiles().count { $0.hasPrefix("tags/") } == 5)
  }

  /// Unlike Swift, scripts compare code units.
  @Test func `a tag has the same spelling everywhere`() throws {
    let site = try TestSite()
    try site.write([
      Person("a", tags: ["re\u{301}sume\u{301}"]), Person("b", tags: ["r\u{E9}sum\u{E9}"]),
      Person("c", tags: ["r\u{E9}sume\u{301}", "re\u{301}sum\u{E9}"]),
    ])
    try site.build()
    let data = try FindingFiles(site)
    let composed = [Array("r\u{E9}sum\u{E9}".utf8)]
    let head = try #require(data.head["tags"] as? [[Any]])
    #expect(head.map { Array(($0[0] as? String ?? "").utf8) } == composed)
    #expect(head.map { $0[1] as? Int } == [3])
    for line in data.lines { #expect(line.tags.map { Array($0.utf8) } == composed) }
    for person in data.people {
      let tags = try #require(person["tags"] as? [String])
      #expect(tags.map { Array($0.utf8) } == composed)
    }
  }

  @Test func `any text survives a round trip through the search data`() throws {
    let words = EscapingTests.hostile + ["Ünïcode Ж", "\\\"\\u0041", "tail\\"]
    let site = try TestSite.whole(words: words)
    try site.build()
    let data = try FindingFiles(site)
    // Bytes are compared, because equal strings may have different encodings.
    #expect(data.lines.map { Array($0.name.utf8) } == words.map { Array($0.utf8) })
    #expect(data.people.map { $0["name"] as? String } == words)
    for (number, line) in data.lines.enumerated() {
      #expect(line.tags == words[...number].enumerated().map { "\($0)\($1)" })
      let hasNext = number >= words.count - 3
      #expect(line.folded == nil || line.folded?.contains("unicode ж") == hasNext)
    }
    // A missing title leaves an extra space.
    #expect(data.lines[words.count - 3].folded?.hasPrefix("unicode ж  0<script>") == true)
  }

  @Test func `a site without people has no search files`() throws {
    let site = try TestSite()
    try site.put("version: 1\nbuttons: [{ name: b, normal: red }]\n".utf8, at: "manifest.yaml")
    try site.build()
    #expect(!site.outputFiles().contains { $0.hasPrefix("data/") })
  }
}
