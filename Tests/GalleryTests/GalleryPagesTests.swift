import Bytes
import SiteSupport

struct GalleryPagesTests {
  /// F4: the gallery is in manifest order, even with eight jobs.
  @Test func `people appear in manifest order`() throws {
    let site = try TestSite()
    let ids = (0..<30).map { "user-\(($0 * 7) % 30)" }
    for number in 0..<30 { try site.paint("\(number).png", .init(UInt8(number), 0, 0)) }
    try site.write(ids.enumerated().map { Person($1, "\($0).png") })
    try site.build(jobs: 8)
    let page = HTMLPage(try site.text("index.html"))
    #expect(page.tags("li").compactMap { $0["id"] } == ids.map { "person-" + $0 })
  }

  @Test func `a site with 201 users has three pages, and every link works`() throws {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.write(
      (0..<201).map { Person("user-\($0)", "red.png", title: "No. \($0)") },
      buttons: ["name: primary, normal: red"], more: "pages: { styles: false }")
    try site.build()
    let pages = ["index.html", "page/2/index.html", "page/3/index.html"]
    let buttons = "buttons/index.html"
    #expect(site.pageFiles() == [buttons] + pages)
    #expect(try site.brokenLinks() == [])
    var people: [Int] = []
    for (number, name) in (pages + [buttons]).enumerated() {
      let page = try site.page(name)
      people.append(page.tags("li").count { $0["class"] == "person" && $0["id"] != nil })
      let current = page.tags("a").filter { $0["aria-current"] == "page" }
      let labels = current.compactMap { $0["aria-label"] }
      #expect(labels == (name == buttons ? [] : ["Page \(number + 1)"]))
    }
    #expect(people == [100, 100, 1, 0])
    // Only the buttons page links to the buttons page, which is for the site's author.
    let linking = try (pages + [buttons]).filter { name in
      try site.page(name).links(on: name).contains { $0.path == buttons && $0.anchor == nil }
    }
    #expect(linking == [buttons])
    // With one person fewer, the last page is removed.
    try site.write((0..<200).map { Person("user-\($0)", "red.png") })
    try site.build()
    #expect(site.pageFiles() == Array(pages.prefix(2)))
    #expect(!site.folder.exists("output/page/3"))
  }

  @Test func `without pages, a site contains only pictures, assets.json and exports`() throws {
    let site = try TestSite()
    try site.paint("red.png", .red)
    let people = (0..<3).map { Person("user-\($0)", "red.png", tags: ["a"]) }
    let more = "exports: [aliases]\nsite: { url: \"https://example.org/\" }\npages: "
    try site.write(people, buttons: ["name: primary, normal: red"], more: more + "{ people: true }")
    try site.build()
    let before = try site.snapshot()
    try site.write(people, buttons: ["name: primary, normal: red"], more: more + "false")
    try site.build()
    let files = site.folder.list().filter { $0.hasPrefix("output/") && $0.contains(".") }
      .map { $0.dropFirst("output/".count) }.filter { !$0.hasPrefix(".") }
    let others = files.filter { !$0.hasPrefix("assets/") && !$0.hasPrefix("u/") }
    #expect(others.sorted() == ["assets.json", "avatars.css", "buttons.css"])
    #expect(files.contains("u/user-0/small.png"))
    // The social card is rendered only if there are pages.
    #expect(files.count { $0.hasSuffix(".png") && $0.hasPrefix("assets/") } > 0)
    #expect(try site.brokenLinks() == [])
    #expect(try site.build().report.counters.written == 0)
    try site.write(people, buttons: ["name: primary, normal: red"], more: more + "{ people: true }")
    try site.build()
    #expect(try site.snapshot() == before)
  }

  @Test func `the manifest sets the page size`() throws {
    let site = try TestSite()
    try site.write((0..<21).map { Person("u\($0)") }, more: "pages: { size: 10 }")
    try site.build()
    #expect(site.pageFiles() == ["index.html", "page/2/index.html", "page/3/index.html"])
    let page = try site.page("page/2/index.html")
    #expect(page.tags("li").compactMap { $0["id"] } == (10..<20).map { "person-u\($0)" })
  }

