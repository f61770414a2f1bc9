import SiteSupport

struct ChangeOfMindTests {
  @Test func `a dry run predicts what the build does`() throws {
    let site = try TestSite()
    try site.put(Array("no picture".utf8), at: "bad.png")
    try site.write([Person("a", "bad.png", background: "red")])
    let built = try site.build()
    #expect(built.report.users.fallback == 1)
    let promised = try site.build { $0.dryRun = true }
    #expect(promised.report.users == built.report.users)
    #expect(promised.report.counters.renders == 0)
    let strict = try site.failure { options in
      options.dryRun = true
      options.strict = true
    }
    #expect(strict.exitStatus == 1)
  }

  @Test func `a picture outside the folder is rejected once allowOutside is removed`() throws {
    let site = try TestSite()
    try site.paint("inside.png", .init(200, 30, 40))
    try site.folder.write(try site.folder.read("content/inside.png"), to: "outside.png")
    try site.folder.setModified("outside.png", to: TestSite.longAgo)
    try site.write([Person("a", "../outside.png")], more: "allowOutside: true")
    #expect(try site.build().report.users.ok == 1)
    try site.write([Person("a", "../outside.png")])
    let refused = try site.build()
    #expect(refused.report.users.failed == 1)
    #expect(refused.report.failures.map(\.reason) == ["path-outside-root"])
  }

  @Test func `a symlink is followed once it is relative instead of absolute`() throws {
    let site = try TestSite()
    try site.paint("real.png", .init(20, 130, 40))
    let link = site.folder.path(of: "content/link.png")
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: link, withDestinationPath: site.folder.path(of: "content/real.png"))
    try site.write([Person("a", "link.png")])
    for _ in 0..<2 {
      #expect(try site.build().report.users.failed == 1)
      try site.age("output")
    }
    // The new link points to the same file, so stamps that follow links are equal.
    try manager.removeItem(atPath: link)
    try manager.createSymbolicLink(atPath: link, withDestinationPath: "real.png")
    #expect(try site.build().report.users.ok == 1)
  }
}
