import SiteSupport

struct OldPictureTests {
  private static let day: Int64 = 86_400

  private func site(_ more: String = "keepOld: 7") throws -> TestSite {
    let site = try TestSite()
    try site.paint("a.png", .red)
    try site.write([Person("a", "a.png")], more: more)
    try site.build()
    return site
  }

  @discardableResult
  private func build(
    _ site: TestSite, day: Double = 0, _ adjust: (inout BuildOptions) -> Void = { _ in }
  ) throws -> BuildResult {
    try site.build { options in
      options.fetching.clockOffset = Int64(day * Double(Self.day))
      adjust(&options)
    }
  }

  private func isShown(_ path: String, in site: TestSite) throws -> Bool {
    try site.text("assets.json").contains(path)
  }

  /// Changes the person's picture, and returns the path of the earlier picture.
  private func repaint(
    _ site: TestSite, _ color: TestPicture.Pixel = .green, day: Double = 0
  ) throws -> String {
    let path = try site.image(of: "a").path
    try site.paint("a.png", color)
    try build(site, day: day)
    #expect(try !isShown(path, in: site))
    return path
  }

  @Test func `an old picture is removed after its retention time`() throws {
    let site = try site()
    let path = try repaint(site)
    let bytes = try site.folder.read("output/\(path)")
    #expect(try site.text(".sitegen-files").contains(path))
    try build(site, day: 6.9)
    #expect(try site.folder.read("output/\(path)") == bytes)
    #expect(try build(site, day: 7).report.counters.removed == 1)
    #expect(!site.folder.exists("output/\(path)"))
    #expect(try !site.text(".sitegen-files").contains(path))
  }

  @Test func `each old picture has its own removal date`() throws {
    let site = try site()
    let red = try repaint(site)
    let green = try repaint(site, .blue, day: 3)
    try build(site, day: 8)
    #expect(!site.folder.exists("output/\(red)") && site.folder.exists("output/\(green)"))
    // A picture that is shown again is current, and gets a new removal day later.
    let blue = try repaint(site, .green, day: 9)
    #expect(try repaint(site, .red, day: 11) == green && site.image(of: "a").path == red)
    try build(site, day: 15.9)
    #expect(site.folder.exists("output/\(green)") && site.folder.exists("output/\(blue)"))
    try build(site, day: 16.5)
    #expect(site.folder.exists("output/\(green)") && !site.folder.exists("output/\(blue)"))
    try build(site, day: 18.5)
    #expect(!site.folder.exists("output/\(green)") && site.folder.exists("output/\(red)"))
  }

  @Test func `old pictures are removed when keepOld is shortened or deleted`() throws {
    let site = try site("")
    let red = try repaint(site)
    #expect(!site.folder.exists("output/\(red)"))
    // The cache recorded the output before `keepOld` was set.
    try site.write([Person("a", "a.png")], more: "keepOld: 7")
    let green = try repaint(site, .blue)
    try build(site, day: 3)
    #expect(site.folder.exists("output/\(green)"))
    try site.write([Person("a", "a.png")], more: "keepOld: 2.5")
    try build(site, day: 3)
    #expect(!site.folder.exists("output/\(green)"))
    try site.write([Person("a", "a.png")], more: "keepOld: 7")
    let blue = try repaint(site, .red)
    try site.write([Person("a", "a.png")])
    try build(site)
    #expect(!site.folder.exists("output/\(blue)"))
  }

  @Test func `only content-addressed pictures are retained`() throws {
    let site = try site("keepOld: 7\nexports: [aliases, xcassets]\npages: { people: true }")
    let path = try site.image(of: "a").path
    let before = Set(site.outputFiles())
    try site.write([Person("b", "a.png")], more: "keepOld: 7")
    try site.paint("a.png", .green)
    try build(site)
    let stayed = before.intersection(site.outputFiles()).filter { $0.hasPrefix("assets/") }
    #expect(stayed.contains(path))
    #expect(!site.folder.exists("output/u") && !site.folder.exists("output/Assets.xcassets"))
    #expect(!site.folder.exists("output/people"))
  }

