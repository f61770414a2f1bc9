import SiteSupport

@Suite(.timeLimit(.minutes(15))) struct RemoteListTests {
  private static let day: Int64 = 86_400

  private func host(_ ids: [String], cacheControl: String = "no-cache") throws -> PictureHost {
    let host = try PictureHost()
    host["/p/a.png"] = .init(.red)
    publish(ids, on: host, cacheControl: cacheControl)
    try host.site.folder.write(manifest(of: host), to: "content/manifest.yaml")
    try host.site.folder.setModified("content/manifest.yaml", to: TestSite.longAgo)
    return host
  }

  private func manifest(of host: PictureHost, _ more: String = "") -> String {
    """
    version: 1
    avatars: [{ \(TestSite.small) }]
    users: { from: "\(host.url("/p/team.csv"))" }
    \(host.network(more))
    fallback: [initials]
    notices: off
    """
  }

  private func publish(_ ids: [String], on host: PictureHost, cacheControl: String = "no-cache") {
    var list = PictureHost.Picture(.red, etag: "\"\(ids.joined())\"", cacheControl: cacheControl)
    list.bytes = Data(("id,photo\n" + ids.map { "\($0),\($0).png\n" }.joined()).utf8)
    host["/p/team.csv"] = list
  }

  private func users(_ host: PictureHost) throws -> [String] {
    try host.site.assets().users.keys.sorted()
  }

  @Test func `a cached list is revalidated and replaced by a newer version`() throws {
    let host = try host(["a"])
    let result = try host.build()
    #expect(result.report.users.ok == 1 && result.diagnostics.sorted.isEmpty)
    #expect(try host.site.pixels(of: "a").center == TestPicture.Pixel.red.rgba)
    #expect(host.asked() == ["/p/team.csv": 1, "/p/a.png": 1])
    let again = try host.build()
    #expect(host.asked() == ["/p/team.csv": 1, "/p/a.png": 1])
    #expect(again.report.counters.notModified == 2 && again.report.counters.written == 0)
    publish(["a", "b"], on: host)
    try host.build()
    #expect(try users(host) == ["a", "b"])
  }

  @Test func `the site stays up to date as long as the list is fresh`() throws {
    let host = try host(["a"], cacheControl: "max-age=3600")
    host["/p/a.png"]?.cacheControl = "max-age=86400"
    try host.build()
    try host.site.age("output")
    try host.build()
    _ = host.asked()
    #expect(try host.build(at: 600).report.upToDate)
    #expect(host.asked().isEmpty)
    publish(["a", "b"], on: host, cacheControl: "max-age=3600")
    #expect(try !host.build(at: 4000).report.upToDate)
    #expect(host.asked()["/p/team.csv"] == 1)
    #expect(try users(host) == ["a", "b"])
  }

  @Test(arguments: [503, 404]) func `the last good list is used while its host is down`(
    status: Int
  ) throws {
    let host = try host(["a"])
    try host.build()
    host["/p/team.csv"]?.status = status
    let output = try host.site.snapshot()
    for _ in 1...2 {
      let result = try host.build(at: 600)
      #expect(result.diagnostics.sorted.map(\.id) == ["source-stale"])
      #expect(result.exitStatus == 0)
    }
    #expect(try host.site.snapshot() == output)
    let check = try Build(host.site.options(jobs: 1)).check()
    #expect(check.diagnostics.sorted.map(\.id).contains("source-stale"))
    #expect(try host.site.failure { $0.strict = true }.exitStatus == 1)
    // Lists have the same age limit as pictures.
    let day = Self.day
    let failure = try host.site.failure { $0.fetching.clockOffset = 40 * day }
    #expect(failure.exitStatus == 2)
    host["/p/team.csv"]?.status = 200
    #expect(try host.build(at: 2 * Self.day).diagnostics.sorted.isEmpty)
  }

  @Test func `a list that loses most of its people requires --allow-shrink`() throws {
    let host = try host(["a", "b", "c"])
    for id in ["b", "c"] { host["/p/\(id).png"] = .init(.blue) }
    try host.build()
    publish(["a"], on: host)
    for _ in 1...2 {
      #expect(try host.build().diagnostics.sorted.map(\.id) == ["users-shrunk"])
      #expect(try users(host) == ["a", "b", "c"])
    }
    try host.site.build(jobs: 1) { $0.allowShrink = true }
    #expect(try users(host) == ["a"])
    #expect(try host.build().diagnostics.sorted.isEmpty)
  }

  /// F42: a lost cache does not disable the check.
  @Test func `without a cached list, the new list is compared with the published site`() throws {
    let all = (10..<22).map { "u\($0)" }
    let host = try host(all)
    try host.build()
    publish(Array(all.prefix(5)), on: host)
    let result = try host.build()
    #expect(result.exitStatus == 0)
    #expect(result.diagnostics.sorted.map(\.severity).contains(.warning))
    #expect(try users(host) == all)
    try host.site.folder.remove("cache")
    let output = try host.site.snapshot()
    #expect(try host.site.failure().exitStatus == 3)
    #expect(try host.site.snapshot() == output)
    try host.site.build { $0.allowShrink = true }
    #expect(try users(host) == Array(all.prefix(5)))
  }

  @Test func `in offline mode, a build uses the cached list or fails`() throws {
    let host = try host(["a"])
    #expect(try host.site.failure { $0.fetching.offline = true }.exitStatus == 2)
    try host.build()
    try host.site.folder.remove("output")
    _ = host.asked()
    #expect(try host.build { $0.offline = true }.report.users.ok == 1)
    #expect(host.asked().isEmpty)
    let check = try Build(options(of: host) { $0.fetching.offline = true }).check()
    #expect(check.report.users.ok == 1)
  }

  private func options(
    of host: PictureHost, _ adjust: (inout BuildOptions) -> Void
  ) -> BuildOptions {
    var options = host.site.options(jobs: 1)
    adjust(&options)
    return options
  }

  @Test func `a dry run fetches the list but writes nothing`() throws {
    let host = try host(["a"])
    #expect(try host.site.build(jobs: 1) { $0.dryRun = true }.report.users.total == 1)
    #expect(try Build(host.site.options(jobs: 1)).check().report.users.total == 1)
    #expect(!host.site.folder.exists("output") && !host.site.folder.exists("cache"))
  }

  @Test func `a missing or damaged list is fetched again`() throws {
    let host = try host(["a"])
    try host.build()
    try host.site.folder.remove("cache/originals")
    #expect(try host.build().report.users.ok == 1)
    #expect(try host.build().report.users.ok == 1)
    _ = try Prune(host.site.options(jobs: 1), Prune.Limits(age: 0, bytes: -1)).run()
    host["/p/team.csv"]?.status = 503
    #expect(try host.build().report.users.ok == 1)
  }

  /// As for pictures, private addresses need permission in the manifest.
  @Test func `a list on a private network is not fetched`() throws {
    let host = try host(["a"])
    try host.site.folder.write(
      "version: 1\nusers: { from: \"\(host.url("/p/team.csv"))\" }\n", to: "content/manifest.yaml")
    guard case .usage(let diagnostics) = try host.site.failure() else {
      Issue.record("expected a usage error")
      return
    }
    #expect(diagnostics.sorted.map(\.id) == ["users-unreadable"])
    #expect(host.asked().isEmpty)
  }

  @Test func `saving a file does not cause the list to be refetched`() throws {
    let host = try host(["a"])
    try host.site.paint("b.png", .green)
    let watch = Rebuilding(host.site)
    #expect(watch.rebuild()?.users.total == 1)
    _ = host.asked()
    publish(["a", "b"], on: host)
    for title in ["One", "Two"] {
      let text = manifest(of: host) + "\nsite: { title: \(title) }\n"
      try host.site.folder.write(text, to: "content/manifest.yaml")
      #expect(watch.rebuild()?.users.total == 1)
      #expect(watch.rebuild()?.users.total == 1)
    }
    #expect(host.asked().isEmpty)
  }

  @Test func `the next rebuild fetches a list whose fetch was cancelled`() throws {
    let site = try TestSite()
    let server = try ScriptedServer { request in
      request.attempt == 1 ? [.hold] : [.answer(body: Data("[{\"name\": \"Ada\"}]".utf8))]
    }
    try site.folder.write(
      """
      version: 1
      avatars: [{ \(TestSite.small) }]
      users: { from: "\(server.url("/team"))" }
      network: { allow: [127.0.0.1], ports: [\(server.port)] }
      fallback: [identicon]
      """, to: "content/manifest.yaml")
    let watch = Rebuilding(site)
    let first = watch.begin()
    #expect(eventually { server.requests.count == 1 })
    watch.rebuilder.cancelForNewerBuild()
    #expect(eventually { first.now != nil })
    #expect(watch.rebuild()?.users.ok == 1)
  }

  /// A failed list does not affect other lists, and its earlier people stay.
  @Test func `remote and local lists can be combined`() throws {
    let host = try host(["a"])
    try host.site.put(Array("id,name\na,Ada\nb,Bob\n".utf8), at: "own.csv")
    let text = manifest(of: host).replacing("{ from: \"", with: "{ from: [own.csv, \"")
      .replacing("team.csv\" }", with: "team.csv\"] }")
    try host.site.folder.write(text, to: "content/manifest.yaml")
    try host.build()
    host["/p/team.csv"]?.status = 503
    #expect(try host.build().diagnostics.sorted.map(\.id) == ["source-stale"])
    #expect(try users(host) == ["a", "b"])
    #expect(try host.site.pixels(of: "a").center == TestPicture.Pixel.red.rgba)
  }
}
