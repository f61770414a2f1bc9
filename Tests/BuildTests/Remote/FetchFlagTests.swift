import SiteSupport

/// G23: each fetch flag, and a dry run that writes nothing.
@Suite(.timeLimit(.minutes(15))) struct FetchFlagTests {
  private func filled() throws -> PictureHost {
    let host = try PictureHost()
    host["/a.png"] = .init(.red, cacheControl: "max-age=600")
    try host.write([Person("a", host.url("/a.png")), Person("gone", host.url("/gone.png"))])
    try host.build()
    _ = host.asked()
    return host
  }

  @Test func `--refresh revalidates everything`() throws {
    let host = try filled()
    let result = try host.build { $0.refresh = true }
    #expect(host.asked() == ["/a.png": 1, "/gone.png": 1])
    #expect(host.server.requests.contains { $0["If-None-Match"] != nil })
    #expect(result.report.counters.notModified == 1 && result.report.counters.renders == 0)
  }

  @Test func `--no-cache fetches everything unconditionally`() throws {
    let host = try filled()
    let files = try host.site.snapshot()
    let result = try host.build { $0.ignoringCache = true }
    #expect(host.asked() == ["/a.png": 1, "/gone.png": 1])
    #expect(host.server.requests.allSatisfy { $0["If-None-Match"] == nil })
    #expect(result.report.counters.fetched == 1 && result.report.counters.renders == 1)
    #expect(try host.site.snapshot() == files)
  }

  /// N13: without a network, the cache is used.
  @Test func `--offline uses cached pictures of any age`() throws {
    let host = try filled()
    let files = try host.site.snapshot()
    let result = try host.build(at: 400 * 86_400) { $0.offline = true }
    #expect(host.asked() == [:])
    #expect(result.report.users.ok == 1 && result.report.users.stale == 0)
    #expect(result.reasons == ["gone": "offline"])
    try host.site.write([Person("a", host.url("/a.png"))], more: host.network)
    try host.build { $0.offline = true }
    #expect(
      try host.site.snapshot().filter { $0.key.hasPrefix("assets/") }
        == files.filter { $0.key.hasPrefix("assets/") })
  }

  @Test func `the time limit applies to the whole fetch of a picture`() throws {
    let site = try TestSite()
    let server = try ScriptedServer(["/never.png": [.hold]])
    try site.write(
      [Person("a", server.url("/never.png"))],
      more: "network: { allow: [127.0.0.1], ports: [\(server.port)] }")
    let start = ContinuousClock.now
    let result = try site.build { $0.fetching.timeout = 2 }
    #expect(ContinuousClock.now - start < .seconds(60))
    #expect(result.reasons == ["a": "fetch-timeout"])
  }

  @Test func `only the first frame of an animated picture is used`() throws {
    let host = try PictureHost()
    host["/a.gif"] = .init(.red)
    host["/a.gif"]?.bytes = TestPicture.gif(width: 8, height: 8, frames: 2) { frame, _, _ in
      frame == 0 ? .green : .red
    }
    try host.write([Person("a", host.url("/a.gif"))])
    try host.build()
    #expect(try host.site.pixels(of: "a").center == TestPicture.Pixel.green.rgba)
  }

  @Test func `a dry run fetches but writes nothing`() throws {
    let host = try filled()
    host["/b.png"] = .init(.blue)
    try host.write([Person("a", host.url("/a.png")), Person("b", host.url("/b.png"))])
    let before = host.site.folder.list()
    let result = try host.site.build { $0.dryRun = true }
    #expect(result.report.counters.renders == 1)
    #expect(result.report.users.ok == 2)
    #expect(host.site.folder.list() == before)
    #expect(host.asked() == ["/b.png": 1])
    // The dry run did not cache the picture, so the next build fetches it.
    #expect(try host.build().report.counters.fetched == 1)
  }
}
