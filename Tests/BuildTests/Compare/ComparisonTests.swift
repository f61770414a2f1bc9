import SiteSupport

struct ComparisonTests {
  static let people = [
    Person("a", name: "Anna", "red.png"), Person("b", name: "Ben", "blue.png"),
    Person("c", name: "Cleo", "red.png"), Person("d", background: "#00ff00"),
  ]

  static func site(
    _ people: [Person] = people, buttons: [String] = [], more: String = "",
    styles: [String] = [TestSite.small]
  ) throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.paint("blue.png", .blue)
    try site.paint("green.png", .green)
    try site.write(people, styles: styles, buttons: buttons, more: more)
    try site.build()
    return site
  }

  private func compare(_ old: TestSite, _ new: TestSite) throws -> Comparison.Outcome {
    var comparison = Comparison(
      old: old.folder.path(of: "output"), new: new.folder.path(of: "output"))
    comparison.to = new.folder.path(of: "diff")
    comparison.templates = TemplatesFolder(new.folder.path(of: "templates"))
    return try comparison.run()
  }

  private func page(_ site: TestSite) throws -> HTMLPage {
    HTMLPage(try site.folder.text(of: "diff/index.html"))
  }

  private func files(_ site: TestSite) -> [String] {
    site.folder.list().filter { $0.hasPrefix("diff/") }.map { String($0.dropFirst(5)) }
      .filter { !$0.hasPrefix(".") && $0.contains(".") }
  }

  @Test func `identical sites are reported as identical, and the page says so`() throws {
    let old = try Self.site()
    let new = try Self.site()
    let before = (try old.snapshot(), try new.snapshot())
    let outcome = try compare(old, new)
    #expect(outcome.isEqual)
    #expect(try page(new).texts.contains { $0.contains("which has 4 users") })
    #expect(try page(new).texts.contains { $0.contains("The two sites are identical") })
    #expect(files(new) == ["diff.css", "gallery.css", "index.html"])
    #expect(try old.snapshot() == before.0 && new.snapshot() == before.1)
  }

  @Test func `added, removed and changed users are shown with their pictures`() throws {
    let old = try Self.site()
    let new = try Self.site([
      Person("a", name: "Anna", "blue.png"), Person("b", name: "Benno", "blue.png"),
      Person("d", "missing.png"), Person("e", "green.png"),
    ])
    let outcome = try compare(old, new)
    #expect(outcome.changed == 3 && outcome.added == 1 && outcome.removed == 1)
    let parsed = try page(new)
    let oldImage = try old.image(of: "a")
    let newImage = try new.image(of: "a")
    let sources = parsed.tags("img").compactMap { $0["src"] }
    #expect(sources.prefix(2) == [oldImage.path, newImage.path])
    for path in Set(sources) { #expect(new.folder.exists("diff/\(path)"), "\(path)") }
    #expect(
      try new.folder.read("diff/\(oldImage.path)") == old.folder.read("output/\(oldImage.path)"))
    // Person b has another name and the same picture.
    #expect(parsed.texts.contains("Benno"))
    #expect(!sources.dropFirst(2).contains(newImage.path))
    let text = try new.folder.text(of: "diff/index.html")
    #expect(text.contains("<s class=\"gone\" dir=\"auto\">ok</s>"))
    #expect(text.contains("<span class=\"come\" dir=\"auto\">failed</span>"))
    #expect(text.contains("<h2 id=\"removed\">Removed <span>1</span></h2>"))
    #expect(Set(parsed.ids).isSuperset(of: ["changed", "added"]))
    #expect(files(new).filter { $0.hasPrefix("assets/") } == Set(sources).sorted())
  }

  @Test func `a new comparison removes all files from the previous one`() throws {
    let old = try Self.site()
    let new = try Self.site([Person("a", name: "Anna", "green.png")])
    _ = try compare(old, new)
    #expect(files(new).contains { $0.hasPrefix("assets/") })
    let first = try new.folder.text(of: "diff/index.html")
    _ = try compare(old, new)
    #expect(try new.folder.text(of: "diff/index.html") == first)
    _ = try compare(new, new)
    #expect(files(new) == ["diff.css", "gallery.css", "index.html"])
    #expect(!new.folder.list().contains { $0.hasPrefix("diff/assets") })
  }

  @Test func `a new style is shown with its largest picture`() throws {
    let wide = "name: wide, size: 20, scales: [1, 2], shape: square, formats: [png]"
    let old = try Self.site([Person("a", "red.png")])
    let new = try Self.site([Person("a", "red.png")], styles: [TestSite.small, wide])
    let outcome = try compare(old, new)
    #expect(outcome.changed == 1)
    let picture = try #require(try page(new).tags("img").first)
    #expect(try picture["src"] == new.image(of: "a", "wide", scale: 2).path)
    #expect(picture["width"] == "20" && picture["height"] == "20")
    #expect(try page(new).texts.contains("wide"))
  }

  @Test func `a change to one format is shown in that format`() throws {
    func style(_ quality: Int) -> String {
      "name: s, size: 20, scales: [1, 2], formats: [webp, jpeg], background: white, "
        + "quality: { jpeg: \(quality) }"
    }
    func site(_ quality: Int) throws -> TestSite {
      let site = try TestSite()
      try site.put(
        TestPicture.png(width: 40, height: 40) { x, y in
          TestPicture.Pixel(UInt8(x * 6), UInt8(y * 6), UInt8(x * y % 200))
        }, at: "a.png")
      try site.write([Person("a", "a.png")], styles: [style(quality)])
      try site.build()
      return site
    }
    let (old, new) = (try site(30), try site(90))
    #expect(try compare(old, new).changed == 1)
    let sources = try page(new).tags("img").compactMap { $0["src"] }
    #expect(sources.count == 2 && Set(sources).count == 2)
    #expect(sources.allSatisfy { $0.hasSuffix(".jpg") })
  }

  @Test func `button and strip colours are compared`() throws {
    let old = try Self.site(buttons: ["name: go, normal: \"#112233\", highlighted: red"])
    let new = try Self.site(
      buttons: ["name: go, normal: \"#445566\", highlighted: red, disabled: gray"])
    let outcome = try compare(old, new)
    #expect(outcome.changed == 0 && outcome.buttons >= 2)
    let text = try new.folder.text(of: "diff/index.html")
    #expect(text.contains("fill=\"#112233ff\"") && text.contains("fill=\"#445566ff\""))
    #expect(text.contains("go, light, normal") && text.contains(">none<"))
    #expect(!text.contains("go, light, highlighted"))
  }

  @Test func `a picture that does not match its digest is not shown`() throws {
    let old = try Self.site([Person("a", name: "Anna", "red.png")])
    let new = try Self.site([Person("a", name: "Anna", "green.png")])
    let path = try new.image(of: "a").path
    var bytes = try new.folder.read("output/\(path)")
    bytes[bytes.count - 1] ^= 1
    try new.folder.write(bytes, to: "output/\(path)")
    _ = try compare(old, new)
    #expect(!new.folder.exists("diff/\(path)"))
    #expect(try page(new).texts.contains { $0.contains("the file is missing") })
  }

  @Test func `hostile names are escaped`() throws {
    let evil = "<script>alert(1)</script>\"'&"
    let old = try Self.site([Person(evil, name: evil, "red.png")])
    let new = try Self.site([Person(evil, name: "\(evil)<img src=x>", "blue.png")])
    #expect(try compare(old, new).changed == 1)
    let parsed = try page(new)
    #expect(parsed.tags("script").isEmpty)
    #expect(parsed.tags("img").allSatisfy { $0["src"]?.hasPrefix("assets/") == true })
    #expect(parsed.texts.contains(evil))
  }
}
