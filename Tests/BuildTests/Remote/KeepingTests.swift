import SiteSupport

@Suite(.timeLimit(.minutes(15))) struct KeepingTests {
  @Test(arguments: ["damaged", "gone", "of another version"])
  func `pictures that cannot be fetched survive the loss of the index`(mishap: String) throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    try host.write([Person("a", host.url("/a.png"))])
    try host.build()
    let index = "cache/index.sqlite"
    switch mishap {
    case "damaged": try host.site.folder.write("no database", to: index)
    case "gone": try host.site.folder.remove(index)
    default:
      var bytes = try host.site.folder.read(index)
      // Damages the name of a column in the schema text.
      let words = try #require(bytes.range(of: Data("facts (key".utf8)))
      bytes[words.upperBound - 1] = UInt8(ascii: "x")
      try host.site.folder.write(bytes, to: index)
    }
    try host.site.folder.remove("output")
    host["/a.png"]?.status = 503
    #expect(try host.build().report.users.stale == 1)
    #expect(try host.site.pixels(of: "a").center == TestPicture.Pixel.red.rgba)
  }

  @Test func `a temporary change to maxStale or the clock deletes nothing`()
    throws
  {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    try host.write([Person("a", host.url("/a.png"))])
    try host.build()
    host["/a.png"]?.status = 503
    try host.write([Person("a", host.url("/a.png"))], more: "maxStale: 0")
    #expect(try host.build().report.users.failed == 1)
    try host.write([Person("a", host.url("/a.png"))])
    #expect(try host.build().report.users.stale == 1)
    #expect(try host.build(at: 400 * 86_400).report.users.failed == 1)
    #expect(try host.build().report.users.stale == 1)
    #expect(try host.build { $0.offline = true }.report.users.ok == 1)
  }

  /// The report is the same whether files are looked up or stamps prove them up to date.
  @Test func `in offline mode, a picture that the host has removed is shown as stale`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red, cacheControl: "max-age=600")
    try host.write([Person("a", host.url("/a.png"))])
    try host.build()
    host["/a.png"]?.status = 404
    try host.build { $0.refresh = true }
    let files = try host.site.snapshot()
    #expect(try host.status(of: "a") == "stale")
    for _ in 1...3 {
      #expect(try host.build { $0.offline = true }.report.users.stale == 1)
      try host.site.age("output")
    }
    #expect(try host.site.snapshot() == files)
    // A refresh requests everything that is cached, including pictures that failed with 404.
    host["/a.png"]?.status = 200
    #expect(try host.build { $0.refresh = true }.report.users.ok == 1)
  }

  @Test func `stale icons are reported`() throws {
    let host = try PictureHost()
    host["/logo.png"] = .init(.red, side: 512)
    let more = "icons: { from: \"\(host.url("/logo.png"))\" }\n\(host.network)"
    try host.site.write([Person("a", "initials")], more: more)
    try host.build()
    host["/logo.png"]?.status = 503
    let result = try host.build()
    let reported = try #require(result.diagnostics.sorted.first)
    #expect(reported.id == "source-stale" && reported.path == "icons.from")
    #expect(result.report.stale.map(\.user) == ["icons.from"])
    #expect(try host.site.failure { $0.strict = true }.exitStatus == 1)
  }

  @Test(arguments: [true, false]) func `each user is reported with their own source`(
    isFirstSlow: Bool
  ) throws {
    let site = try TestSite()
    let mail = Digest(of: Array("a@example.org".utf8)).hex
    let picture = TestPicture.png(width: 8, height: 8) { _, _ in .green }
    let server = try ScriptedServer { request in
      let isMail = request.target.hasPrefix("/avatar/\(mail)")
      return (isMail != isFirstSlow ? [.pause(0.5)] : []) + [.answer(body: picture)]
    }
    try site.put(picture, at: "a.png")
    try site.write(
      [
        Person("url", server.url("/a.png")), Person("mail", "gravatar:a@example.org"),
        Person("file", "a.png"),
      ],
      more: """
        network: { allow: [127.0.0.1], ports: [\(server.port)], \
        services: { gravatar: "http://\(server.host)" } }
        """)
    let result = try site.build(jobs: 2)
    #expect(result.report.counters.decodes == 1)
    let users = try site.assets().users
    #expect(users["url"]?.source == "http")
    #expect(users["mail"]?.source == "gravatar")
    #expect(users["file"]?.source == "file")
  }
}
