import Files
import Glibc
import SiteSupport

struct AliasExportTests {
  private static let styles = [
    "name: small, size: 16, scales: [1, 1.5, 2], formats: [webp, png]",
    "name: plain, size: 20, scales: [1], shape: square, formats: [png]",
  ]
  private static let people = [
    Person("ada", "red.png"), Person("Bob", "red.png", styles: ["plain"]), Person("c", "blue.png"),
    Person("d", "missing.png"), Person("e"), Person("f@example.org", "red.png"),
    Person("g", "missing.png", background: "#5856d6", styles: ["plain"]),
  ]

  private func site(_ people: [Person] = people, more: String = "exports: aliases") throws
    -> TestSite
  {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.paint("blue.png", .blue)
    try site.write(people, styles: Self.styles, more: more)
    return site
  }

  private func aliases(_ site: TestSite) -> [String] {
    site.outputFiles().filter { $0.hasPrefix("u/") }
  }

  private func links(_ site: TestSite, _ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: site.folder.path(of: "output/\(path)"))[
      .referenceCount] as? Int
  }

  @Test func `aliases are hard links in all formats and scales`() throws {
    let site = try site()
    try site.build()
    let small = ["", "@1.5x", "@2x"].flatMap { ["small\($0).png", "small\($0).webp"] }
    var names = ["u/_42ob/plain.png", "u/g/plain.png"]
    for user in ["ada", "c"] { names += (["plain.png"] + small).map { "u/\(user)/\($0)" } }
    #expect(aliases(site) == names.sorted())
    let files = try site.snapshot()
    for (user, folder) in [("ada", "ada"), ("Bob", "_42ob"), ("c", "c"), ("g", "g")] {
      for (style, images) in try #require(try site.assets().users[user]).avatars {
        for image in images {
          let scale = image.scale == 1 ? "" : image.scale == 2 ? "@2x" : "@1.5x"
          let path = "u/\(folder)/\(style)\(scale).\(image.format)"
          #expect(files[path]?.hex == image.sha256, "\(path)")
        }
      }
    }
    // The links are in the store, in `assets/` and in `u/`; shared pictures have one more.
    #expect(try links(site, "u/c/plain.png") == 3 && links(site, "u/ada/plain.png") == 4)
    let ledger = try site.text(".sitegen-files")
    for path in aliases(site) { #expect(ledger.contains(" \(path)\n")) }
  }

  /// Windows does not allow folders with a device's name.
  @Test func `folder names get a suffix if the id is a Windows device name`() throws {
    let site = try site(
      [Person("aux", "red.png"), Person("aux_", "blue.png"), Person("com1", "blue.png")],
      more: "exports: aliases\npages: { people: true, cards: true }")
    try site.build()
    let folders = Set(site.outputFiles().flatMap { $0.split(separator: "/").dropLast() })
    #expect(folders.isSuperset(of: ["aux_", "aux_5f", "com1_"]), "\(folders.sorted())")
    #expect(folders.isDisjoint(with: ["aux", "com1"]))
    for page in ["aux_", "aux_5f", "com1_"] {
      #expect(site.folder.exists("output/people/\(page)/card.vcf"))
      #expect(site.folder.exists("output/u/\(page)/plain.png"))
    }
  }

  @Test func `an alias does not depend on other people`() throws {
    let site = try site()
    try site.build()
    let before = try site.stamps()
    try site.write(
      [Person("x", "blue.png"), Self.people[0], Person("ADA", "blue.png")], styles: Self.styles,
      more: "exports: aliases")
    try site.build()
    let after = try site.stamps()
    let own = aliases(site).filter { $0.hasPrefix("u/ada/") }
    #expect(own.count == 7)
    for path in own { #expect(after[path]?.inode == before[path]?.inode, "\(path)") }
    #expect(
      aliases(site).filter { $0.hasSuffix("/plain.png") } == [
        "u/_41_44_41/plain.png", "u/ada/plain.png", "u/x/plain.png",
      ])
  }

  @Test func `an alias stays the same when the picture changes`() throws {
    let site = try site([Person("ada", "red.png")])
    try site.build()
    let before = try site.snapshot()
    try site.paint("red.png", .green)
    try site.build()
    let after = try site.snapshot()
    let names = before.keys.filter { $0.hasPrefix("u/") }
    #expect(!names.isEmpty && Set(names) == Set(after.keys.filter { $0.hasPrefix("u/") }))
    for name in names { #expect(before[name] != after[name], "\(name)") }
    try site.write([Person("ada", "red.png")], styles: Self.styles)
    try site.build()
    #expect(aliases(site).isEmpty && !site.folder.exists("output/u"))
  }

  /// Web servers and rsync compare size and time, and both can be equal within one second.
  @Test func `a replaced picture gets a newer timestamp`() throws {
    let colors = ["#ff0000", "#0000ff"]
    let site = try site(colors.map { Person($0, background: $0) })
    try site.build()
    try site.age("cache/store")
    let names = ["u/_23ff0000/plain.png", "u/_230000ff/plain.png"]
    let before = try site.stamps()
    #expect(before[names[0]]?.size == before[names[1]]?.size)
    #expect(before[names[0]]?.modified == before[names[1]]?.modified)
    try site.write(
      zip(colors, colors.reversed()).map { Person($0, background: $1) }, styles: Self.styles,
      more: "exports: aliases")
    #expect(try site.build().report.counters.renders == 0)
    for name in names {
      let (new, old) = (try site.stamps()[name], before[name])
      #expect(try #require(new).modified > #require(old).modified, "\(name)")
    }
    try site.age("output")
    try site.build()
    #expect(try site.build().report.upToDate)
  }

  /// Adding or removing a hard link changes the stamps of all links to the file.
  @Test func `adding or removing a hard link does not cause a file to be reread`() throws {
    let site = try site(more: "")
    func opened(_ people: [Person], _ more: String = "exports: aliases") throws -> [String] {
      try site.write(people, styles: Self.styles, more: more)
      try site.build()
      let files = site.outputFiles()
      let folders = Set(files.map { $0.split(separator: "/").dropLast().joined(separator: "/") })
      let watch = MoveWatch(site.folder.path(of: "output"), folders: folders, Int32(IN_OPEN))
      let counters = try site.build().report.counters
      #expect(counters.written == 0 && counters.removed == 0)
      return watch.placed().filter { $0.hasPrefix("assets/") || $0.hasPrefix("u/") }
    }
    try site.build()
    try site.age("output")
    try site.age("cache/store")
    try site.build()
    #expect(try opened(Self.people, "") == [])
    #expect(try opened(Self.people) == [])
    // Other people keep the picture, and one person switches to it.
    #expect(try opened(Array(Self.people.dropFirst())) == [])
    #expect(try opened([Person("ada", "blue.png")] + Self.people.dropFirst()) == [])
    #expect(try opened(Self.people, "") == [])
  }

  @Test func `a damaged alias is repaired`() throws {
    let site = try site()
    try site.build()
    let before = try site.snapshot()
    for path in ["u/ada/plain.png", "u/c/small@2x.webp"] {
      try site.folder.remove("output/\(path)")
      try site.build()
      #expect(try site.snapshot() == before)
      try site.folder.write("scribbles", to: "output/\(path)")
      // Every hard link is damaged, including the one in the store.
      try site.build()
      #expect(try site.snapshot() == before)
    }
  }
}
