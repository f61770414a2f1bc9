import SiteSupport

struct RebuildTests {
  private func filled() throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.paint("blue.png", .blue)
    try site.write(
      [Person("a", "red.png"), Person("b", "blue.png"), Person("c", "none.png", "red.png")])
    return site
  }

  /// A19: editing a picture re-renders only its users' images; the site then equals a cold build.
  @Test func `an edited picture is rendered and published`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    #expect(watch.rebuild()?.counters.renders == 2)
    let old = try site.image(of: "a").path

    try site.repaint("red.png", .green)
    let rebuilt = watch.rebuilder.rebuild()
    let report = try #require(rebuilt.report)
    #expect(report.counters.renders == 1 && report.counters.decodes == 1)
    let new = try site.image(of: "a").path
    let changed = try #require(rebuilt.changed)
    #expect(changed.contains(old) && changed.contains(new) && changed.contains("index.html"))
    #expect(try site.pixels(of: "a").center == TestPicture.Pixel.green.rgba)
    #expect(try site.files() == site.coldSnapshot())
  }

  /// A20: a picture shared by fifty people is rendered once.
  @Test func `a shared picture is rendered once`() throws {
    let site = try filled()
    try site.write((0..<50).map { Person("p\($0)", "red.png") })
    let report = try #require(Rebuilding(site).rebuild())
    #expect(report.counters.renders == 1 && report.counters.decodes == 1)
    #expect(report.counters.deduped == 49)
  }

  @Test func `changes published by another build are reported`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    watch.rebuild()
    try site.write([Person("a", name: "Another name", "red.png"), Person("b", "blue.png")])
    try site.build()
    #expect(watch.rebuilder.rebuild().changed?.contains("index.html") == true)
    #expect(watch.rebuilder.rebuild().changed == [])
  }

  /// The repaired file's entry in the ledger does not change.
  @Test func `a repaired file is reported as changed`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    watch.rebuild()
    try site.folder.write("scribble", to: "output/index.html")
    #expect(watch.rebuilder.rebuild().changed == ["index.html"])
    #expect(watch.rebuilder.rebuild().changed == [])
  }

  @Test func `added, changed and removed people files are detected`() throws {
    let site = try TestSite()
    let manifest = "version: 1\navatars:\n  - { \(TestSite.small) }\nusers: { from: _people }\n"
    try site.put(Array(manifest.utf8), at: "manifest.yaml")
    func put(_ name: String, _ file: String) throws {
      try site.put(Array("---\nname: \(name)\nphoto: initials\n---\n".utf8), at: "_people/\(file)")
    }
    try put("Dan", "dan.md")
    let watch = Rebuilding(site)
    #expect(watch.rebuild()?.users.total == 1)
    try put("Eve", "eve.md")
    #expect(watch.rebuild()?.users.total == 2)
    try put("Eva", "eve.md")
    watch.rebuild()
    #expect(try site.text("assets.json").contains("Eva"))
    try site.folder.remove("content/_people/dan.md")
    #expect(watch.rebuild()?.users.total == 1)
  }

  @Test func `checks report how columns are interpreted, but builds do not`() throws {
    let site = try TestSite()
    let manifest = "version: 1\navatars:\n  - { \(TestSite.small) }\nusers: { from: team.csv }\n"
    try site.put(Array(manifest.utf8), at: "manifest.yaml")
    try site.put(Array("Full Name;phone\nAda;1\n".utf8), at: "team.csv")
    let reported = try Build(site.options()).check().diagnostics.sorted
    #expect(
      reported.contains {
        $0.message == "1 person from CSV: name from \"Full Name\"; not used: \"phone\""
      })
    #expect(try !site.build().diagnostics.sorted.contains { $0.id == "users-guess" })
  }

  /// A19: touched files and foreign files cause no renders or writes.
  @Test func `touching a file does not change the site`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    watch.rebuild()
    let stamps = try site.stamps()
    try site.age("content", to: TestSite.longAgo + 5)
    try site.folder.write("notes", to: "content/notes.txt")
    let rebuilt = watch.rebuilder.rebuild()
    let report = try #require(rebuilt.report)
    #expect(report.counters.renders == 0 && report.counters.written == 0)
    #expect(rebuilt.changed == [])
    #expect(try site.stamps() == stamps)
  }

  /// C2: if a user is left without a picture or colour, the files are removed, the status is
  /// `skipped`, and nothing is reported as failed.
  @Test func `removing a picture removes its files`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    watch.rebuild()
    let old = try site.image(of: "b").path
    try site.write([Person("a", "red.png"), Person("b"), Person("c", "red.png")])
    let report = try #require(watch.rebuild())
    #expect(report.users.skipped == 1 && report.users.failed == 0)
    #expect(!site.folder.exists("output/\(old)"))
    #expect(try site.assets().users["b"]?.status == "skipped")
  }

  /// E9: a failed source is reported, and with `--strict` the last good site stays.
  @Test func `a failed source is reported, and --strict keeps the old site`() throws {
    let site = try filled()
    let watch = Rebuilding(site, strict: true)
    try site.write([Person("a"), Person("b", "blue.png")])
    #expect(watch.rebuild() != nil)
    let before = site.files()
    try site.folder.write("no picture", to: "content/damaged.png")
    try site.write([Person("a", "damaged.png"), Person("b", "blue.png")])
    guard
      case .strict(let result)? = watch.rebuilder.rebuild().failure
    else {
      Issue.record("expected a strict failure")
      return
    }
    #expect(result.report.failures.map(\.user) == ["a"])
    #expect(site.files() == before)

    let lenient = Rebuilding(site)
    let report = try #require(lenient.rebuild())
    #expect(report.users.failed == 1 && report.failures.count == 1)
    #expect(try site.text("index.html").contains("no-picture"))
  }

  @Test func `a broken manifest changes nothing until it is fixed`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    watch.rebuild()
    let before = site.files()
    let good = try site.folder.text(of: site.manifest)
    try site.folder.write("version: 1\nusers: [", to: site.manifest)
    guard case .usage? = watch.rebuilder.rebuild().failure else {
      Issue.record("expected a usage error")
      return
    }
    #expect(site.files() == before)
    try site.folder.write(good, to: site.manifest)
    #expect(watch.rebuild()?.counters.written == 0)
    #expect(site.files() == before)
  }

  @Test func `workers keep running between rebuilds`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    #expect(watch.rebuild()?.counters.workersStarted == 1)
    for color in [TestPicture.Pixel.green, .blue, .red] {
      try site.repaint("red.png", color)
      #expect(watch.rebuild()?.counters.workersStarted == 0)
    }
  }

  @Test func `content and templates are watched`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    #expect(
      watch.rebuilder.watchList.paths
        == [site.source(""), site.folder.path(of: "templates")]
        .map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
    watch.rebuild()
    #expect(watch.rebuilder.watchList.paths.contains(site.folder.path(of: "content")))
    #expect(watch.rebuilder.watchList.own == ["cache", "output"].map { site.folder.path(of: $0) })
  }

  @Test func `without a manifest, only the list and its pictures are watched`()
    throws
  {
    let site = try TestSite()
    try site.folder.write("name,photo\nAda,photos/ada.png\n", to: "team.csv")
    try site.folder.write("", to: "diary.txt")
    let watch = Rebuilding(site, list: "team.csv")
    watch.rebuild()
    let paths = watch.rebuilder.watchList.paths
    #expect(Set(paths).isSuperset(of: ["team.csv", "photos"].map { site.folder.path(of: $0) }))
    #expect(!paths.contains(site.folder.path) && !paths.contains(site.folder.path(of: "diary.txt")))
  }

  @Test func `with allowOutside, badges and pictures outside the folder are watched`() throws {
    let site = try filled()
    try site.folder.write(
      TestPicture.png(width: 8, height: 8, kind: .color) { _, _ in .green }, to: "other/badge.png")
    try site.write(
      [Person("a", "red.png"), Person("b", "../more/b.png")],
      styles: [
        TestSite.small + ", decorations: [{ name: x, badge: ../other/badge.png, size: 4 }]"
      ], more: "allowOutside: true")
    let watch = Rebuilding(site)
    watch.rebuild()
    let places = watch.rebuilder.watchList.paths
    #expect(places.contains(site.folder.path(of: "other/badge.png")), "\(places)")
    #expect(places.contains(site.folder.path(of: "more/b.png")), "\(places)")
  }
}
