import SiteSupport

@Suite(.timeLimit(.minutes(15))) struct StaleTests {
  private static let day: Int64 = 86_400

  /// O4: the picture of an earlier build stays for a while, marked as stale in the report.
  @Test(arguments: [500, 404, 403]) func `the last good picture is shown until it is too old`(
    status: Int
  ) throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    try host.write([Person("a", host.url("/a.png"), "initials"), Person("b", "color:#123")])
    try host.build()
    let files = host.site.assetFiles()
    let picture = try host.site.image(of: "a").path

    host["/a.png"]?.status = status
    let result = try host.build(at: 3600)
    #expect(result.exitStatus == 0)
    #expect(try host.status(of: "a") == "stale")
    #expect(try host.site.assets().users["a"]?.reason == "source-stale")
    #expect(try host.site.image(of: "a").path == picture)
    #expect(host.site.assetFiles() == files)
    #expect(result.report.users.stale == 1)
    let stale = try #require(result.report.stale.first)
    #expect(
      (3600...3700).contains(try #require(stale.age)) && stale.user == "a" && stale.source == 0)
    let reported = try #require(result.diagnostics.sorted.first)
    #expect(reported.id == "source-stale" && reported.severity == .warning)
    // Visitors do not see the note about the earlier picture.
    #expect(try !host.site.text("index.html").contains("Earlier picture"))
    // The age is only in the report, so the output of a later build is the same.
    let output = try host.site.snapshot()
    let later = try host.build(at: 7200)
    #expect(try host.site.snapshot() == output)
    #expect((7200...7300).contains(try #require(later.report.stale.first?.age)))

    // The limit applies to the picture's age, not to the duration of the failure.
    #expect(try host.build(at: 30 * Self.day - 60).report.users.stale == 1)
    let over = try host.build(at: 31 * Self.day)
    #expect(over.report.users.stale == 0)
    #expect(try host.status(of: "a") == "ok")
    #expect(try host.site.assets().users["a"]?.sourceIndex == 1)
    #expect(over.report.stale.isEmpty)

    host["/a.png"]?.status = 200
    #expect(try host.build(at: 33 * Self.day).report.users.ok == 2)
    #expect(try host.site.image(of: "a").path == picture)
  }

  @Test func `setting maxStale to 0 disables stale pictures`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    try host.write([Person("a", host.url("/a.png"))], more: "maxStale: 0")
    try host.build()
    host["/a.png"]?.status = 500
    let result = try host.build()
    #expect(result.reasons == ["a": "server-failed"] && result.exitStatus == 1)
    #expect(try host.status(of: "a") == "failed")
  }

  @Test func `a stale picture fails a strict build`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    try host.write([Person("a", host.url("/a.png"))])
    try host.build()
    host["/a.png"]?.status = 404
    let failure = try host.site.failure { $0.strict = true }
    #expect(failure.exitStatus == 1)
    #expect(try host.status(of: "a") == "ok")
  }

  /// N9: a picture's type depends on its bytes.
  ///
  /// G25: a 404 is cached for a day, and a timeout is retried in the next build.
  @Test func `only permanent failures are cached`() throws {
    let host = try PictureHost()
    host["/slow.png"] = .init(.red)
    host["/slow.png"]?.status = 503
    try host.write([
      Person("gone", host.url("/gone.png")), Person("slow", host.url("/slow.png")),
      Person("page", host.url("/page.png")),
    ])
    host["/page.png"] = .init(.red)
    host["/page.png"]?.bytes = Data("<!DOCTYPE html><p>Not found</p>".utf8)
    let first = try host.build()
    #expect(
      first.reasons == [
        "gone": "not-found", "slow": "server-failed", "page": "unsupported-format",
      ])
    #expect(host.asked() == ["/gone.png": 1, "/slow.png": 3, "/page.png": 1])

    let second = try host.build(at: 3600)
    #expect(second.reasons == first.reasons)
    #expect(host.asked() == ["/slow.png": 3])

    try host.build(at: 7200) { $0.refresh = true }
    #expect(host.asked() == ["/gone.png": 1, "/slow.png": 3, "/page.png": 1])

    host["/slow.png"]?.status = 200
    host["/gone.png"] = .init(.blue)
    #expect(try host.build(at: 3 * Self.day).reasons.isEmpty == false)
    #expect(host.asked() == ["/gone.png": 1, "/slow.png": 1, "/page.png": 1])
    #expect(try host.status(of: "gone") == "ok")
  }

  /// A cached 404 is a known result, so the site is up to date until it expires.
  @Test func `a site with a missing picture can be up to date`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red, cacheControl: "max-age=86000")
    try host.write([Person("a", host.url("/a.png")), Person("gone", host.url("/gone.png"))])
    try host.build()
    try host.site.age("output")
    try host.build()
    _ = host.asked()
    let second = try host.build()
    #expect(second.report.upToDate)
    #expect(second.exitStatus == 1)
    #expect(second.reasons == ["gone": "not-found"])
    #expect(host.asked() == [:])
  }

  /// N18: unreachable hosts cause one warning, even if initials are shown instead.
  @Test func `failed fetches are reported in one warning`() throws {
    let host = try PictureHost()
    let closed = try Socket(holding: "127.0.0.1")
    defer { closed.close() }
    let more = "network: { allow: [127.0.0.1], ports: [\(host.server.port), \(closed.port)] }"
    var people = (0..<20).map {
      Person("p\($0)", "http://127.0.0.1:\(closed.port)/\($0).png", "initials")
    }
    people += [Person("gone", host.url("/gone.png"), "color:#123"), Person("none", "initials")]
    try host.site.write(people, more: more)
    func reported(_ result: BuildResult) -> [Diagnostic] { result.diagnostics.sorted }

    let result = try host.build()
    let warning = try #require(reported(result).first)
    #expect(reported(result).count == 1 && result.exitStatus == 0)
    #expect(warning.severity == .warning && warning.id == "connection-failed")
    #expect(
      warning.message
        == "cannot fetch the pictures of 21 people; other sources are used instead")
    let note = try #require(warning.note)
    #expect(
      note == "127.0.0.1:\(closed.port): connection refused [connection-failed] (20); "
        + "127.0.0.1:\(host.server.port): it returned 404 [not-found] (1)")
    #expect(warning.path == "users[0].avatar[0]" && warning.help != nil)
    #expect(reported(try host.build()) == [warning])
    #expect(reported(try Build(host.site.options()).check()) == [warning])

    let strict = try host.site.failure { $0.strict = true }
    #expect(strict.exitStatus == 1)
    #expect(reported(try host.build { $0.offline = true }) == [])
  }

  /// N18: the warning appears even if no request is needed, but not with `--offline`.
  @Test func `every online build warns about a missing picture`() throws {
    let host = try PictureHost()
    try host.write([Person("a", host.url("/gone.png"), "initials")])
    for isOffline in [false, false, true, true, false] {
      try host.site.age("output")
      let result = try host.build { $0.offline = isOffline }
      #expect(result.diagnostics.sorted.map(\.id) == (isOffline ? [] : ["not-found"]))
      if isOffline { continue }
      let reported = try #require(result.diagnostics.sorted.first)
      #expect(
        reported.message == "cannot fetch \(host.url("/gone.png")); the next source is used instead"
      )
      #expect(reported.note == "127.0.0.1:\(host.server.port): it returned 404")
    }
  }

  /// N18: earlier pictures and colours each cause one warning.
  @Test func `each kind of fallback is reported in one warning`() throws {
    let host = try PictureHost()
    let users = ["a", "b", "c"]
    for user in users { host["/\(user).png"] = .init(.red) }
    try host.write(users.map { Person($0, host.url("/\($0).png"), "initials") })
    try host.build()
    for user in users { host["/\(user).png"]?.status = 403 }
    var more = [Person("d", host.url("/d.png"), background: "#123")]
    more.append(Person("e", host.url("/e.png"), background: "#123"))
    try host.write(users.map { Person($0, host.url("/\($0).png"), "initials") } + more)
    let reported = try host.build().diagnostics.sorted
    #expect(
      reported.map(\.message) == [
        "cannot fetch the pictures of 3 people; their earlier pictures are shown",
        "cannot fetch the pictures of 2 people; the background colours are shown instead",
      ])
    #expect(reported.map(\.id) == ["source-stale", "not-found"])
    #expect(reported.allSatisfy { $0.severity == .warning })
  }

  /// N18: people without any fallback cause one error.
  @Test func `people left without a picture are reported in one error`() throws {
    let host = try PictureHost()
    let people = (0..<4).map { Person("p\($0)", host.url("/\($0).png")) }
    try host.write(people + [Person("file", "none.png")])
    let result = try host.build()
    let reported = result.diagnostics.sorted
    #expect(
      reported.map(\.message) == [
        "cannot fetch the pictures of 4 people; their places stay empty",
        "cannot read none.png",
      ])
    #expect(reported.allSatisfy { $0.severity == .error })
    #expect(result.exitStatus == 1 && result.report.users.failed == 5)
    let cause = "127.0.0.1:\(host.server.port): it returned 404 [not-found] (4)"
    #expect(reported.first?.note == cause)
    #expect(reported.first?.path == "users[0].avatar" && reported.first?.id == "not-found")

    try host.site.write(people, more: "\(host.network)\nfallback: gone.png")
    let other = try host.build().diagnostics.sorted
    #expect(other.first?.note == "\(cause); the fallback failed too: no such file or directory")
    #expect(other.count == 1)

    try host.write([people[0]])
    let one = try host.build().diagnostics.sorted
    #expect(one.map(\.message) == ["cannot fetch \(host.url("/0.png"))"])
  }

  /// N18: the number of diagnostics is limited, but fetch warnings are kept.
  @Test func `a fetch warning is shown even if there are many other warnings`() throws {
    let host = try PictureHost()
    var people = (0..<1_001).map { Person("p\($0)", "none.png", "color:red") }
    people += ["x", "y"].map { Person($0, host.url("/\($0).png"), "color:red") }
    try host.site.write(people, more: "\(host.network)\npages: false")
    let reported = try host.build().diagnostics
    #expect(reported.count(.warning) == 1_002)
    #expect(
      reported.sorted.contains { $0.message.hasPrefix("cannot fetch the pictures of 2 people") })
  }
}
