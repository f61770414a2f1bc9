import SiteSupport

extension TestSite {
  /// Three pages of people for read-only tests; some people have unusual names or lack a picture.
  static func gallery(_ pages: String = "", language: String = "en") throws -> TestSite {
    try shared("gallery \(language)\(pages)") { try builtGallery(pages, language) }
  }

  private static func builtGallery(_ pages: String, _ language: String) throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red, side: 96)
    try site.paint("blue.png", .blue, side: 96)
    var people = [
      Person(
        "otter", name: "Sample Otter", "red.png", title: "Gardener", tags: ["founders", "field"],
        link: "https://example.org/otter"),
      Person(
        "zoe", name: "Zoe\u{308} Stra\u{DF}e", "blue.png", title: "\u{152}uvre \u{FB01}nder",
        tags: ["Cr\u{E8}me"]),
      Person("sophos", name: "\u{3A3}\u{39F}\u{3A6}\u{39F}\u{3A3}", "red.png", title: "Gardener"),
      Person("quote", name: "<b>\"Sample\" & 'co'</b>", "blue.png", title: "</script>"),
      Person(
        "plain", name: "Sample Plain", "missing.png", background: "#abcdef", tags: ["field"]),
      Person("broken", name: "Sample Broken", "missing.png", title: "Cook"),
      Person("nobody", name: "Sample Nobody", title: "Cook"),
    ]
    people[0].about = "Digs.\n</script><b>Plants.</b>"
    people[0].links = [
      "https://github.com/otter", "https://example.org/@otter", "mailto:otter@b.example",
    ]
    people += (7..<25).map { number in
      Person(
        "p\(number)", name: "Sample Person \(number)", number % 2 == 0 ? "red.png" : "blue.png",
        title: "Sailor", tags: ["crew"])
    }
    people += (25..<30).map { Person("e\($0)", name: "Extra \($0)", "red.png") }
    try site.write(
      people,
      styles: [
        "name: round, size: 48, scales: [1, 2], formats: [webp, png]",
        "name: tile, size: 32, scales: [1], shape: square, formats: [png]",
      ], buttons: ["name: primary, normal: \"#3e63dd\", title: white"],
      more: "site: { title: Sample people, description: Who there is, language: \(language) }\n"
        + "pages: { size: 10, styles: true\(pages) }")
    try site.buildAsWritten()
    return site
  }

  /// Builds with the repository's templates instead of the compiled-in ones.
  func buildAsWritten() throws {
    let root = Checkout.root
    try build { $0.templates = TemplatesFolder(root.appending(path: "templates").path) }
  }

  func path(of page: String) -> String { folder.path(of: "output/\(page)") }

  func address(of page: String) -> String { "file://\(path(of: page))" }
}

extension BrowserPage {
  /// Types into the search field and waits for the screen reader announcement.
  func find(_ text: String, said: String) throws {
    try run("document.getElementById('find-text').focus()")
    try type(text)
    try wait(for: "document.getElementById('find-said').textContent === '\(said)'")
  }

  /// Selects an option in a menu, as a click would.
  func choose(_ id: String, _ value: String) throws {
    try run(
      """
      (select => { select.value = '\(value)';
        select.dispatchEvent(new Event('input', { bubbles: true })); })(
        document.getElementById('\(id)'))
      """)
  }

  func names() throws -> [String] {
    try value(of: "[...document.querySelectorAll('#results h3')].map(e => e.textContent)")
  }

  func query() throws -> String { try value(of: "location.search") }

  var isDetailOpen: String { "document.getElementById('detail').open" }
}
