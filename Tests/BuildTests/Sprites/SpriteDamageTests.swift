import SiteSupport

struct SpriteDamageTests {
  private static let styles = ["name: small, size: 16, scales: [1, 2], formats: [png]"]

  private func write(_ site: TestSite, last: String = "color:green") throws {
    try site.write(
      [Person("a", "color:red"), Person("b", "color:blue"), Person("c", last)],
      styles: Self.styles, more: "exports: [sprites]")
  }

  private func filled() throws -> TestSite {
    let site = try TestSite()
    try write(site)
    try site.build()
    return site
  }

  private func blob(_ site: TestSite, _ digest: String) throws -> String {
    try #require(site.folder.list().first { $0.hasPrefix("cache/store/") && $0.hasSuffix(digest) })
  }

  private func damage(_ site: TestSite, _ digest: String, isDeleted: Bool) throws {
    let blob = try blob(site, digest)
    var bytes = try site.folder.read(blob)
    try site.folder.remove(blob)
    if isDeleted { return }
    bytes[bytes.count / 2] ^= 0x20
    try site.folder.write(bytes, to: blob)
  }

  @Test(arguments: [true, false])
  func `a missing or damaged image is re-rendered for a new sheet`(isDeleted: Bool) throws {
    let site = try filled()
    for scale in [1.0, 2] {
      try damage(site, site.image(of: "a", scale: scale).sha256, isDeleted: isDeleted)
    }
    try write(site, last: "color:yellow")
    let result = try site.build(jobs: 2)
    #expect(result.exitStatus == 0)
    // Two images in yellow, two sheets, and two images in red are rendered.
    #expect(result.report.counters.renders == 2 + 2 + 2)
    try site.checkSprites()
    let fresh = try TestSite()
    try write(fresh, last: "color:yellow")
    try fresh.build()
    #expect(try site.snapshot() == fresh.snapshot())
    #expect(try site.build().report.counters.renders == 0)
  }

  /// The publisher finds that the sheet is missing, and then that its pictures are also missing.
  @Test func `missing sheets and their pictures are re-rendered`() throws {
    let site = try filled()
    let before = try site.snapshot()
    for sheet in try #require(try site.sprites().styles["small"]).sheets {
      try site.folder.remove("output/\(sheet.path)")
    }
    try site.folder.remove("cache/store")
    let counters = try site.build(jobs: 2).report.counters
    #expect(counters.renders == 6 + 2 && counters.written == 2)
    #expect(try site.snapshot() == before)
    #expect(try site.build().report.counters.renders == 0)
  }
}
