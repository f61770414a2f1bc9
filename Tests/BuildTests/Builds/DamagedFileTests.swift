import SiteSupport

struct DamagedFileTests {
  private func filled() throws -> TestSite {
    let site = try TestSite()
    try site.paint("a.png", .red)
    try site.paint("b.png", .green)
    try site.write([Person("a", "a.png", "color:#123"), Person("b", "b.png")])
    try site.build()
    return site
  }

  /// Kinds of damage to `a.png`, named by their diagnostics.
  enum Way: String, CaseIterable {
    case empty = "source-empty"
    case noPicture = "unsupported-format"
    case truncated
    case tooLarge = "too-many-bytes"
    /// The file's structure is valid, and only decoding fails.
    case undecodable = "decode-failed"

    func spoil(_ site: TestSite) throws {
      let whole = TestPicture.png(width: 16, height: 16) { _, _ in .red }
      switch self {
      case .empty: try site.put([], at: "a.png")
      case .noPicture: try site.put(Array("not a picture".utf8), at: "a.png")
      case .truncated: try site.put(whole.prefix(30), at: "a.png")
      case .tooLarge: try site.put(Data(count: 33 << 20), at: "a.png")
      case .undecodable:
        // The file has a signature and a header, but an invalid stream.
        try site.put(
          Array(whole.prefix(33)) + TestPicture.chunk("IDAT", Array("no zlib".utf8))
            + TestPicture.chunk("IEND", []), at: "a.png")
      }
    }
  }

  /// I4: a note or a warning is reported for each affected person.
  @Test func `a slightly truncated file is used and reported`() throws {
    let site = try TestSite()
    let whole = TestPicture.png(width: 32, height: 32) { x, y in x < y ? .red : .green }
    try site.put(whole.dropLast(12), at: "a.png")
    try site.put(whole.dropLast(220), at: "b.png")
    try site.write(
      [Person("a", "a.png"), Person("b", "b.png")], more: "notices: { same: off, small: off }")
    for _ in 1...2 {
      let reported = try site.build().diagnostics.sorted
      #expect(Set(reported.map(\.id)) == ["picture-unterminated", "picture-truncated"])
      #expect(reported.filter { $0.severity == .warning }.map(\.id) == ["picture-truncated"])
    }
  }

  @Test(arguments: Way.allCases, [1, 4])
  func `the last good picture is kept, and a warning is printed`(way: Way, jobs: Int) throws {
    let site = try filled()
    let (files, picture) = (site.assetFiles(), try site.image(of: "a").path)
    try way.spoil(site)
    let result = try site.build(jobs: jobs)
    #expect(result.exitStatus == 0 && result.report.users.stale == 1)
    #expect(result.report.stale.map(\.reason) == [way.rawValue])
    #expect(
      result.report.stale.allSatisfy { $0.user == "a" && $0.source == 0 && $0.age ?? 600 < 600 })
    #expect(result.diagnostics.sorted.map(\.id) == ["source-stale"])
    #expect(result.diagnostics.sorted.first?.severity == .warning)
    #expect(try site.assets().users["a"]?.status == "stale")
    #expect(try site.image(of: "a").path == picture && site.assetFiles() == files)
    #expect(result.report.counters.renders == 0)

    let output = try site.snapshot()
    for ignoresCache in [false, true] {
      let again = try site.build { $0.fetching.ignoringCache = ignoresCache }
      #expect(again.diagnostics.sorted == result.diagnostics.sorted)
      #expect(try site.snapshot() == output)
    }
    #expect(try site.failure { $0.strict = true }.exitStatus == 1)
    #expect(try site.snapshot() == output)

