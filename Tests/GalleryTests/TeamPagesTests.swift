import SiteSupport

struct TeamPagesTests {
  private static let round = "name: round, size: 64, formats: [png]"

  private func built(
    _ pages: String, styles: [String] = [round],
    people: [Person] = [Person("a", background: "red")], site: String = ""
  ) throws -> TestSite {
    let built = try TestSite()
    try built.write(people, styles: styles, more: "site: {\(site)}\npages: { \(pages) }")
    try built.build()
    return built
  }

  /// Returns the first picture's side, its pixel densities and the size of its fallback file.
  private func shown(_ site: TestSite) throws -> (side: Int?, densities: [String], plain: Int) {
    let image = try #require(try site.page("index.html").tags("img").first)
    let file = try #require(try site.assets().images.first { $0.path == image["src"] })
    let densities = (image["srcset"] ?? "").split(separator: ",")
      .map { String($0.split(separator: " ").last ?? "") }
    return (image["width"].flatMap { Int($0) }, densities, file.width)
  }

  @Test func `a picture has the requested size if its files are large enough`() throws {
    let plain = try shown(built("size: 10"))
    #expect(plain == (64, ["2x", "3x"], 64))
    // 192 pixels suffice for 96 points on a 2x screen; the smaller file is only in `src`.
    let asked = try shown(built("pictureSize: 96"))
    #expect(asked == (96, ["2x"], 128))
    #expect(try shown(built("theme: team")) == asked)
    #expect(try shown(built("theme: team, pictureSize: 64")) == plain)
    // A picture is never larger than its largest file.
    let single = try shown(
      built("theme: team", styles: ["name: s, size: 40, scales: [1, 2], formats: [png]"]))
    #expect(single == (80, [], 80))
    // The longer side determines the size, and search results use the same size.
    let wide = try built("pictureSize: 96", styles: ["name: w, size: [64, 32], formats: [png]"])
    #expect(try shown(wide) == (96, ["2x"], 128))
    let styles = try #require(try FindingFiles(wide).people[0]["styles"] as? [FindingFiles.Mapping])
    #expect(styles[0]["zoom"] as? Double == 1.5 && styles[0]["width"] as? Int == 64)
  }

  @Test func `sections follow the manifest's tag order, with untagged people last`() throws {
    let people = [
      Person("a", tags: ["Build", "Home"]), Person("b"), Person("c", tags: ["Talk & Web"]),
      Person("d", tags: ["Home"]), Person("e", tags: ["Build"]),
    ]
    let site = try built("groupBy: tag", people: people)
    let page = try site.page("index.html")
    #expect(
      page.tags("li").compactMap { $0["id"] } == ["a", "e", "c", "d", "b"].map { "person-" + $0 })
    let sections = page.tags("section").compactMap { $0["aria-labelledby"] }
    #expect(
      sections.filter { $0 != "found-title" } == [
        "tag-build", "tag-talk-web", "tag-home", "people",
      ])
    for text in ["Build", "Talk & Web", "Home", "More people"] {
      #expect(page.texts.contains(text), "\(text)")
    }
    // A card does not repeat the name of its section.
    let links = page.links(on: "index.html").compactMap(\.path).filter { $0.hasPrefix("tags/") }
    #expect(links == ["tags/index.html", "tags/home/index.html"])
    #expect(
      try FindingFiles(site).people.compactMap { $0["id"] as? String } == ["a", "e", "c", "d", "b"])
    #expect(try site.brokenLinks() == [])
  }

  @Test func `a site has a home link, a logo and a footer`() throws {
    let none = try built("people: true").page("index.html")
    #expect(none.tags("footer").isEmpty && !none.tags.contains { $0["class"] == "home" })
    let site = try TestSite()
    try site.write(
      [Person("a", background: "red")],
      more: "site: { home: \"https://www.example.org\", logo: mark.svg, footer: © Example }\n"
        + "pages: { people: true }")
    guard case .usage(let diagnostics) = try site.failure() else {
      Issue.record("expected a usage error for the missing logo")
      return
    }
    #expect(diagnostics.sorted.map(\.id) == ["template-unreadable"])
    try site.folder.write("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", to: "templates/mark.svg")
    try site.build()
    #expect(try site.text("logo.svg").hasPrefix("<svg"))
    for (path, root) in [("index.html", ""), ("people/a/index.html", "../../")] {
      let page = try site.page(path)
      #expect(page.texts.contains("© Example"))
      #expect(page.tags("a").contains { $0["href"] == "https://www.example.org" })
      let logo = page.tags("img").first { $0["alt"] == "example.org" }
      #expect(logo?["src"] == root + "logo.svg")
    }
    #expect(try site.brokenLinks() == [])
  }

  @Test func `tag URLs are lowercase and unique`() throws {
    let tags = ["Research & Teaching", "research teaching", "Über uns", "研究", "C++", "page"]
    let site = try built("size: 10", people: [Person("a", tags: tags)])
    #expect(
      site.pageFiles().filter { $0.hasPrefix("tags/") }.sorted() == [
        "tags/_-research_20teaching/index.html", "tags/_e7_a0_94_e7_a9_b6/index.html",
        "tags/c/index.html", "tags/index.html", "tags/page/index.html",
        "tags/research-teaching/index.html", "tags/uber-uns/index.html",
      ])
    let page = try site.page("tags/uber-uns/index.html")
    // The page does not repeat its own tag, and highlights its menu item.
    #expect(
      !page.links(on: "tags/uber-uns/index.html").contains {
        $0.path == "tags/uber-uns/index.html" && $0.anchor == nil
      }
    )
    let current = page.tags("a").filter { $0["aria-current"] != nil }
    #expect(current.map { $0["href"] } == ["../../tags/index.html"])
    #expect(try site.brokenLinks() == [])
  }

  @Test func `a tag shows the pictures of its first few people`() throws {
    let people = (0..<8).map { number in
      Person("p\(number)", background: number == 1 ? nil : "#00000\(number)", tags: ["crew"])
    }
    let page = try built("size: 10", people: people).page("tags/index.html")
    #expect(page.tags("img").count == 5 && page.texts.contains("8 people"))
    #expect(page.texts.contains("+3"))
    #expect(page.tags("img").allSatisfy { $0["alt"] == "" && $0["width"] == "64" })
  }

  @Test func `recipes and file tables appear only in previews or if enabled`() throws {
    let people = [Person("a", background: "red")]
    let published = try built("people: true", people: people)
    #expect(published.pageFiles() == ["index.html", "people/a/index.html"])
    for path in published.pageFiles() {
      let page = try published.page(path)
      #expect(page.tags("table").isEmpty && page.tags("details").isEmpty)
    }
    let asked = try built("people: true, styles: true", people: people)
    #expect(asked.pageFiles().contains("styles/index.html"))
    #expect(try asked.page("people/a/index.html").tags("table").count == 1)
    // A preview shows the style pages unless the manifest disables them.
    try published.build { $0.isPreview = true }
    #expect(published.pageFiles().contains("styles/index.html"))
    try published.build()
    #expect(!published.pageFiles().contains("styles/index.html"))
    try published.write(people, more: "pages: { styles: false }")
    try published.build { $0.isPreview = true }
    #expect(published.pageFiles() == ["index.html"])
  }
}
