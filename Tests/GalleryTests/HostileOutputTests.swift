import SiteSupport

struct HostileOutputTests {
  private func site(_ words: [String]) throws -> TestSite {
    let short = words.map { $0.utf8.count > 60 ? "short" : $0 }
    let site = try TestSite.whole(
      words: words,
      more: [
        "site": [
          "title": words[5], "description": words[1], "url": "https://example.org/team/",
        ],
        "exports": ["xcassets", "swift", "android", "sprites", "touch"],
        "icons": ["from": "color:#123456"],
        "strips": short.enumerated().map { ["name": "\($0)\($1)", "color": "#0004", "radius": 1] },
      ])
    try site.build()
    return site
  }

  private func hostileSite() throws -> TestSite {
    try .shared("hostile output") { try site(EscapingTests.hostile) }
  }

  /// M17: in pages, data, style sheets and exports, hostile texts produce the same elements,
  /// attributes, members, rules, lines and constants as harmless texts.
  ///
  /// O1: each text is escaped for the language of its file.
  @Test func `hostile text never changes the structure of a file`() throws {
    let words = EscapingTests.hostile
    let hostile = try OutputShape(of: hostileSite())
    let harmless = try OutputShape(of: site(words.indices.map { "word \($0)" }))
    let kinds = [
      "css", "data", "html", "ico", "js", "json", "png", "swift", "txt", "vcf", "webmanifest",
      "xml",
    ]
    #expect(hostile.shapes.keys.sorted() == kinds && harmless.shapes.keys.sorted() == kinds)
    for kind in kinds {
      let (found, wanted) = (hostile.shapes[kind] ?? [], harmless.shapes[kind] ?? [])
      #expect(found.count == wanted.count, "\(kind)")
      for (one, other) in zip(found, wanted) where one != other {
        let start = one.commonPrefix(with: other).count
        Issue.record(
          "\(kind): \(one.dropFirst(start).prefix(80)) | \(other.dropFirst(start).prefix(80))")
      }
    }
    for kind in ["json", "data", "vcf"] {
      let texts = hostile.texts[kind] ?? []
      #expect(words.filter { !texts.contains($0) } == [], "\(kind)")
    }
  }

  /// M17: valid links stay inside their attribute and on their line.
  @Test func `links never change the structure of a file`() throws {
    func shape(_ links: [String]) throws -> OutputShape {
      let site = try TestSite(manifest: "content/manifest.json")
      let users = links.enumerated().map {
        ["id": "u\($0)", "name": "Sample \($0)", "link": "https://example.org/" + $1]
      }
      let manifest: [String: Any] = [
        "version": 1, "users": users, "pages": ["people": true, "cards": true],
        "avatars": [["name": "s", "size": 16, "scales": [1], "formats": ["png"]]],
      ]
      try site.put(JSONSerialization.data(withJSONObject: manifest), at: "manifest.json")
      try site.build()
      return try OutputShape(of: site)
    }
    let hostile = [
      "'onclick='alert(1)", "&quot;&#34;&#x22;", "?a=b;c,d&lt=1", "%22%3E%0D%0AX:1",
      "#javascript:alert(1)", "*/]]--!", "\u{202E}ä", "?\u{E9}=\u{FF02}",
    ]
    let found = try shape(hostile)
    #expect(try found.shapes == shape(hostile.indices.map { "\($0)" }).shapes)
    let links = hostile.map { "https://example.org/" + $0 }
    #expect(found.texts["data"]?.isSuperset(of: links) == true)
  }

  /// O1: scripts and styles are files in the site, and links lead to pages or mailboxes.
  @Test func `pages contain no inline code`() throws {
    let site = try hostileSite()
    let pages = try site.pages()
    #expect(pages.count > 60)
    for (path, page) in pages {
      let root = String(repeating: "../", count: path.split(separator: "/").count - 1)
      let scripts = [root + "gallery.js", root + "buttons.js"]
      #expect(page.tags("style").isEmpty && page.tags("base").isEmpty, "\(path)")
      #expect(page.tags("script").allSatisfy { scripts.contains($0["src"] ?? "") })
      #expect(page.text(in: "script") { $0.name == "script" } == "")
      for attribute in page.tags.flatMap(\.attributes) {
        let isCode = attribute.name.hasPrefix("on") || ["style", "srcdoc"].contains(attribute.name)
        #expect(!isCode, "\(path): \(attribute)")
      }
      for tag in page.tags {
        for name in ["href", "src", "action", "formaction", "poster", "data"] {
          guard let address = tag[name], let scheme = address.prefixMatch(of: /[^\/?#]*:/) else {
            continue
          }
          #expect(["https:", "http:", "mailto:"].contains(String(scheme.0)), "\(path): \(address)")
          #expect(tag.name == "a" || tag["rel"] == "canonical", "\(path): \(tag)")
        }
      }
    }
  }

  /// O1: on any server, pages allow exactly what the preview allows.
  @Test func `every page declares a strict security policy before it loads anything`() throws {
    let site = try hostileSite()
    for (path, page) in try site.pages() {
      let metas = page.tags("meta").filter { $0["http-equiv"] != nil }
      #expect(metas.map { $0["http-equiv"] } == ["Content-Security-Policy"], "\(path)")
      let start = try #require(page.tags.firstIndex { $0["http-equiv"] != nil })
      #expect(Set(page.tags[..<start].map(\.name)) == ["html", "head", "meta"], "\(path)")
      var policy: [String: [String]] = [:]
      for directive in try #require(metas.first?["content"]).split(separator: ";") {
        let words = directive.split(separator: " ").map { String($0) }
        #expect(policy.updateValue(Array(words.dropFirst()), forKey: words[0]) == nil)
      }
      let own = ["'self'", "file:"]
      #expect(
        policy == [
          "default-src": ["'self'"], "img-src": own, "script-src": own, "style-src": own,
          "object-src": ["'none'"], "base-uri": ["'none'"], "form-action": ["'none'"],
        ], "\(path)")
    }
  }

  /// O2: pictures are named by their bytes, and no published file contains a source file's name.
  @Test func `source file names are not published`() throws {
    let site = try TestSite()
    let secret = "zoe.secret@example.org"
    try site.paint("\(secret)/\(secret).png", .red)
    try site.write(
      [
        Person("a", "\(secret)/\(secret).png"), Person("b", "\(secret).jpg", background: "red"),
        Person("c", "../\(secret)"), Person("d", "./\(secret)/"),
      ], more: "pages: { people: true, cards: true }\nexports: [swift, sprites]")
    try site.build()
    #expect(try !site.assets().users.isEmpty)
    for path in site.outputFiles() {
      #expect(!path.contains("secret"))
      let bytes = try site.folder.read("output/\(path)")
      #expect(bytes.range(of: Data("zoe.secret".utf8)) == nil, "\(path)")
      guard path.hasPrefix("assets/") else { continue }
      let name = path.split(separator: "/").last?.split(separator: ".").first
      #expect(name == Digest(of: bytes).hex[...])
    }
  }
}