  @Test func `an up-to-date site is checked again when an old picture expires`() throws {
    let site = try site()
    let path = try repaint(site)
    try site.age("output")
    #expect(try !build(site).report.upToDate)
    for day in [0, 6.9] {
      let counters = try build(site, day: day).report
      #expect(counters.upToDate && counters.counters.written == 0)
      #expect(counters.counters.unchanged == site.outputFiles().count - 1)
    }
    #expect(try !build(site, day: 7, { $0.fetching.offline = true }).report.upToDate)
    #expect(!site.folder.exists("output/\(path)"))
    try site.age("output")
    try build(site, day: 7)
    #expect(try build(site, day: 700).report.upToDate)
  }

  /// The output does not contain dates, so two sites with the same history are equal.
  @Test func `the output does not contain the build time`() throws {
    let one = try site()
    let other = try site()
    _ = try repaint(one)
    _ = try repaint(other, day: 5)
    #expect(try one.snapshot() == other.snapshot())
    // After the removal day, the site matches a site without history.
    try build(one, day: 20)
    let fresh = try TestSite()
    try fresh.paint("a.png", .green)
    try fresh.write([Person("a", "a.png")])
    try fresh.build()
    #expect(try one.snapshot() == fresh.snapshot())
  }

  @Test func `an old picture without a recorded date is removed`() throws {
    let site = try site()
    let path = try repaint(site)
    try site.folder.remove("cache")
    try build(site)
    #expect(!site.folder.exists("output/\(path)"))
  }

  @Test func `--no-cache and --refresh keep old pictures`() throws {
    let site = try site()
    let path = try repaint(site)
    try build(site) { $0.fetching.ignoringCache = true }
    try build(site) { $0.fetching.refresh = true }
    #expect(site.folder.exists("output/\(path)"))
    let next = try site.image(of: "a").path
    try site.paint("a.png", .blue)
    try build(site) { $0.fetching.ignoringCache = true }
    #expect(site.folder.exists("output/\(path)") && site.folder.exists("output/\(next)"))
  }

  @Test func `missing or damaged old pictures are not re-rendered`() throws {
    let site = try site()
    let red = try repaint(site)
    let green = try repaint(site, .blue)
    try site.folder.write("scribbles", to: "output/\(red)")
    try site.folder.remove("output/\(green)")
    #expect(try build(site).exitStatus == 0)
    #expect(!site.folder.exists("output/\(red)") && !site.folder.exists("output/\(green)"))
    let ledger = try site.text(".sitegen-files")
    #expect(!ledger.contains(red) && !ledger.contains(green))
  }

  @Test func `a clock that was ahead does not extend the retention time`() throws {
    let site = try site()
    let path = try repaint(site, day: 300)
    try build(site, day: 0)
    try build(site, day: 6.9)
    #expect(site.folder.exists("output/\(path)"))
    try build(site, day: 7.1)
    #expect(!site.folder.exists("output/\(path)"))
  }

  @Test func `a site built while the clock was ahead is checked again`() throws {
    let site = try site()
    let path = try repaint(site, day: 300)
    try site.age("output")
    try build(site, day: 300)
    #expect(try build(site, day: 300).report.upToDate)
    #expect(try !build(site, day: 0).report.upToDate)
    #expect(try build(site, day: 6.9).report.upToDate && site.folder.exists("output/\(path)"))
    try build(site, day: 7.1)
    #expect(!site.folder.exists("output/\(path)"))
  }

  @Test func `prune keeps old pictures in the output`() throws {
    let site = try site("keepOld: 7\nexports: aliases")
    let (red, green) = (try repaint(site), try repaint(site, .blue))
    let before = try site.snapshot()
    let pruned = try Prune(site.options(), Prune.Limits(age: 0, bytes: -1)).run()
    #expect(pruned.removed == 0 && pruned.kept == 3)
    #expect(site.folder.exists("output/\(red)") && site.folder.exists("output/\(green)"))
    let counters = try build(site).report.counters
    #expect(counters.renders == 0 && counters.written == 0 && counters.removed == 0)
    #expect(try site.snapshot() == before)
  }

  @Test func `clean removes old pictures`() throws {
    let site = try site()
    _ = try repaint(site)
    try site.clean()
    #expect(site.outputFiles().isEmpty)
  }
}
