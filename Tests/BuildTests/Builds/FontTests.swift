import SiteSupport

struct FontTests {
  private static let square = "name: small, size: 32, scales: [1], shape: square, formats: [png]"

  private func site(_ people: [Person], more: String = "") throws -> TestSite {
    let site = try TestSite()
    try site.write(people, styles: [Self.square], more: more)
    return site
  }

  private func fonts(_ names: [String], in site: TestSite) throws -> String {
    for name in names { try site.folder.write(DeclaredFonts.bytes(name), to: "fonts/\(name)") }
    try site.folder.makeFolder("fonts")
    return site.folder.path(of: "fonts")
  }

  /// D6: without fonts there is a clear error, and the machine's other fonts are not used.
  @Test func `a missing font is reported with its package name`() throws {
    let site = try site([Person("ada", "initials"), Person("fox", name: "🦊", "initials")])
    let folder = try fonts([], in: site)
    let result = try site.build { $0.fontsFolder = folder }
    #expect(result.exitStatus == 1)
    let diagnostics = result.diagnostics.sorted
    #expect(diagnostics.map(\.id) == ["font-missing", "font-missing"])
    #expect(diagnostics[0].note?.contains("fonts-noto-core") == true)
    #expect(diagnostics[1].note?.contains("fonts-noto-color-emoji") == true)
    #expect(diagnostics[0].help?.contains("script/bootstrap") == true)
    #expect(result.report.counters.renders == 0)
  }

  /// D6: other fonts on the machine do not affect the output.
  @Test func `only declared fonts are used`() throws {
    let people = [
      Person("ada", "initials"), Person("heb", name: "דוד", "initials"),
      Person("tib", name: "བོད", "initials"),
    ]
    let declared = [DeclaredFonts.latin, DeclaredFonts.hebrew]
    let poor = try site(people)
    let poorFolder = try fonts(declared, in: poor)
    let rich = try site(people)
    let others = [
      DeclaredFonts.arabic, "truetype/noto/NotoSerif-Bold.ttf",
      "truetype/noto/NotoSerifTibetan-Regular.ttf",
    ].filter { FileManager.default.fileExists(atPath: "\(DeclaredFonts.folder)/\($0)") }
    let richFolder = try fonts(declared + others, in: rich)
    let first = try poor.build { $0.fontsFolder = poorFolder }
    let second = try rich.build { $0.fontsFolder = richFolder }
    #expect(first.diagnostics.sorted.map(\.note) == second.diagnostics.sorted.map(\.note))
    #expect(first.diagnostics.sorted.map(\.id) == ["glyph-missing"])
    #expect(first.diagnostics.sorted.first?.note?.contains("U+0F56") == true)
    let left = try poor.snapshot()
    let right = try rich.snapshot()
    #expect(left == right)
    #expect(left.keys.contains { $0.hasPrefix("assets/") })
  }

  @Test func `a newly installed font is detected`() throws {
    let site = try site([Person("ada", "initials")])
    let folder = try fonts([], in: site)
    #expect(try site.build { $0.fontsFolder = folder }.report.users.failed == 1)
    _ = try fonts([DeclaredFonts.latin], in: site)
    #expect(try site.build { $0.fontsFolder = folder }.report.users.ok == 1)
  }

  @Test func `the manifest's font takes precedence`() throws {
    let people = [Person("ada", "initials"), Person("heb", name: "דוד", "initials")]
    let plain = try site(people)
    try plain.build()
    let own = try site(people, more: "font: letters.ttf")
    try own.put(DeclaredFonts.bytes("truetype/noto/NotoSerif-Bold.ttf"), at: "letters.ttf")
    let result = try own.build()
    #expect(result.report.users.ok == 2)
    #expect(try plain.pixels(of: "ada") != own.pixels(of: "ada"))
    // The custom font lacks Hebrew, so the declared font is used for it.
    #expect(try plain.pixels(of: "heb") == own.pixels(of: "heb"))
    // With a custom font, a site needs no other fonts.
    let folder = try fonts([], in: own)
    let alone = try own.build { $0.fontsFolder = folder }
    #expect(alone.report.users.ok == 1)
    #expect(alone.diagnostics.sorted.map(\.id) == ["glyph-missing"])
  }

