import SiteSupport

struct StatusTests {
  /// A16: a picture, else a disc in the colour, else nothing; `underlay` paints behind the picture.
  @Test func `a person is shown as a picture, as a plain disc or not at all`() throws {
    let site = try TestSite()
    let hole = TestPicture.png(width: 16, height: 16) { x, y in
      (4..<12).contains(x) && (4..<12).contains(y) ? .clear : .red
    }
    try site.put(hole, at: "hole.png")
    try site.write(
      [
        Person("picture", "hole.png", background: "#00ff00"),
        Person("disc", background: "#00ff00"), Person("nothing"),
        Person("plain", "hole.png"),
      ],
      styles: [
        "name: small, size: 16, scales: [1], shape: circle, formats: [png]",
        "name: under, size: 16, scales: [1], shape: circle, formats: [png], underlay: true, "
          + "background: \"#0000ff\"",
      ])
    let result = try site.build()
    #expect(result.exitStatus == 0 && result.diagnostics.sorted.isEmpty)
    let users = try site.assets().users
    #expect(users["picture"]?.status == "ok" && users["picture"]?.source == "file")
    #expect(users["disc"]?.status == "ok" && users["disc"]?.source == "color")
    #expect(users["plain"]?.status == "ok")

    #expect(try site.pixels(of: "picture").center[3] == 0)
    #expect(try site.pixels(of: "picture")[8, 1] == [255, 0, 0, 255])
    #expect(try site.image(of: "picture").path == site.image(of: "plain").path)
    #expect(try site.pixels(of: "picture", "under").center == [0, 0, 255, 255])
    let disc = try site.pixels(of: "disc")
    #expect(disc.center == [0, 255, 0, 255] && disc[0, 0][3] == 0 && disc[8, 0][3] > 0)

    let nothing = try #require(users["nothing"])
    #expect(nothing.status == "skipped" && nothing.reason == "no-avatar")
    #expect(nothing.avatars.isEmpty && nothing.source == nil && nothing.sourceSHA256 == nil)
    #expect(result.report.users.skipped == 1 && result.report.counters.skipped == 1)
    let page = HTMLPage(try site.text("index.html"))
    #expect(page.tags("svg").count { $0["width"] != nil } == 1 && page.tags("img").count == 3)
  }

