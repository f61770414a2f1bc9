import SiteSupport

struct VisitorPagesTests {
  private func built(_ pages: String) throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.write(
      [
        Person("ada", "red.png"), Person("bo", "missing.png"),
        Person("cy", "missing.png", background: "red"), Person("di"),
      ], more: "pages: { people: true\(pages) }")
    try site.build()
    return site
  }

  @Test(arguments: [false, true])
  func `pages list problems only if requested`(isAsked: Bool) throws {
    let site = try built(isAsked ? ", problems: true" : "")
    let files = site.pageFiles() + site.outputFiles().filter { $0.hasPrefix("data/") }
    let all = try files.map { try site.text($0) }.joined()
    for word in ["Failed: ", "Plain colour: ", "No picture: ", "\"failed\""] {
      #expect(all.contains(word) == isAsked, "\(word)")
    }
    // People without a picture always get a silhouette; assets.json contains the reason.
    #expect(try site.page("index.html").tags("li").count { $0["class"] == "person" } == 4)
    let silhouettes = try site.page("index.html").tags("svg")
    #expect(silhouettes.count { $0["class"] == "no-picture" && $0["width"] == "16" } == 2)
    #expect(try site.assets().users["bo"]?.status == "failed")
  }

  @Test func `menus with only one option are omitted`() throws {
    let site = try TestSite()
    func ids(of people: [Person]) throws -> [String] {
      try site.write(people)
      try site.build()
      return try site.page("index.html").tags.compactMap { $0["id"] }
        .filter { $0.hasPrefix("find") }
    }
    #expect(try ids(of: [Person("a", tags: ["t"])]) == [])
    var people = (0..<29).map { Person("p\($0)") }
    #expect(try ids(of: people) == [])
    people.append(Person("last"))
    #expect(try ids(of: people) == ["find", "find-text", "find-sort", "find-said", "find-clear"])
    people[3] = Person("p3", tags: ["t"])
    #expect(try ids(of: people).contains("find-tag"))
  }

  @Test(arguments: [
    ("en", "1,200 people", "1 person"), ("de", "1.200 Personen", "1 Person"),
    ("fr", "1\u{202F}200 personnes", "1 personne"),
  ])
  func `the number of people is formatted for the language`(
    language: String, count: String, one: String
  ) throws {
    let site = try TestSite()
    try site.write(
      (0..<1_200).map { Person("p\($0)", tags: $0 == 0 ? ["one"] : [], styles: []) },
      more: "site: { language: \(language) }")
    try site.build()
    #expect(try site.page("index.html").texts.contains(count))
    #expect(try site.page("tags/one/index.html").texts.contains { $0.hasPrefix(one + " ·") })
  }

  @Test func `a card links to the person's page, which shows the person's links`() throws {
    let site = try TestSite()
    let person = Person("a", link: "https://www.example.org/a/")
    try site.write([person], more: "pages: { people: true }")
    try site.build()
    let links = try site.page("index.html").tags("a").compactMap { $0["href"] }
    #expect(links == ["#main", "people/a/index.html"])
    let page = try site.page("people/a/index.html")
    #expect(page.text(in: "a") { $0["class"] == "profiles" } == "example.org/a")
  }
}
