import SiteSupport

struct ExportTests {
  private func site(exports: Bool = true) throws -> TestSite {
    let strip: [String: Any] = ["name": "top", "color": "#0004", "radius": 2]
    let more: [String: Any] = [
      "exports": [
        "xcassets", "swift", "android", "aliases", "headers", "sprites", "poster", "touch",
      ],
      "icons": ["from": "color:#336699"], "strips": [strip],
    ]
    return try TestSite.whole(more: exports ? more : [:])
  }

  /// A18: any number of jobs produces the same files.
  ///
  /// A19: a second build does not change any files.
  @Test func `the number of jobs does not affect exports, and a rebuild does nothing`() throws {
    let site = try site()
    try site.build(jobs: 1)
    let one = try site.snapshot()
    let stamps = try site.stamps()
    let counters = try site.build(jobs: 8).report.counters
    #expect(counters.decodes == 0 && counters.renders == 0)
    #expect(counters.written == 0 && counters.removed == 0)
    #expect(try site.stamps() == stamps)
    let other = try self.site()
    try other.build(jobs: 8)
    #expect(try other.snapshot() == one)
  }

  @Test func `exports can be enabled and disabled, and clean removes them`() throws {
    let (site, full) = (try site(exports: false), try site())
    let manifests = try [site, full].map { try $0.folder.read("content/manifest.json") }
    try site.build()
    let before = try site.snapshot()
    try site.put(manifests[1], at: "manifest.json")
    try site.build()
    try full.build()
    #expect(try site.snapshot() == full.snapshot())
    try site.put(manifests[0], at: "manifest.json")
    #expect(try site.build().report.counters.renders == 0)
    #expect(try site.snapshot() == before)
    for folder in ["Assets.xcassets", "favicon.ico", "res", "u"] {
      #expect(full.folder.exists("output/\(folder)") && !site.folder.exists("output/\(folder)"))
    }
    try full.clean()
    #expect(full.folder.list().filter { $0.hasPrefix("output/") } == ["output/.sitegen-lock"])
  }
}
