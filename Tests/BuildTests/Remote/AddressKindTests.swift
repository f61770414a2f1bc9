import SiteSupport

@Suite(.timeLimit(.minutes(15))) struct AddressKindTests {
  private static let mail = "Ada.Sample@Example.org"
  private static let hash = Digest(of: Array("ada.sample@example.org".utf8)).hex

  private func host() throws -> PictureHost {
    let host = try PictureHost()
    host["/avatar/\(Self.hash)"] = .init(.red)
    host["/octocat.png"] = .init(.blue)
    return host
  }

  private func write(_ host: PictureHost, _ people: [Person], styles: [String]) throws {
    let base = host.url("")
    try host.write(
      people, styles: styles,
      more: "services: { gravatar: \"\(base)\", libravatar: \"\(base)/\", github: \"\(base)\" }")
  }

  /// N16: services receive a hash, and are asked to return 404 if they lack a picture.
  @Test func `services receive a hash or username, and the largest size needed`() throws {
    let host = try host()
    try write(
      host,
      [
        Person("a", "gravatar:  \(Self.mail) "), Person("b", "gravatar:\(Self.hash)"),
        Person("c", "github:Octocat"), Person("d", "gravatar:nobody@example.org", "initials"),
        Person("e", "libravatar:\(Self.hash)"),
      ],
      styles: [
        TestSite.small, "name: wide, size: [50, 20], scales: [1, 1.5], formats: [png]",
      ])
    try host.build()
    let nobody = Digest(of: Array("nobody@example.org".utf8)).hex
    #expect(
      host.asked() == [
        "/avatar/\(Self.hash)?s=75&d=404": 1, "/octocat.png?size=75": 1,
        "/avatar/\(nobody)?s=75&d=404": 1,
      ])
    for (user, color) in [("a", TestPicture.Pixel.red), ("b", .red), ("c", .blue), ("e", .red)] {
      #expect(try host.site.pixels(of: user).center == color.rgba, "\(user)")
    }
    let users = try host.site.assets().users
    #expect(users["a"]?.source == "gravatar" && users["c"]?.source == "github")
    #expect(users["d"]?.sourceIndex == 1)
  }

  /// M25: no output, cache or message contains an email address.
  @Test func `email addresses appear only in the manifest`() throws {
    let host = try host()
    let secret = "zoe.secret"
    let sources = [
      "gravatar:\(secret)@example.org", "libravatar:\(secret)@127.0.0.1",
      "gravatar:\(secret)@", "gravatar:\(secret)@a b", "libravatar:@\(secret)",
      "\(host.url("/x"))?mail=\(secret)@example.org", host.url("/\(secret)@example.org.png"),
      host.url("/\(secret)%40example.org.png"), "https://\(secret):pw@example.org/a.png",
      "data:image/png;base64,\(secret)@", "\(secret)@example.org", "gravtar:\(secret)@example.org",
    ]
    try write(host, sources.enumerated().map { Person("u\($0)", $1) }, styles: [TestSite.small])
    let run = try host.site.start("build").ending()
    let words = run.out + run.err
    #expect(run.status == 1)
    #expect(words.contains("error:") && !words.contains(secret), "\(words)")
    var looked = 0
    for path in host.site.folder.list() where !path.hasPrefix("content") {
      guard let bytes = try? host.site.folder.read(path) else { continue }
      looked += 1
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(path)")
    }
    #expect(looked > 10)
    // The host gets the URL unchanged.
    #expect(host.server.requests.contains { $0.target.contains("mail=\(secret)") })
  }
}
