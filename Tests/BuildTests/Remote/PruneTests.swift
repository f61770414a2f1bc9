import SiteSupport

/// G28: pictures in use are never removed, and the oldest unused ones are removed first.
@Suite(.timeLimit(.minutes(15))) struct PruneTests {
  /// Creates a site that now shows only one of its three pictures.
  private func host() throws -> PictureHost {
    let host = try PictureHost()
    for (name, color) in [("a", TestPicture.Pixel.red), ("b", .green), ("c", .blue)] {
      host["/\(name).png"] = .init(color)
      try host.write([Person("x", host.url("/\(name).png"))])
      try host.build()
    }
    return host
  }

  private func blobs(_ host: PictureHost) -> [String] {
    host.site.folder.list().filter {
      ($0.hasPrefix("cache/store/") || $0.hasPrefix("cache/originals/"))
        && $0.split(separator: "/").count == 4
    }
  }

  private func prune(
    _ host: PictureHost, age: Int64 = -1, bytes: Int64 = -1, at seconds: Int64 = 0
  ) throws -> SharedStore.Pruned {
    var options = host.site.options()
    options.fetching.clockOffset = seconds
    return try Prune(options, Prune.Limits(age: age, bytes: bytes)).run()
  }

  @Test func `prune removes nothing if no limits are set`() throws {
    let host = try host()
    let before = blobs(host)
    #expect(before.count == 6)
    let pruned = try prune(host, at: 400 * 86_400)
    #expect(pruned.removed == 0 && pruned.kept == 6)
    #expect(blobs(host) == before)
  }

  @Test func `an age limit of 0 keeps only files that the site uses`() throws {
    let host = try host()
    let files = try host.site.snapshot()
    let pruned = try prune(host, age: 0)
    #expect(pruned.removed == 4 && pruned.kept == 2)
    #expect(blobs(host).count == 2)
    // The cache is complete, so nothing is rendered, and the picture is revalidated.
    _ = host.asked()
    let result = try host.build()
    #expect(result.report.counters.renders == 0 && result.report.counters.notModified == 1)
    #expect(try host.site.snapshot() == files)
    // Removed entries cost only time if they are needed again.
    try host.write([Person("x", host.url("/a.png"))])
    #expect(try host.build().exitStatus == 0)
    #expect(try host.site.pixels(of: "x").center == TestPicture.Pixel.red.rgba)
  }

  @Test func `an entry exactly at the age limit is removed`() throws {
    let host = try host()
    for path in blobs(host) { try host.site.folder.setModified(path, to: TestSite.longAgo) }
    let now = Int64(Date().timeIntervalSince1970)
    let age = now - Int64(TestSite.longAgo)
    #expect(try prune(host, age: age + 1000).removed == 0)
    // A second may pass between the two readings of the clock.
    #expect(try prune(host, age: age).removed == 4)
  }

  @Test func `above the size limit, the oldest entries are removed first`() throws {
    let host = try host()
    let sizes = try blobs(host).reduce(into: [String: Int64]()) { sizes, path in
      sizes[path] = Int64(try host.site.folder.read(path).count)
    }
    let total = sizes.values.reduce(0, +)
    for (number, path) in blobs(host).enumerated() {
      try host.site.folder.setModified(path, to: TestSite.longAgo + number)
    }
    #expect(try prune(host, bytes: total).removed == 0)
    let pruned = try prune(host, bytes: total - 1)
    #expect(pruned.removed == 1 && pruned.keptBytes < total)
    let shown = Set(try host.site.assets().images.map(\.sha256))
    let gone = try #require(sizes.keys.first { !blobs(host).contains($0) })
    let candidates = sizes.keys.sorted().filter { path in
      !shown.contains { path.hasSuffix($0) }
    }
    // The oldest unused entries come first. Here, originals are older than their images.
    #expect(candidates.prefix(2).contains(gone))
    #expect(try prune(host, bytes: 0).kept == 2)
    #expect(try host.build().report.counters.renders == 0)
  }

  /// No file in the output references the icon's source.
  @Test func `icon sources are never pruned`() throws {
    let host = try PictureHost()
    host["/logo.png"] = .init(.red, side: 64)
    try host.site.write(
      [Person("x", background: "red")],
      more: host.network + "\nicons: { from: \"\(host.url("/logo.png"))\" }")
    #expect(try host.build().exitStatus == 0)
    #expect(try prune(host, age: 0).removed == 0)
  }

  @Test func `a folder that sitegen did not create is not pruned`() throws {
    let host = try PictureHost()
    try host.site.folder.write("mine", to: "cache/store/ab/file")
    #expect(throws: BuildFailure.self) { _ = try prune(host, age: 0) }
    #expect(try host.site.folder.text(of: "cache/store/ab/file") == "mine")
  }
}
