import Files
import SiteSupport

struct SecondBuildTests {
  private func filled() throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.paint("blue.png", .blue)
    try site.put(Array("no picture".utf8), at: "broken.png")
    try site.write(Self.people, styles: Self.styles)
    return site
  }

  private static let people = [
    Person("a", "red.png"), Person("b", "blue.png"), Person("c", "broken.png"),
    Person("d", "missing.png", background: "#5856d6"), Person("e"),
  ]
  private static let styles = [
    "name: small, size: 16, scales: [1, 2], formats: [webp, png]",
    "name: plain, size: 20, scales: [1], shape: square, formats: [png]",
  ]

  /// A19: a second build renders and writes nothing and keeps every stamp, even after a `touch`.
  @Test func `a second build does nothing`() throws {
    let site = try filled()
    let first = try site.build()
    #expect(first.report.counters.renders == 15)
    #expect(first.report.counters.failed == 1)
    let stamps = try site.stamps()

    let second = try site.build()
    let counters = second.report.counters
    #expect(!second.report.upToDate)
    #expect(counters.decodes == 0 && counters.renders == 0 && counters.written == 0)
    #expect(counters.sourcesRead == 0)
    #expect(counters.cacheHits == 15 && counters.unchanged == stamps.count - 1)
    #expect(counters.removed == 0 && counters.bytesOut == 0)
    #expect(second.report.users == first.report.users)
    #expect(second.report.failures == first.report.failures)
    #expect(second.diagnostics.sorted == first.diagnostics.sorted)
    #expect(second.exitStatus == 1)
    #expect(try site.stamps() == stamps)

    try site.age("content", to: TestSite.longAgo + 1)
    let touched = try site.build().report.counters
    #expect(touched.renders == 0 && touched.decodes == 0 && touched.written == 0)
    #expect(touched.sourcesRead == 3)
    #expect(try site.stamps() == stamps)
  }

  /// A19: a new picture at the same path re-renders that user's variants and no others.
  @Test func `editing a picture re-renders only its images`() throws {
    let site = try filled()
    try site.build()
    let before = try site.stamps()
    let old = try #require(site.assets().users["a"]).avatars.values.joined().map(\.path)
    try site.paint("red.png", .green)
    let counters = try site.build().report.counters
    #expect(counters.sourcesRead == 2 && counters.decodes == 1 && counters.renders == 5)
    #expect(counters.removed == 5)
    let after = try site.stamps()
    let new = try #require(site.assets().users["a"]).avatars.values.joined().map(\.path)
    #expect(Set(new).isDisjoint(with: old))
    for path in old { #expect(after[path] == nil) }
    for (path, stamp) in before where path.hasPrefix("assets/") && !old.contains(path) {
      #expect(after[path] == stamp, "\(path)")
    }
    #expect(try site.pixels(of: "a", "plain").center == [0, 255, 0, 255])
  }

  /// E8: a build with everything in the store starts no worker.
  ///
  /// G14: the store contains exactly what was rendered, so the next build finds everything.
  @Test func `a build with a warm cache starts no worker`() throws {
    let site = try filled()
    #expect(try site.build().report.counters.workersStarted == 1)
    #expect(try site.build(jobs: 4).report.counters.workersStarted == 0)
    // No worker starts even if everything is published again.
    try site.folder.remove("output")
    let again = try site.build(jobs: 4).report.counters
    #expect(again.workersStarted == 0 && again.renders == 0 && again.cacheHits == 15)
    #expect(again.written == site.outputFiles().count - 1)
  }

  @Test func `renamed pictures are not re-rendered`() throws {
    let site = try filled()
    try site.build()
    let before = try site.snapshot()
    try site.paint("other/r.png", .red)
    try site.paint("other/b.jpg", .blue)
    try site.folder.remove("content/red.png")
    try site.folder.remove("content/blue.png")
    var people = Self.people
    people[0].avatar = ["other/r.png"]
    people[1].avatar = ["other/b.jpg"]
    try site.write(people, styles: Self.styles)
    let counters = try site.build().report.counters
    #expect(counters.renders == 0 && counters.decodes == 0 && counters.written == 0)
    #expect(try site.snapshot() == before)
  }

  @Test func `changing a style re-renders only its images`() throws {
    let site = try filled()
    try site.build()
    let before = try site.stamps()
    let kept = try site.assets().users.values.flatMap { $0.avatars["small"] ?? [] }.map(\.path)
    try site.write(
      Self.people, styles: [Self.styles[0], "name: plain, size: 20, scales: [1], formats: [png]"])
    let counters = try site.build().report.counters
    #expect(counters.renders == 3 && counters.cacheHits == 12)
    #expect(counters.removed == 3)
    let after = try site.stamps()
    for path in kept { #expect(after[path] == before[path]) }
  }

  /// O3: a user's files are removed with the user, and other files are unchanged.
  @Test func `removing a user removes only its files`() throws {
    let site = try filled()
    try site.build()
    let before = try site.stamps()
    let bytes = try site.snapshot()
    let gone = Set(try #require(site.assets().users["b"]).avatars.values.joined().map(\.path))
    #expect(gone.count == 5)
    try site.write(Self.people.filter { $0.id != "b" }, styles: Self.styles)
    let counters = try site.build().report.counters
    #expect(counters.renders == 0 && counters.removed == 5)
    let after = try site.stamps()
    for path in gone { #expect(after[path] == nil) }
    let named = { (path: String) in
      path.hasSuffix(".html") || path.hasPrefix("data/") || path.hasSuffix("assets.json")
        || path == ".sitegen-files"
    }
    for (path, stamp) in before where !gone.contains(path) && !named(path) {
      #expect(after[path] == stamp, "\(path)")
      #expect(try site.snapshot()[path] == bytes[path])
    }
    for path in site.folder.list() where path.hasPrefix("output/assets/") && path.utf8.count == 16 {
      #expect(site.assetFiles().contains { ("output/" + $0).hasPrefix(path + "/") })
    }
  }

  /// G21: a different shape has a different key; restoring the old one is a cache hit.
  @Test func `restoring the previous shape renders nothing`() throws {
    let site = try TestSite()
    try site.paint("red.png", .red)
    func style(_ shape: String) -> String {
      "name: small, size: 16, scales: [1], shape: \(shape), formats: [png]"
    }
    try site.write([Person("a", "red.png")], styles: [style("square")])
    try site.build()
    let square = try site.snapshot()
    #expect(try site.pixels(of: "a")[0, 0] == [255, 0, 0, 255])

    try site.write([Person("a", "red.png")], styles: [style("circle")])
    #expect(try site.build().report.counters.renders == 1)
    #expect(try site.pixels(of: "a")[0, 0][3] == 0)

    try site.write([Person("a", "red.png")], styles: [style("square")])
    let back = try site.build().report.counters
    #expect(back.renders == 0 && back.cacheHits == 1 && back.workersStarted == 0)
    #expect(try site.snapshot() == square)
  }

  @Test func `--no-cache renders everything and leaves identical files untouched`() throws {
    let site = try filled()
    try site.build()
    let stamps = try site.stamps()
    let counters = try site.build { $0.fetching.ignoringCache = true }.report.counters
    #expect(counters.renders == 15 && counters.written == 0)
    #expect(try site.stamps() == stamps)
  }

  @Test func `a dry run reports what it would render and writes nothing`() throws {
    let site = try filled()
    let first = try site.build { $0.dryRun = true }.report
    #expect(first.dryRun && first.counters.renders == 15 && first.counters.written == 0)
    #expect(!site.folder.exists("output") && !site.folder.exists("cache"))
    try site.build()
    let stamps = try site.stamps()
    try site.paint("red.png", .green)
    let second = try site.build { $0.dryRun = true }.report
    #expect(second.counters.renders == 5)
    #expect(try site.stamps() == stamps)
    // While a build runs, or after it is killed, a WAL is next to the index.
    let index = try Index(in: Folder(opening: site.folder.path(of: "cache")))
    try index.put(.meta, "key", [1])
    let files = site.folder.list()
    #expect(files.contains("cache/index.sqlite-wal"))
    #expect(try site.build { $0.dryRun = true }.report.counters.renders == 5)
    #expect(site.folder.list() == files)
    #expect(try index.get(.meta, "key") == [1])
  }
}
