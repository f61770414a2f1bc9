import SiteSupport

struct ListFolderTests {
  private func site(_ from: String) throws -> TestSite {
    let site = try TestSite()
    try site.folder.write(
      "version: 1\navatars: [{ \(TestSite.small) }]\nusers: { from: \"\(from)\" }\nallowOutside: true\n",
      to: "content/manifest.yaml")
    return site
  }

  @Test func `glob patterns do not match generated files`() throws {
    let site = try site("**")
    try site.paint("a.png", .red)
    try site.paint("x/b.png", .blue)
    for _ in 1...2 {
      let result = try site.build { options in
        options.output = site.folder.path(of: "content/x/site")
        options.cache = site.folder.path(of: "content/x/y/cache")
      }
      #expect(result.report.users.total == 2)
    }
  }

  @Test(arguments: ["../output", "../cache"]) func `a list cannot be in the output or the cache`(
    from: String
  ) throws {
    let site = try site("a*.png")
    try site.paint("a.png", .red)
    try site.build()
    try site.folder.write(
      "version: 1\nusers: { from: \(from) }\nallowOutside: true\n", to: "content/manifest.yaml")
    let mistakes = try site.mistakes()
    #expect(mistakes.contains { $0.note?.contains("a cache that sitegen wrote") == true })
  }

  @Test func `a new picture in a subfolder adds a new person`() throws {
    let site = try site("p/**")
    try site.paint("p/a/a.png", .red)
    #expect(try site.build().report.users.total == 1)
    try site.paint("p/a/b.png", .red)
    #expect(try site.build().report.users.total == 2)
    try site.paint("p/c/d/e.png", .red)
    #expect(try site.build().report.users.total == 3)
    // A symlink may form a cycle.
    try site.folder.link("content/p/loop", to: "..")
    #expect(try site.build().report.users.total == 3)
  }

  @Test func `pictures are recognized by content, and unsupported formats are counted`() throws {
    let site = try site("p")
    for name in ["ada", "bob.png"] { try site.paint("p/" + name, .red) }
    for name in ["cem.tiff", "Dee.BMP", "eve.tif", "favicon.ico", "notes", "list.txt"] {
      try site.put(Array("text".utf8), at: "p/" + name)
    }
    let result = try site.build()
    #expect(Set(try site.assets().users.values.map(\.name)) == ["Ada", "Bob"])
    let told = result.diagnostics.sorted.filter { $0.id == "unsupported-format" }
    #expect(told.map(\.message) == [#"cannot use 4 pictures, such as "Dee.BMP""#])
  }

  /// Names in macOS archives use NFD, and typed names in lists use NFC.
  @Test(arguments: [("\u{E9}", "e\u{301}"), ("e\u{301}", "\u{E9}")])
  func `file names match in any Unicode normalization form`(listed: String, there: String) throws {
    let site = try site("a.csv")
    try site.put(
      Array("id,photo\na,p\(listed)/J\(listed).png\nb,J\(listed)x.png\n".utf8), at: "a.csv")
    try site.paint("p\(there)/J\(there).png", .red)
    let first = try site.build()
    #expect(try site.pixels(of: "a").center == TestPicture.Pixel.red.rgba)
    #expect(first.report.failures.map(\.user) == ["b"])
    try site.age("output")
    try site.build()
    try site.paint("J\(there)x.png", .blue)
    #expect(try site.build().report.failures.isEmpty)
    #expect(try site.pixels(of: "b").center == TestPicture.Pixel.blue.rgba)
    // A byte-identical name has priority.
    try site.paint("J\(listed)x.png", .green)
    try site.build()
    #expect(try site.pixels(of: "b").center == TestPicture.Pixel.green.rgba)
  }

  @Test func `if a photo's web path is not found, the help suggests setting root`() throws {
    let site = try site("a.csv")
    try site.put(Array("id,photo\na,/img/a.png\n".utf8), at: "a.csv")
    let reported = try site.build().diagnostics.sorted
    #expect(reported.contains { $0.help?.contains("e.g. root: ") == true })
  }
}
