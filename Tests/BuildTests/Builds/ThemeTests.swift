import SiteSupport

struct ThemeTests {
  private func site(theme: String? = nil) throws -> TestSite {
    let site = try TestSite()
    try site.write(
      [Person("a", background: "red")],
      more: theme.map { "pages: { theme: \($0) }" } ?? "")
    return site
  }

  @Test func `a theme without a style sheet is an error`() throws {
    let site = try site(theme: "person")
    #expect(try site.mistakes().map(\.id) == ["unknown-theme"])
    #expect(!site.folder.exists("output"))
  }

  @Test(arguments: ["team", "compact", "wall", "mine"])
  func `a theme can be built in or custom`(name: String) throws {
    let site = try site(theme: name)
    if name == "mine" { try site.folder.write("a { color: red }", to: "templates/mine.css") }
    try site.build()
    #expect(!(try site.text("theme.css")).isEmpty)
  }

  @Test func `a theme's partials take precedence over all others`() throws {
    let site = try site(theme: "mine")
    try site.folder.write("a { color: red }", to: "templates/mine.css")
    try site.folder.write("<li>themed person {{>extra}}</li>", to: "templates/mine-person.mustache")
    try site.folder.write("plain words", to: "templates/extra.mustache")
    try site.build()
    #expect(try site.text("index.html").contains("themed person plain words"))
    try site.folder.write("themed words", to: "templates/mine-extra.mustache")
    try site.build()
    #expect(try site.text("index.html").contains("themed person themed words"))
  }

  @Test func `an invalid theme partial is reported by name`() throws {
    let site = try site(theme: "mine")
    try site.folder.write("a { color: red }", to: "templates/mine.css")
    try site.folder.write("{{#total}}", to: "templates/mine-person.mustache")
    guard case .usage(let diagnostics) = try site.failure() else {
      Issue.record("expected a usage error")
      return
    }
    let place = diagnostics.sorted.first?.location
    #expect(place?.file.hasSuffix("templates/mine-person.mustache") == true)
  }

  @Test func `templates for disabled pages are ignored`() throws {
    let name = "diff"
    let site = try site()
    try site.folder.write("a { color: red }", to: "templates/\(name).css")
    try site.age("templates")
    try site.build()
    try site.age("output")
    try site.build()
    #expect(try site.build().report.upToDate)
    let large = Array(repeating: UInt8(ascii: " "), count: 2 << 20)
    try site.folder.write(large, to: "templates/\(name).css")
    try site.folder.write("{{#total}}", to: "templates/\(name).mustache")
    #expect(try site.build().report.upToDate)
    try site.build { $0.fetching.ignoringCache = true }
  }
}
