import SiteSupport

struct SameBytesTests {
  private static let styles = [
    "name: icon, size: 16, scales: [1, 2], formats: [webp, png]",
    "name: large, size: 96, scales: [1], shape: rounded, formats: [png]",
  ]

  private static let people = [
    Person("jpeg", "large.jpg"), Person("png", "red.png"), Person("twin", "also-red.png"),
    Person("fallback", "missing.png", background: "#5856d6"), Person("failed", "broken.png"),
    Person("second", "broken.png", "blue.png"), Person("none"),
    Person("disc", background: "#00ff00"), Person("some", "blue.png", styles: ["icon"]),
  ]

  private static var second: Int { Int(Date.now.timeIntervalSince1970) }

  private func fill(_ site: TestSite, styles: [String] = styles) throws {
    try site.put(
      TestPicture.jpeg(
        width: 256, height: 192, pixel: TestPicture.gradient(width: 256, height: 192)),
      at: "large.jpg")
    try site.paint("red.png", .red)
    try site.paint("also-red.png", .red)
    try site.paint("blue.png", .blue)
    try site.put(Array("no picture".utf8), at: "broken.png")
    try site.write(
      Self.people, styles: styles, buttons: ["name: primary, normal: \"#0a84ff\""],
      more: "site: { title: The team }")
  }

  /// A18: one job and eight jobs produce identical trees, and at most `jobs` items run at once.
  ///
  /// C12: running one item at a time uses the same code and produces the same tree.
  @Test func `the number of jobs does not affect the output`() throws {
    let one = try TestSite()
    let eight = try TestSite()
    try fill(one)
    try fill(eight)
    let alone = try one.build(jobs: 1)
    #expect(alone.report.counters.peakConcurrency == 1)
    let crowd = try eight.build(jobs: 8)
    #expect((1...8).contains(crowd.report.counters.peakConcurrency))
    #expect(try one.snapshot() == eight.snapshot())
    #expect(alone.exitStatus == 1 && crowd.exitStatus == 1)
    #expect(alone.report.users == crowd.report.users)
    #expect(alone.report.failures == crowd.report.failures)
    #expect(alone.diagnostics.sorted.map(\.message) == crowd.diagnostics.sorted.map(\.message))
    #expect(alone.report.counters.renders == crowd.report.counters.renders)
    #expect(alone.report.counters.decodes == crowd.report.counters.decodes)
  }

  /// G37: a cold build a second later, touched sources and a lost cache produce the same bytes.
  @Test func `the output does not depend on the clock`() throws {
    let site = try TestSite()
    try fill(site)
    let second = Self.second
    try site.build()
    let first = try site.snapshot()
    #expect(first.count > 10)

    // PNG and WebP may contain the second of creation, so this waits for the next one.
    while Self.second == second { usleep(20_000) }
    let later = try TestSite()
    try fill(later)
    try later.age("content", to: TestSite.longAgo + 86_400 * 400)
    try later.build(jobs: 2)
    #expect(try later.snapshot() == first)

    try site.age("content", to: TestSite.longAgo + 5)
    let touched = try site.build().report.counters
    #expect(touched.renders == 0 && touched.written == 0)
    #expect(try site.snapshot() == first)

    try site.folder.remove("cache")
    let forgotten = try site.build().report.counters
    #expect(forgotten.renders > 0 && forgotten.written == 0 && forgotten.removed == 0)
    #expect(try site.snapshot() == first)
  }

  @Test func `orphaned files are removed even if the cache is missing`() throws {
    let site = try TestSite()
    try fill(site)
    try site.build()
    let first = try site.snapshot()
    let jpeg = Set(try #require(site.assets().users["jpeg"]).avatars.values.joined().map(\.path))
    #expect(jpeg.count == 5)
    try site.folder.remove("cache")
    try site.write(
      Self.people.filter { $0.id != "jpeg" }, styles: Self.styles,
      buttons: ["name: primary, normal: \"#0a84ff\""], more: "site: { title: The team }")
    let counters = try site.build().report.counters
    #expect(counters.removed == 5)
    #expect(Set(site.outputFiles()) == Set(first.keys).subtracting(jpeg))
  }

  @Test func `adding a larger style does not change the other images`() throws {
    let site = try TestSite()
    try fill(site)
    try site.build()
    let before = try site.snapshot()
    let more = ["name: hero, size: 128, scales: [1], shape: square, formats: [png]"] + Self.styles
    try fill(site, styles: more)
    try site.build()
    let after = try site.snapshot()
    for (path, digest) in before where path.hasPrefix("assets/") {
      #expect(after[path] == digest, "\(path)")
    }
    let cold = try TestSite()
    try fill(cold, styles: more)
    try cold.build(jobs: 2)
    #expect(try cold.snapshot() == after)
  }

  @Test func `identical files with different names are treated as one source`() throws {
    let site = try TestSite()
    try site.paint("one.png", .red)
    try site.paint("two.jpg", .red)
    try site.write([Person("a", "one.png"), Person("b", "two.jpg")])
    let counters = try site.build().report.counters
    #expect(counters.sourcesRead == 3 && counters.decodes == 1 && counters.renders == 1)
    #expect(try site.image(of: "a") == site.image(of: "b"))
    let users = try site.assets().users
    #expect(users["a"]?.sourceSHA256 == users["b"]?.sourceSHA256)
  }
}