    try site.paint("a.png", .blue)
    #expect(try site.build().report.users.ok == 2)
    #expect(try site.pixels(of: "a").center == [0, 0, 255, 255])
    // The last good picture is kept, not the first one.
    try way.spoil(site)
    #expect(try site.build().report.users.stale == 1)
    #expect(try site.pixels(of: "a").center == [0, 0, 255, 255])
  }

  @Test(arguments: Way.allCases) func `the last good picture survives new damage`(way: Way) throws {
    let site = try filled()
    let picture = try site.image(of: "a").path
    for other in Way.allCases + [way] {
      try other.spoil(site)
      #expect(try site.build().report.stale.map(\.reason) == [other.rawValue])
      #expect(try site.image(of: "a").path == picture)
    }
  }

  /// An update of sitegen or of a library changes all cache keys.
  @Test func `pictures that cannot be re-rendered survive a renderer update`() throws {
    let site = try filled()
    let picture = try site.image(of: "a").path
    _ = try site.pretendOlderRenderer(of: "a.png")
    try Way.undecodable.spoil(site)
    for _ in 1...2 {
      let report = try site.build().report
      #expect(report.users.stale == 1 && report.counters.renders == 0)
      #expect(try site.image(of: "a").path == picture)
    }
    #expect(try site.build { $0.fetching.ignoringCache = true }.report.users.stale == 1)
  }

  @Test func `removing a source file removes its picture`() throws {
    let site = try filled()
    try Way.empty.spoil(site)
    #expect(try site.build().report.users.stale == 1)
    try FileManager.default.removeItem(atPath: site.folder.path(of: "content/a.png"))
    #expect(try site.build().report.users.stale == 0)
    #expect(try site.assets().users["a"]?.sourceIndex == 1)
    // A new damaged file with the same name does not bring the old picture back.
    try Way.noPicture.spoil(site)
    let result = try site.build()
    #expect(result.report.users.stale == 0)
    #expect(result.diagnostics.sorted.map(\.id) == ["unsupported-format"])
    #expect(try site.assets().users["a"]?.sourceIndex == 1)
  }

  @Test(arguments: ["a new cache", "a new style", "a lost store"])
  func `the last good picture is not shown if it is missing from the cache`(loss: String) throws {
    let site = try filled()
    try Way.empty.spoil(site)
    switch loss {
    case "a new cache":
      try FileManager.default.removeItem(atPath: site.folder.path(of: "cache"))
    case "a new style":
      try site.write(
        [Person("a", "a.png", "color:#123"), Person("b", "b.png")],
        styles: ["name: small, size: 20, scales: [1], shape: square, formats: [png]"])
    default:
      try FileManager.default.removeItem(atPath: site.folder.path(of: "cache/store"))
      try FileManager.default.removeItem(atPath: site.folder.path(of: "output/assets"))
    }
    let result = try site.build()
    #expect(result.exitStatus == 0 && result.report.users.stale == 0)
    #expect(result.diagnostics.sorted.map(\.id) == ["source-empty"])
    #expect(try site.assets().users["a"]?.sourceIndex == 1)
    #expect(try site.build().diagnostics.sorted == result.diagnostics.sorted)
  }

  @Test func `a build of an up-to-date site reports the damage again`() throws {
    let site = try filled()
    try Way.undecodable.spoil(site)
    try site.build()
    try site.age("output")
    let result = try site.build()
    let upToDate = try site.build()
    #expect(upToDate.report.upToDate)
    #expect(upToDate.diagnostics.sorted == result.diagnostics.sorted)
    #expect(upToDate.report.users.stale == 1)
  }

  @Test func `prune keeps the last good picture`() throws {
    let site = try filled()
    let picture = try site.image(of: "a").path
    for way in [Way.empty, .undecodable] {
      try way.spoil(site)
      try site.build()
      _ = try Prune(site.options(), Prune.Limits(age: 0, bytes: -1)).run()
      try FileManager.default.removeItem(atPath: site.folder.path(of: "output"))
      #expect(try site.build().report.users.stale == 1)
      #expect(try site.image(of: "a").path == picture)
    }
  }

  @Test func `the last good picture is re-rendered from another user's identical file`() throws {
    for names in [["a", "c"], ["c", "a"]] {
      let site = try filled()
      try site.put(try site.folder.read("content/a.png"), at: "c.png")
      try Way.noPicture.spoil(site)
      try site.write(
        names.map { Person($0, "\($0).png") },
        styles: ["name: small, size: 20, scales: [1], shape: square, formats: [png]"])
      #expect(try site.build().report.users.stale == 1)
      #expect(try site.pixels(of: "a") == site.pixels(of: "c"))
    }
  }

  @Test func `icons are made from the last good picture if their source fails`() throws {
    let site = try TestSite()
    try site.paint("a.png", .red, side: 64)
    try site.write([Person("b", "color:#123")], more: "icons: { from: a.png }")
    try site.build()
    let icon = try site.folder.read("output/favicon.ico")
    try Way.noPicture.spoil(site)
    let result = try site.build()
    #expect(result.diagnostics.sorted.map(\.id) == ["source-stale"])
    #expect(try site.folder.read("output/favicon.ico") == icon)
  }
}