  @Test func `changing the custom font changes the picture`() throws {
    let site = try site([Person("ada", "initials")], more: "font: letters.ttf")
    try site.put(DeclaredFonts.bytes(DeclaredFonts.latin), at: "letters.ttf")
    try site.build()
    let first = try site.image(of: "ada")
    try site.put(DeclaredFonts.bytes("truetype/noto/NotoSerif-Bold.ttf"), at: "letters.ttf")
    try site.folder.setModified("content/letters.ttf", to: TestSite.longAgo + 5)
    #expect(try site.build().report.counters.renders == 1)
    #expect(try site.image(of: "ada") != first)
  }

  @Test(arguments: [
    ("gone.ttf", "cannot read the font gone.ttf"), ("../up.ttf", "cannot read the font ../up.ttf"),
    ("text.ttf", "text.ttf is not a TrueType or OpenType font"),
    ("web.woff", "web.woff is not a TrueType or OpenType font"),
  ])
  func `an unusable custom font is a manifest error`(name: String, message: String) throws {
    let site = try site([Person("ada", "initials")], more: "font: \(name)")
    try site.folder.write(DeclaredFonts.bytes(DeclaredFonts.latin), to: "up.ttf")
    try site.put(Array("not a font".utf8), at: "text.ttf")
    try site.put(Array("wOFF0000".utf8), at: "web.woff")
    let mistakes = try site.mistakes()
    let diagnostic = try #require(mistakes.first)
    #expect(diagnostic.id == "font-unusable")
    #expect(diagnostic.message == message)
    #expect(diagnostic.path == "font")
    #expect(diagnostic.location?.position?.line == 2)
    #expect(diagnostic.location?.position?.column == 7)
  }

  @Test func `a damaged custom font affects only the pictures that use it`() throws {
    let site = try site(
      [Person("ada", "initials"), Person("bob", "initials", "identicon")],
      more: "font: letters.ttf")
    try site.put(Array(DeclaredFonts.bytes(DeclaredFonts.latin).prefix(2_000)), at: "letters.ttf")
    let result = try site.build()
    #expect(result.report.users.failed == 1)
    #expect(result.report.users.ok == 1)
    #expect(result.diagnostics.sorted.map(\.id) == ["font-unusable"])
  }

  @Test func `fonts are not loaded if no initials are drawn`() throws {
    let site = try site([Person("ada", "identicon")], more: "font: gone.ttf")
    let folder = try fonts([], in: site)
    #expect(try site.build { $0.fontsFolder = folder }.report.users.ok == 1)
  }

  /// With `--strict`, the build fails, because the change might otherwise go unnoticed.
  @Test func `a missing font is reported even if a later source works`() throws {
    let site = try site([
      Person("ada", "initials", "identicon"), Person("bob", "initials", background: "#5856d6"),
      Person("fox", name: "🦊", "initials", "identicon"),
    ])
    let folder = try fonts([DeclaredFonts.latin], in: site)
    let result = try site.build { $0.fontsFolder = folder }
    #expect(result.exitStatus == 0 && result.report.users.ok == 3)
    let diagnostics = result.diagnostics.sorted
    #expect(diagnostics.map(\.id) == ["font-missing"])
    #expect(diagnostics.map(\.severity) == [.warning])
    let diagnostic = try #require(diagnostics.first)
    #expect(diagnostic.note?.contains("fonts-noto-color-emoji") == true)
    #expect(diagnostic.message.hasPrefix("1 user is shown differently"))
    #expect(try site.build { $0.fontsFolder = folder }.diagnostics.sorted == diagnostics)
    #expect(throws: BuildFailure.self) {
      try site.build {
        $0.fontsFolder = folder
        $0.strict = true
      }
    }
  }

  @Test func `a damaged custom font is reported once, where the manifest names it`() throws {
    let site = try site(
      (0..<5).map { Person("p\($0)", "initials", "identicon") }, more: "font: letters.ttf")
    try site.put(Array(DeclaredFonts.bytes(DeclaredFonts.latin).prefix(5_000)), at: "letters.ttf")
    let result = try site.build()
    #expect(result.report.users.ok == 5)
    let diagnostic = try #require(result.diagnostics.sorted.first)
    #expect(result.diagnostics.sorted.count == 1 && diagnostic.severity == .warning)
    #expect(diagnostic.id == "font-unusable" && diagnostic.path == "font")
    #expect(diagnostic.location?.position?.line == 2)
    #expect(diagnostic.message == "5 users are shown differently because letters.ttf is unusable")
  }
}