  @Test func `links to distant pages are replaced by gaps`() throws {
    let site = try TestSite()
    try site.write((0..<200).map { Person("u\($0)") }, more: "pages: { size: 10 }")
    try site.build()
    func numbers(_ path: String) throws -> [String] {
      try site.page(path).tags("a").compactMap { $0["aria-label"] }
    }
    #expect(try numbers("index.html") == [1, 2, 3, 20].map { "Page \($0)" })
    #expect(try numbers("page/10/index.html") == [1, 8, 9, 10, 11, 12, 20].map { "Page \($0)" })
    // If a gap would hide a single page, that page is linked instead.
    let near = [1, 2, 3, 4, 5, 6, 7, 20]
    #expect(try numbers("page/5/index.html") == near.map { "Page \($0)" })
    let far = [1, 14, 15, 16, 17, 18, 19, 20]
    #expect(try numbers("page/16/index.html") == far.map { "Page \($0)" })
    let gaps = try site.page("page/5/index.html").texts.count { $0 == "…" }
    #expect(gaps == 1)
    #expect(try numbers("page/19/index.html") == [1, 17, 18, 19, 20].map { "Page \($0)" })
  }

  @Test(arguments: [
    ("AR", "rtl"), ("He-IL", "rtl"), ("en", nil), ("arn", nil), ("ckb", "rtl"), ("ks-IN", "rtl"),
    ("ku", nil), ("ku-ARAB-IQ", "rtl"), ("ar-arb-Latn", nil), ("ff-Adlm", "rtl"), ("de-1996", nil),
    ("en-x-arab", nil), ("he-u-nu-latn", "rtl"),
  ])
  func `the text direction depends on the script or the language`(
    language: String, direction: String?
  ) throws {
    let site = try TestSite()
    try site.write([Person("a")], more: "site: { language: \(language) }")
    try site.build()
    let html = try #require(HTMLPage(try site.text("index.html")).tags("html").first)
    #expect(html["lang"] == language)
    #expect(html["dir"] == direction)
  }

  @Test func `a site with only buttons links to the button page`() throws {
    let site = try TestSite()
    try site.put("version: 1\nbuttons: [{ name: b, normal: red }]\n".utf8, at: "manifest.yaml")
    try site.build()
    let text = try site.text("index.html")
    #expect(!text.contains("There are no people yet.") && !text.contains("People"))
    let links = HTMLPage(text).tags("a").filter { $0["href"] == "buttons/index.html" }
    #expect(links.count == 2)
    let buttons = HTMLPage(try site.text("buttons/index.html"))
    // Black text is readable on red.
    #expect(buttons.tags("button").first?["class"] == "btn-b is-light is-normal on-light")
    // The groups are not landmarks, and are labelled with their appearance.
    #expect(buttons.tags("section").isEmpty)
    let groups = buttons.tags("div").filter { $0["role"] == "group" }
    #expect(groups.map { $0["aria-label"] } == ["Light", "Dark"])
    for group in groups {
      let id = try #require(group["id"])
      #expect(group["aria-labelledby"] == "button-b_name " + id)
      #expect(buttons.tags("h2").first?["id"] == "button-b_name")
    }
    try site.write([Person("a")])
    try site.build()
    #expect(!site.folder.exists("output/buttons"))
    #expect(!HTMLPage(try site.text("index.html")).tags("nav").contains { $0["class"] == "links" })
  }

  /// M17: links other than web and mail addresses are not published.
  @Test(arguments: [
    "javascript:alert(1)", "JaVaScript:alert(1)", "data:text/html,<b>", "vbscript:x",
    "file:///etc/passwd", " javascript:alert(1)", "//example.org", "https:", "java\tscript:x",
  ])
  func `only web and email links are published`(link: String) throws {
    let site = try TestSite()
    try site.write([Person("a", link: link)])
    #expect(try site.build().diagnostics.sorted.count == 1)
    for page in try site.pages().values {
      #expect(!page.tags("a").contains { $0["href"]?.trimmed == link.trimmed })
    }
  }

  static let oddIDs = [
    "../../x", "..", ".", "/etc/passwd", "a/b", "a\\b", "CON", "nul", "Twin", "twin", "TWIN",
    "🧑🏽‍🚀", "-rf", ".hidden", "%2e%2e%2f", "a b", "e\u{301}", String(repeating: "x", count: 250),
    "a%d", "$(id)", "`id`", "*", "?", "#", "~", "x.", "x ", "person-x",
  ]

  /// G29: hostile ids produce safe, distinct paths and anchors.
  @Test func `hostile ids never appear in a path`() throws {
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

  /// M10: ids that match names of generated files overwrite none of them.
  @Test func `ids cannot overwrite generated files`() throws {
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
      site.outputFiles().filter { !$0.hasSuffix(".js") } == [
        ".sitegen-files", "assets.json", image, "avatars.css", "buttons.css", "gallery.css",
        "icons/initials.svg", "index.html",
      ])
    #expect(try Set(site.assets().users.keys) == Set(names))
    #expect(try site.text("index.html").hasPrefix("<!DOCTYPE html>"))
  }
}
