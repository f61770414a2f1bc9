import SiteSupport

struct EscapingTests {
  static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
    "`onload=alert(1)`", "&lt;b&gt; &amp; &#60;", "</title><script>1</script>", "{{name}}",
    "{{{name}}}", "{{>person}}", "<!--", "--><b>", "]]>", "\u{2028}line\u{2029}",
    "javascript:alert(1)", "data:text/html,<b>", "</bdi></h3></li></ul><h1>", "a=b c=d /",
    "</template></dialog></table>", "\u{202E}gnp.evil\u{202C}", "👩🏽‍🚀👨‍👩‍👧‍👦",
    String(repeating: "<", count: 4_090), "\\u003c\\x3c", "../../../etc/passwd", "?#%2e%2e&a=b",
  ]

  static func site() throws -> TestSite {
    try .shared("hostile words") {
      let site = try TestSite.whole(words: hostile)
      try site.build()
      return site
    }
  }

  /// M17: markup in a text is shown unchanged.
  @Test func `hostile text is displayed unchanged`() throws {
    let site = try Self.site()
    let buttons = try site.page("buttons/index.html")
    let index = try site.page("index.html")
    let tags = try site.page("tags/index.html")
    #expect(index.text(in: "title") { $0.name == "title" } == Self.hostile[5])
    #expect(index.tags("meta").contains { $0["content"] == Self.hostile[1] })
    for (number, person) in try FindingFiles(site).people.enumerated() {
      let word = Self.hostile[number]
      let page = try site.page(try #require(person["page"] as? String))
      #expect(page.text(in: "h1") { $0.name == "h1" } == word)
      if let image = page.tags("img").first { #expect(image["alt"] == word) }
      #expect(tags.texts.contains("\(number)\(word)"))
      let short = word.utf8.count > 60 ? "short" : word
      #expect(buttons.texts.contains("b\(number)\(short)"))
      let people = number < 10 ? "index.html" : "page/\(number / 10 + 1)/index.html"
      let anchor = try #require(person["anchor"] as? String)
      #expect(try site.page(people).text(in: "h3") { $0["id"] == anchor } == word)
    }
    // Class names in the style sheet cannot escape their rule.
    let css = try site.text("buttons.css")
    #expect(css.count { $0 == "{" } == css.count { $0 == "}" })
    #expect(!css.contains("<") && !css.contains("'") && !css.contains("\\"))
  }

  /// G3: ids are valid and unique on each page for any source text, and stable across builds.
  @Test func `element ids are unique and stable`() throws {
    let odd = [
      "list", "List", "_", "__", "a b", "a_20b", "main", "person-x",
      "e\u{301}", String(repeating: "y", count: 200),
      String(repeating: "z", count: 200), "people", "find", "\u{202E}", "0", "-",
    ]
    let site = try TestSite()
    try site.write(
      odd.map { Person($0, background: "red", tags: [$0]) }, more: "pages: { people: true }")
    try site.build()
    let pages = try site.pages()
    #expect(pages.count == 2 * odd.count + 2)
    for (path, page) in pages {
      #expect(Set(page.ids).count == page.ids.count, "\(path)")
      #expect(page.ids.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } })
    }
    #expect(try site.brokenLinks() == [])
    let ids = try site.page("index.html").ids
    try site.write(
      odd.reversed().map { Person($0, background: "blue", tags: [$0]) },
      more: "pages: { people: true }")
    try site.build()
    #expect(Set(try site.page("index.html").ids) == Set(ids))
  }
}
