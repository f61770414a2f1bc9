import Foundation
import SiteSupport
import Sitegen
import TestSupport
import Testing

/// The gallery of whole builds, taken apart as a browser does.
struct GalleryPagesTests {
  /// F6: each `<img>` has integer width and height, the file's pixels over its scale.
  @Test func `every picture says its size`() throws {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.write(
      [Person("a", "red.png"), Person("b", background: "#00ff00"), Person("c")],
      styles: [
        "name: round, size: 16, scales: [1, 2, 3], formats: [webp, png]",
        "name: wide, size: [40, 10], scales: [2, 1.5], formats: [png]",
      ])
    try site.build()
    let sizes = Dictionary(
      try site.assets().images.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let page = HTMLPage(try site.text("index.html"))
    let images = page.tags("img")
    #expect(images.count == 4 && page.tags("picture").count == 4)
    #expect(page.tags("source").count == 2)
    var seen: Set<String> = []
    for image in images {
      let width = try #require(image["width"].flatMap { Int($0) })
      let height = try #require(image["height"].flatMap { Int($0) })
      for candidate in try #require(image["srcset"]).components(separatedBy: ", ") {
        let parts = candidate.components(separatedBy: " ")
        let file = try #require(sizes[parts[0]])
        let scale = try #require(Double(parts[1].dropLast()))
        #expect(parts[1].hasSuffix("x") && scale == file.scale)
        #expect(Double(file.width) / scale == Double(width))
        #expect(Double(file.height) / scale == Double(height))
        seen.insert(parts[0])
      }
      #expect(sizes[try #require(image["src"])] != nil)
    }
    for source in page.tags("source") {
      #expect(source["type"] == "image/webp")
      for candidate in try #require(source["srcset"]).components(separatedBy: ", ") {
        seen.insert(candidate.components(separatedBy: " ")[0])
      }
    }
    #expect(seen == Set(sizes.keys))
  }

  /// F4: the order of the gallery is that of the manifest, also with eight jobs.
  @Test func `people stand in the order of the manifest`() throws {
    let site = try TestSite()
    let ids = (0..<30).map { "user-\(($0 * 7) % 30)" }
    for number in 0..<30 { try site.paint("\(number).png", .init(UInt8(number), 0, 0)) }
    try site.write(ids.enumerated().map { Person($1, "\($0).png") })
    try site.build(jobs: 8)
    let page = HTMLPage(try site.text("index.html"))
    #expect(page.tags("li").compactMap { $0["id"] } == ids.map { "person-" + $0 })
  }

  @Test func `401 users are 3 pages, and every address leads somewhere`() throws {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.write(
      (0..<401).map { Person("user-\($0)", "red.png", title: "No. \($0)") },
      buttons: ["name: primary, normal: red"])
    try site.build()
    let pages = ["index.html", "page/2/index.html", "page/3/index.html"]
    let buttons = "buttons/index.html"
    #expect(site.outputFiles().filter { $0.hasSuffix(".html") } == [buttons] + pages)
    let files = Set(site.outputFiles())
    var people: [Int] = []
    for (number, name) in (pages + [buttons]).enumerated() {
      let page = HTMLPage(try site.text(name))
      people.append(page.tags("li").count { $0["class"] == "person" })
      #expect(page.tags("button").isEmpty == (name != buttons))
      for tag in page.tags {
        var addresses = [tag["href"], tag["src"]].compactMap(\.self)
        addresses += (tag["srcset"] ?? "").components(separatedBy: ", ").filter { !$0.isEmpty }
          .map { $0.components(separatedBy: " ")[0] }
        for address in addresses {
          if address.hasPrefix("#") {
            #expect(page.tags.contains { $0["id"].map { "#" + $0 } == address })
            continue
          }
          #expect(files.contains(Self.path(of: address, on: name)), "\(name): \(address)")
        }
      }
      let current = page.tags("a").filter { $0["aria-current"] == "page" }
      let label = name == buttons ? nil : "Page \(number + 1)"
      #expect(current.count == 1 && current.first?["aria-label"] == label)
    }
    #expect(people == [200, 200, 1, 0])
    // One fewer, and the last page goes.
    try site.write((0..<400).map { Person("user-\($0)", "red.png") })
    try site.build()
    #expect(site.outputFiles().filter { $0.hasSuffix(".html") } == Array(pages.prefix(2)))
    #expect(!site.folder.exists("output/page/3"))
  }

  @Test(arguments: [("ar", "rtl"), ("AR", "rtl"), ("He-IL", "rtl"), ("en", nil), ("arn", nil)])
  func `the language tells the direction, whatever its case`(
    language: String, direction: String?
  ) throws {
    let site = try TestSite()
    try site.write([Person("a")], more: "site: { language: \(language) }")
    try site.build()
    let html = try #require(HTMLPage(try site.text("index.html")).tags("html").first)
    #expect(html["lang"] == language)
    #expect(html["dir"] == direction)
  }

  @Test func `a site of buttons alone leads to them`() throws {
    let site = try TestSite()
    try site.put("version: 1\nbuttons: [{ name: b, normal: red }]\n".utf8, at: "manifest.yaml")
    try site.build()
    let text = try site.text("index.html")
    #expect(!text.contains("Nobody is listed yet.") && !text.contains("People"))
    let links = HTMLPage(text).tags("a").filter { $0["href"] == "buttons/index.html" }
    #expect(links.count == 2)
    let buttons = HTMLPage(try site.text("buttons/index.html"))
    // Black can be read on red.
    #expect(buttons.tags("button").first?["class"] == "btn-b is-light is-normal on-light")
    // Groups, not landmarks, named by the button and the appearance.
    #expect(buttons.tags("section").isEmpty)
    let groups = buttons.tags("div").filter { $0["role"] == "group" }
    #expect(groups.map { $0["aria-label"] } == ["light", "dark"])
    for group in groups {
      let id = try #require(group["id"])
      #expect(group["aria-labelledby"] == "button-b_name " + id)
      #expect(buttons.tags("h2").first?["id"] == "button-b_name")
    }
    // And without buttons there is no page of them.
    try site.write([Person("a")])
    try site.build()
    #expect(!site.folder.exists("output/buttons"))
    #expect(HTMLPage(try site.text("index.html")).tags("nav").isEmpty)
  }

  /// Where a relative address leads from a page, beneath the output.
  private static func path(of address: String, on page: String) -> String {
    var parts = page.split(separator: "/").dropLast()
    for part in address.split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
    "`onload=alert(1)`", "&lt;b&gt; &amp; &#60;", "</title><script>1</script>", "{{name}}",
    "{{{name}}}", "{{>person}}", "<!--", "--><b>", "]]>", "\u{2028}line\u{2029}",
    "javascript:alert(1)", "data:text/html,<b>", "</bdi></h3></li></ul><h1>", "a=b c=d /",
  ]

  /// M17: markup in every field is text: the page has the tags and attributes of a harmless one.
  @Test func `markup in any field is text`() throws {
    func gallery(_ word: (Int) -> String) throws -> (HTMLPage, TestSite) {
      let site = try TestSite(manifest: "content/manifest.json")
      let people = try Self.hostile.indices.map { number in
        try Person(
          "id\(number)" + word(number), name: word(number),
          background: number % 2 == 0 ? "red" : nil,
          title: word(number), tags: [word(number), "tag"],
          link: "https://example.org/?q=\(number)"
        ).json
      }
      let buttons = try Self.hostile.indices.map { number in
        try Person("b\(number)" + word(number)).json
          .replacingOccurrences(of: "\"id\"", with: "\"normal\":\"red\",\"name\"")
      }
      // Site texts take one word each build; the ones that end what they stand in.
      let title = try Person(word(5)).json.replacingOccurrences(of: "\"id\"", with: "\"title\"")
        .dropLast()
      let more = try Person(word(1)).json
        .replacingOccurrences(of: "\"id\"", with: "\"description\"").dropFirst()
      try site.put(
        Array(
          """
          {"version":1,"site":\(title),\(more),
          "avatars":[{"name":"s","size":16,"scales":[1],"formats":["png"]}],
          "buttons":[\(buttons.joined(separator: ","))],
          "users":[\(people.joined(separator: ","))]}
          """.utf8), at: "manifest.json")
      try site.build()
      return (HTMLPage(try site.text("index.html")), site)
    }
    let (page, site) = try gallery { Self.hostile[$0] }
    let (harmless, harmlessSite) = try gallery { "word \($0)" }
    let buttons = HTMLPage(try site.text("buttons/index.html"))
    let harmlessButtons = HTMLPage(try harmlessSite.text("buttons/index.html"))
    #expect(page.skeleton == harmless.skeleton && buttons.skeleton == harmlessButtons.skeleton)
    #expect(page.comments == harmless.comments && buttons.comments == harmlessButtons.comments)
    #expect(page.tags("script").map { $0["src"] } == ["gallery.js"])
    #expect(buttons.tags("script").map { $0["src"] } == ["../gallery.js"])
    for (number, word) in Self.hostile.enumerated() {
      #expect(buttons.texts.contains("b\(number)" + word), "\(word)")
    }
    for tag in page.tags + buttons.tags {
      for attribute in tag.attributes {
        #expect(!attribute.name.hasPrefix("on") && attribute.name != "style")
      }
      if let address = tag["href"] { #expect(!address.lowercased().hasPrefix("javascript:")) }
    }
    // And it is shown as it was written.
    #expect(page.text(in: "title") { $0.name == "title" } == Self.hostile[5])
    for (number, word) in Self.hostile.enumerated() {
      let anchor = harmlessAnchor(page, number)
      #expect(page.text(in: "bdi") { $0["id"] == anchor } == word, "\(word)")
      #expect(page.text(in: "p") { $0["id"] == anchor } == word, "\(word)")
    }
    for (number, image) in page.tags("img").enumerated() {
      #expect(image["alt"] == Self.hostile[number * 2])
    }
    // Class names in the style sheet cannot leave their rule.
    let css = try site.text("buttons.css")
    #expect(css.count { $0 == "{" } == css.count { $0 == "}" })
    #expect(css.count { $0 == "{" } == Self.hostile.count * 4 + 2)
    #expect(!css.contains("<") && !css.contains("'") && !css.contains("\\"))
  }

  private func harmlessAnchor(_ page: HTMLPage, _ number: Int) -> String? {
    page.tags("li").compactMap { $0["id"] }.first { $0.hasPrefix("person-id\(number)_") }
      ?? page.tags("li").compactMap { $0["id"] }.dropFirst(number).first
  }

  /// M17: a link that is no web or mail address is an error of the manifest.
  @Test(arguments: [
    "javascript:alert(1)", "JaVaScript:alert(1)", "data:text/html,<b>", "vbscript:x",
    "file:///etc/passwd", " javascript:alert(1)", "//example.org", "https:", "java\tscript:x",
  ])
  func `only links to web and mail`(link: String) throws {
    let site = try TestSite()
    try site.write([Person("a", link: link)])
    #expect(try site.failure().exitStatus == 2)
    #expect(site.outputFiles().isEmpty)
  }

  static let oddIDs = [
    "../../x", "..", ".", "/etc/passwd", "a/b", "a\\b", "CON", "nul", "Twin", "twin", "TWIN",
    "🧑🏽‍🚀", "-rf", ".hidden", "%2e%2e%2f", "a b", "e\u{301}", String(repeating: "x", count: 250),
    "a%d", "$(id)", "`id`", "*", "?", "#", "~", "x.", "x ", "person-x",
  ]

  /// G29: hostile ids give safe, distinct paths and anchors.
  @Test func `ids reach no path`() throws {
    let site = try TestSite()
    for number in Self.oddIDs.indices {
      try site.paint("\(number).png", .init(UInt8(number), 1, 2))
    }
    try site.write(Self.oddIDs.enumerated().map { Person($1, name: "Nobody", "\($0).png") })
    try site.build()
    #expect(site.assetFiles().count == Self.oddIDs.count)
    #expect(
      Set(site.folder.list().filter { !$0.contains("/") })
        == ["cache", "content", "output", "templates"])
    for path in site.outputFiles() {
      let safe = "abcdefghijklmnopqrstuvwxyz0123456789/-."
      #expect(path.allSatisfy { safe.contains($0) } && !path.contains(".."), "\(path)")
    }
    let users = try site.assets().users
    for (number, id) in Self.oddIDs.enumerated() {
      let image = try #require(users[id]?.avatars["small"]?.first)
      #expect(
        try Pixels(png: site.folder.read("output/\(image.path)")).center
          == [UInt8(number), 1, 2, 255])
    }
    let anchors = HTMLPage(try site.text("index.html")).tags("li").compactMap { $0["id"] }
      .filter { $0.hasPrefix("person-") }
    #expect(Set(anchors).count == Self.oddIDs.count)
    #expect(anchors.allSatisfy { $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } })
  }

  /// M10: ids with the names of our files overwrite none of them.
  @Test func `ids with names of our files`() throws {
    let names = [
      "index", "index.html", "assets", "assets.json", "style.css", "gallery.css", "page",
      ".sitegen-state", ".sitegen-files", ".sitegen-lock", "buttons.css", "avatars.css",
    ]
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.write(names.map { Person($0, "red.png") })
    try site.build()
    let image = try site.image(of: "index").path
    #expect(
      site.outputFiles() == [
        ".sitegen-files", "assets.json", image, "avatars.css", "buttons.css", "gallery.css",
        "gallery.js", "index.html",
      ])
    #expect(try Set(site.assets().users.keys) == Set(names))
    #expect(try site.text("index.html").hasPrefix("<!DOCTYPE html>"))
  }
}
