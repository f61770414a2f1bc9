import SiteSupport

struct FallbackTests {
  private func reported(_ diagnostic: Diagnostic) -> String {
    let place = diagnostic.location
    let file = place.map { ($0.file as NSString).lastPathComponent } ?? "-"
    let position = place?.position.map { "\($0.line):\($0.column)" } ?? "-"
    return "\(file):\(position) \(diagnostic.path ?? "-") \(diagnostic.id)"
  }

  @Test func `a failed fallback does not hide the original failure`() throws {
    let site = try TestSite()
    try site.put(Array("no picture".utf8), at: "bad.png")
    try site.write(
      [
        Person("own", "missing.png"), Person("two", "missing.png", "bad.png"), Person("nothing"),
        Person("nobody"), Person("disc", "missing.png", background: "#00ff00"),
      ], more: "fallback: [gone.png, \"http://127.0.0.1/b.png\"]")
    let result = try site.build()
    let diagnostics = result.diagnostics.sorted
    #expect(
      diagnostics.map(reported) == [
        // A mistake shared by two users is reported once.
        "manifest.yaml:2:22 fallback[1] address-not-public",
        "manifest.yaml:6:16 users[0].avatar source-unreadable",
        "manifest.yaml:7:30 users[1].avatar[1] unsupported-format",
        "manifest.yaml:10:16 users[4].avatar source-unreadable",
      ])
    #expect(diagnostics.map(\.severity) == [.error, .error, .error, .warning])
    #expect(diagnostics.first?.message == "cannot fetch http://127.0.0.1/b.png")
    let own = try #require(diagnostics.first { $0.path == "users[0].avatar" })
    #expect(own.message == "cannot read missing.png")
    #expect(own.note == "no such file or directory; the fallback failed too: 127.0.0.1")
    let users = try site.assets().users
    #expect(users["own"]?.status == "failed" && users["own"]?.reason == "source-unreadable")
    #expect(users["two"]?.reason == "unsupported-format")
    #expect(users["nothing"]?.reason == "address-not-public")
    #expect(users["disc"]?.status == "fallback" && users["disc"]?.reason == "source-unreadable")
    let failures = result.report.failures.filter { $0.user == "own" }
    #expect(
      failures.map(\.reason) == ["source-unreadable", "source-unreadable", "address-not-public"])
  }

  @Test func `a misspelt keyword gets a suggestion`() throws {
    let site = try TestSite()
    try site.write([Person("a"), Person("b", "identicons")], more: "fallback: [intials]")
    #expect(
      try site.build().diagnostics.sorted.compactMap(\.help) == [
        "did you mean `initials`?", "did you mean `identicon`?",
      ])
    // A name with an extension is a file, not a kind of source.
    try site.write([Person("a", "initials.jpg")])
    #expect(
      try site.build().diagnostics.sorted.map(\.help) == ["paths are relative to the manifest"])
  }

  @Test func `a failed fallback is reported at its position in the manifest`() throws {
    let site = try TestSite()
    try site.folder.write(
      "version: 1\nfallback: gone.png\nusers: { from: users.csv }\n", to: site.manifest)
    try site.folder.write("id,avatar\na,\nb,b.png\n", to: "content/users.csv")
    let diagnostics = try site.build().diagnostics.sorted
    #expect(
      diagnostics.map(reported) == [
        "manifest.yaml:2:11 fallback source-unreadable",
        "users.csv:3:3 users[1].avatar source-unreadable",
      ])
  }

  @Test(arguments: [
    ("ok.jpg", #"did you mean "ok.JPG"?"#), ("OK.JPG", #"did you mean "ok.JPG"?"#),
    ("ok.png", #"did you mean "ok.JPG"?"#), ("Photos/Ada.webp", #"did you mean "photos/ada.png"?"#),
    ("./photos/ada.jpeg", #"did you mean "photos/ada.png"?"#),
    ("photos/adam.png", "paths are relative to the manifest"),
    ("photos/../nil.jpg", "paths are relative to the manifest"),
    (
      "none/ada.png",
      #"found "photos/ada.png": for a list, set `fields`, e.g. avatar: "photos/{COLUMN | file}""#
    ),
    (
      "Ada.png",
      #"found "photos/ada.png": for a list, set `fields`, e.g. avatar: "photos/{COLUMN}""#
    ),
    (
      "b/c.png",
      #"found "photos/b/c.png": for a list, set `fields`, e.g. avatar: "photos/{COLUMN}""#
    ),
    ("/photos/ada.png", #"found "photos/ada.png": in `users`, set root: ."#),
    ("/b/c.png", #"found "photos/b/c.png": in `users`, set root: photos"#),
    ("/nil.png", "in `users`, set `root` for paths that begin with /, e.g. root: static"),
  ])
  func `a similar file name is suggested for a missing file`(name: String, help: String) throws {
    let site = try TestSite()
    try site.paint("ok.JPG", .blue)
    try site.paint("photos/ada.png", .blue)
    try site.paint("photos/b/c.png", .blue)
    // Generated folders and other sites are not searched for pictures.
    for folder in ["node_modules", ".git", "_site", "old"] {
      try site.paint("\(folder)/nil.png", .blue)
    }
    try site.put([], at: "old/.sitegen-files")
    try site.write([Person("a", name)])
    #expect(try site.build().diagnostics.sorted.map(\.help) == [help])
  }

  /// N18: failed remote sources are also reported.
  @Test func `a failed source is reported even if there is a fallback`() throws {
    let site = try TestSite()
    try site.paint("good.png", .blue)
    try site.put(Array("no picture".utf8), at: "bad.png")
    try site.write(
      [
        Person("a", "missing.png"), Person("b"), Person("c", "bad.png", "good.png"),
        Person("d", "http://127.0.0.1/b.png"),
      ], more: "fallback: good.png")
    let result = try site.build()
    #expect(
      result.diagnostics.sorted.map(reported) == [
        "manifest.yaml:6:16 users[0].avatar source-unreadable",
        "manifest.yaml:8:16 users[2].avatar[0] unsupported-format",
        "manifest.yaml:9:16 users[3].avatar address-not-public",
      ])
    #expect(result.diagnostics.sorted.allSatisfy { $0.severity == .warning })
    #expect(
      result.diagnostics.sorted.first?.message
        == "cannot read missing.png; the next source is used instead")
    #expect(result.report.users.ok == 4 && result.exitStatus == 0)
    #expect(try site.assets().users["a"]?.reason == nil)
    #expect(throws: BuildFailure.self) { try site.build { $0.strict = true } }
  }
}
