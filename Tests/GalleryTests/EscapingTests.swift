import SiteSupport
import Testing

/// Names and other texts are text on every page.
struct EscapingTests {
  static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
    "`onload=alert(1)`", "&lt;b&gt; &amp; &#60;", "</title><script>1</script>", "{{name}}",
    "{{{name}}}", "{{>person}}", "<!--", "--><b>", "]]>", "\u{2028}line\u{2029}",
    "javascript:alert(1)", "data:text/html,<b>", "</bdi></h3></li></ul><h1>", "a=b c=d /",
    "</template></dialog></table>", "\u{202E}gnp.evil\u{202C}", "👩🏽‍🚀👨‍👩‍👧‍👦",
    String(repeating: "<", count: 4_090), "\\u003c\\x3c", "../../../etc/passwd", "?#%2e%2e&a=b",
  ]

  /// Every page, in an order that does not depend on texts.
  private func pages(of site: TestSite) throws -> [String] {
    func linked(_ page: String) throws -> [String] {
      try site.page(page).links(on: page).filter(\.isForPeople).compactMap(\.path)
    }
    let tags = try linked("tags/index.html").filter { $0.hasPrefix("tags/") }.dropFirst()
    let people = try FindingFiles(site).people.compactMap { $0["page"] as? String }
    let all = site.pageFiles()
    let others = all.filter { !$0.hasPrefix("tags/") && !$0.hasPrefix("people/") }
    return others + ["tags/index.html"] + people
      + tags.flatMap { tag in
        [tag] + all.filter { $0.hasPrefix(tag.dropLast("index.html".count) + "page/") }
      }
  }

  /// M17: markup in any field is text: every page has the tags and attributes of a harmless one.
  @Test func `markup in any field is text`() throws {
    let site = try TestSite.whole(words: Self.hostile)
    let harmless = try TestSite.whole(words: Self.hostile.indices.map { "word \($0)" })
    try site.build()
    try harmless.build()
    let paths = try pages(of: site)
    let others = try pages(of: harmless)
    #expect(paths.count == others.count && Set(paths) == Set(site.pageFiles()))
    for (path, other) in zip(paths, others) {
      let page = try site.page(path)
      let twin = try harmless.page(other)
      #expect(page.skeleton == twin.skeleton, "\(path)")
      #expect(page.comments == twin.comments)
      let root = String(repeating: "../", count: path.split(separator: "/").count - 1)
      #expect(page.tags("script").map { $0["src"] } == [root + "gallery.js"])
      for tag in page.tags {
        for attribute in tag.attributes {
          #expect(!attribute.name.hasPrefix("on") && attribute.name != "style")
        }
        if let address = tag["href"] { #expect(!address.lowercased().hasPrefix("javascript:")) }
      }
    }
    #expect(try site.brokenLinks() == [])
  }

  /// M17: and it is shown as it was written.
  @Test func `every text is shown as it was written`() throws {
    let site = try TestSite.whole(words: Self.hostile)
    try site.build()
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
    // Class names in the style sheet cannot leave their rule.
    let css = try site.text("buttons.css")
    #expect(css.count { $0 == "{" } == css.count { $0 == "}" })
    #expect(!css.contains("<") && !css.contains("'") && !css.contains("\\"))
  }

  /// G3: ids are unique on each page, whatever they are made of, and the same in each build.
  @Test func `ids are unique and stay`() throws {
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
    #expect(pages.count == 2 * odd.count + 3)
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