  @Test(arguments: [("o'clock.JPG", "jpg"), ("wide.png", "png")])
  func `the error about an oversized picture suggests a command to shrink it`(
    name: String, ending: String
  ) throws {
    let site = try TestSite()
    try site.put(TestPicture.png(width: 16_385, height: 1) { _, _ in .red }, at: name)
    try site.write([Person("wide", name)])
    let problem = try #require(try site.build().diagnostics.sorted.first)
    #expect(problem.id == "too-many-pixels")
    let quoted = name == "wide.png" ? "'wide.png'" : "'o'\\''clock.JPG'"
    #expect(
      problem.help == "make a smaller copy and use it: vipsthumbnail \(quoted) --size 4096x4096 "
        + "-o %s-small.\(ending) (from the Debian package libvips-tools)")
  }

  @Test func `sources are tried in order`() throws {
    let site = try TestSite()
    try site.paint("good.png", .blue)
    try site.put(Array("no picture".utf8), at: "bad.png")
    // The file is valid for the header parser, but not for the decoder.
    try site.put(TestPicture.heifStructure(width: 16, height: 16), at: "hollow.avif")
    try site.write([
      Person("first", "good.png", "bad.png"), Person("second", "bad.png", "good.png"),
      Person("late", "hollow.avif", "good.png"),
      Person("disc", "bad.png", "missing.png", background: "#00ff00"),
      Person("hollow", "hollow.avif", background: "#00ff00"),
      Person("none", "bad.png", "missing.png"),
    ])
    let result = try site.build()
    #expect(result.exitStatus == 1)
    let users = try site.assets().users
    #expect(users["first"]?.status == "ok" && users["first"]?.sourceIndex == 0)
    #expect(users["second"]?.status == "ok" && users["second"]?.sourceIndex == 1)
    #expect(users["late"]?.status == "ok" && users["late"]?.sourceIndex == 1)
    #expect(users["second"]?.reason == nil)
    #expect(users["disc"]?.status == "fallback" && users["disc"]?.source == "color")
    #expect(users["disc"]?.reason == "source-unreadable")
    #expect(users["hollow"]?.status == "fallback")
    #expect(users["none"]?.status == "failed" && users["none"]?.avatars.isEmpty == true)
    #expect(try site.pixels(of: "late").center == [0, 0, 255, 255])
    #expect(try site.pixels(of: "disc").center == [0, 255, 0, 255])

    let failures = result.report.failures
    #expect(failures.map(\.user) == ["second", "late", "disc", "disc", "hollow", "none", "none"])
    #expect(failures.map(\.source) == [0, 0, 0, 1, 0, 0, 1])
    // A failed file is a warning with a fallback, and an error without one.
    let diagnostics = result.diagnostics.sorted
    #expect(
      diagnostics.map(\.path) == [
        "users[1].avatar[0]", "users[2].avatar[0]", "users[3].avatar[1]", "users[4].avatar",
        "users[5].avatar[1]",
      ])
    #expect(diagnostics.map(\.severity) == [.warning, .warning, .warning, .warning, .error])
    #expect(result.report.users.ok == 3 && result.report.users.fallback == 2)
    #expect(result.report.users.failed == 1 && result.report.users.total == 6)
  }

  /// I13: the picture is shown as if it had no profile, and this is reported in every build.
  @Test func `an ignored colour profile is reported`() throws {
    let site = try TestSite()
    let jpeg = TestPicture.jpeg(width: 16, height: 16) { _, _ in .red }
    let profile = TestPicture.segment(
      0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 7, count: 100))
    try site.put(jpeg.prefix(2) + profile + jpeg.dropFirst(2), at: "bad.jpg")
    try site.write([Person("b", "bad.jpg", "missing.png")])
    // The three builds take the notice from the render, its record and the list of stamps.
    for renders in [1, 0, nil] {
      let result = try site.build { $0.strict = true }
      #expect(result.report.upToDate == (renders == nil) && result.exitStatus == 0)
      #expect(result.report.counters.renders == renders ?? 0)
      if renders == 1 { try site.age("output") }
      let notes = result.report.notes.map { "\($0.user) \($0.source) \($0.reason)" }
      #expect(notes == ["b 0 profile-ignored"])
      let reported = result.diagnostics.sorted.map { "\($0.severity) \($0.id) \($0.path ?? "")" }
      #expect(reported == ["note profile-ignored users[0].avatar[0]"])
    }
  }

  @Test func `failure details appear only in the report`() throws {
    let site = try TestSite()
    try site.write([Person("a", "secret-folder/secret-name.png")])
    let result = try site.build()
    let failure = try #require(result.report.failures.first)
    #expect(failure.user == "a" && failure.reason == "source-unreadable")
    for path in site.outputFiles() {
      #expect(try !site.text(path).contains("secret"), "\(path)")
      #expect(try !site.text(path).contains(failure.detail), "\(path)")
    }
    #expect(try site.report().failures == result.report.failures)
  }

  /// G38: with one corrupt picture among 100, 99 are complete, and the exit status is 1.
  @Test func `one bad picture does not affect the others`() throws {
    let site = try TestSite()
    for number in 0..<100 {
      try site.paint("\(number).png", TestPicture.Pixel(UInt8(number), 9, 9))
    }
    var bytes = [UInt8](try site.folder.read("content/42.png"))
    bytes.removeLast(bytes.count - 30)
    try site.put(bytes, at: "42.png")
    try site.write(
      (0..<100).map { Person("user-\($0)", name: "Nr. \($0)", "\($0).png") },
      more: "pages: { problems: true }")

    let result = try site.build(jobs: 2)
    #expect(result.exitStatus == 1)
    #expect(result.report.users.ok == 99 && result.report.users.failed == 1)
    #expect(result.report.counters.failed == 1)
    #expect(site.assetFiles().count == 99)
    let diagnostic = try #require(result.diagnostics.sorted.first)
    #expect(result.diagnostics.sorted.count == 1)
    #expect(diagnostic.severity == .error && diagnostic.path == "users[42].avatar")
    #expect(diagnostic.message.contains("42.png") && diagnostic.id == "truncated")
    #expect(diagnostic.location?.position?.line == 48)
    #expect(result.report.failures.map(\.user) == ["user-42"])
    #expect(result.report.failures.map(\.reason) == ["truncated"])
    let users = try site.assets().users
    #expect(users.count == 100)
    #expect(users.filter { $0.value.status != "ok" }.keys.sorted() == ["user-42"])
    #expect(users["user-42"]?.reason == "truncated")
    let page = HTMLPage(try site.text("index.html"))
    #expect(page.tags("img").count == 99)
    let card = page.text(in: "li") { $0["id"] == "person-user-42" }
    #expect(try #require(card).contains("Failed: the picture file is incomplete"))
  }

  /// G38: under `--strict`, a build with a failure or a fallback publishes nothing.
  @Test(arguments: [Person("bad", "missing.png"), Person("bad", "missing.png", background: "red")])
  func `a strict build with a failure publishes nothing`(person: Person) throws {
    let site = try TestSite()
    try site.paint("good.png", .blue)
    try site.write([Person("good", "good.png")])
    try site.build { $0.strict = true }
    let before = try site.stamps()
    try site.write([Person("good", "good.png"), person])
    let failure = try site.failure { $0.strict = true }
    #expect(failure.exitStatus == 1)
    guard case .strict(let result) = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(result.diagnostics.sorted.map(\.path) == ["users[1].avatar"])
    #expect(result.report.failures.map(\.user) == ["bad"])
    #expect(try site.stamps() == before)
    #expect(try site.report().failures.map(\.user) == ["bad"])
    #expect(try site.build().report.counters.renders <= 1)
  }

  /// Without a signal, the exit status does not indicate one.
  @Test func `only a signal causes an exit status above 128`() {
    let halted = Cancellation()
    halted.cancel()
    for cancellation in [Cancellation(), halted] {
      #expect(BuildFailure(CancellationError(), cancellation).exitStatus == 3)
    }
    halted.cancel(signal: 15)
    #expect(BuildFailure(CancellationError(), halted).exitStatus == 143)
  }

  /// F3: a manifest without users is an error; with `--allow-empty`, it produces an empty page.
  @Test func `a manifest without users is an error`() throws {
    let site = try TestSite()
    try site.write([])
    let mistakes = try site.mistakes()
    #expect(mistakes.map(\.id) == ["no-users"])
    #expect(site.outputFiles().isEmpty)
    let result = try site.build { $0.allowEmpty = true }
    #expect(result.exitStatus == 0)
    #expect(try site.text("index.html").contains("There are no people yet."))
    #expect(try site.assets().users.isEmpty)
  }
}
