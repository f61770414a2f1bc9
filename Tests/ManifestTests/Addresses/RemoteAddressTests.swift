import SiteSupport

struct RemoteAddressTests {
  /// The digest of `george@example.com`, computed with `sha256sum`.
  static let george = "47508cb4512f7b46aaeb34b4a514c63d63ec240bf28cbc4410addd4867c10066"

  func address(_ source: String) throws -> RemoteAddress { try parse(source).get() }

  func parse(_ source: String) -> Result<RemoteAddress, Rejection> {
    switch AvatarSource.Kind(source: source) {
    case .remote(let address): .success(address)
    case .faulty(let rejection): .failure(rejection)
    default: .failure(Rejection(.badAddress, "nothing is fetched from such an address"))
    }
  }

  @Test(arguments: [
    ("https://example.org/a.png", "https://example.org/a.png"),
    ("HTTPS://Example.ORG/A.png?B=C#part", "https://example.org/A.png?B=C"),
    ("https://example.org", "https://example.org/"),
    ("https://example.org?a=b", "https://example.org/?a=b"),
    ("https://example.org#a", "https://example.org/"),
    ("https://example.org:443/a", "https://example.org/a"),
    ("https://example.org:/a", "https://example.org/a"),
    ("http://example.org:80/a", "http://example.org/a"),
    ("http://example.org:443/a", "http://example.org:443/a"),
    ("https://example.org:8443/a", "https://example.org:8443/a"),
    ("https://[2001:DB8::1]:81/a", "https://[2001:db8::1]:81/a"),
    ("https://example.org./a", "https://example.org./a"),
    ("https://a_b.example.org/a", "https://a_b.example.org/a"),
    ("https://example.org/é/\"<x>\"?q={1}", "https://example.org/%C3%A9/%22%3Cx%3E%22?q=%7B1%7D"),
    ("https://example.org/a%20b@c?m=a@b.org", "https://example.org/a%20b@c?m=a@b.org"),
    ("https://127.1/a", "https://127.1/a"),
  ]) func `web URLs are normalized`(source: String, url: String) throws {
    let address = try address(source)
    #expect(address == .url(url))
    #expect(address.url(pixels: 100) == url)
    #expect(try self.address(url) == address)
  }

  @Test(arguments: [
    "https:", "https:/", "https://", "https:///a", "https://?a", "https://:80/a", "https:a.png",
    "https://user@example.org/a", "https://user:secret@example.org/a", "https://@example.org/a",
    "https://example.org@evil.org", "https://example.org\\@evil.org/a", "https://exa mple.org/a",
    "https://example.org/a b", "https://example.org/a\n", "https://example.org/a\u{0}",
    "https://example.org/\u{A0}", "https://example.org/\u{85}", "https://bücher.example/a",
    "https://ｅxample.org/a", "https://exa\u{200B}mple.org/a", "https://a..b/c", "https://./a",
    "https://example.org:0/a", "https://example.org:99999/a", "https://example.org:8x/a",
    "https://example.org:+80/a", "https://example.org:80:80/a", "https://[::1/a", "https://::1/a",
    "https://[fe80::1%25eth0]/a", "https://[]/a", "https://[::1]a/b", "https://exa%6dple.org/a",
    "https://example.org,evil.org/a", "ftp://example.org/a", "file:///etc/passwd",
    "https://\(String(repeating: "a", count: 64)).org/a",
    "https://example.org/" + String(repeating: "a", count: 2029),
    "https://example.org/" + String(repeating: "é", count: 700),
  ]) func `invalid web URLs are rejected and not shown in messages`(source: String) {
    guard case .failure(let failure) = parse(source) else {
      Issue.record("accepted: \(source)")
      return
    }
    #expect(failure.reason == .badAddress)
    for part in ["example", "evil", "secret", "user@", "passwd", "aaaa"] {
      #expect(!failure.detail.contains(part))
    }
  }

  @Test(arguments: [
    ("https:///a", "its host is missing"),
    ("https://user@example.org", "it contains a username or password"),
    ("https://example.org/ ", "it contains a space or a control character"),
    ("https://example.org\\a", "it contains a backslash"),
    ("https://example.org:0", "its port is not valid"),
    ("https://bücher.example", "its host is not a valid ASCII host name"),
    (
      "gravatar:a b@c.org",
      "it is neither an email address nor the hex SHA-256 or MD5 of one"
    ),
    (
      "ftp://example.org",
      "the scheme `ftp:` is unknown; known schemes are `https:`, `http:`, `color:`, `data:`, `gravatar:`, "
        + "`libravatar:`, `github:`"
    ),
  ]) func `rejected URLs are reported with the reason`(source: String, detail: String) {
    #expect(parse(source) == .failure(Rejection(.badAddress, detail)))
  }

  @Test func `URLs may be up to 2,048 bytes long`() throws {
    let url = "https://example.org/" + String(repeating: "a", count: 2028)
    #expect(url.utf8.count == 2048)
    #expect(try address(url) == .url(url))
  }

  @Test(arguments: [
    ("https://Example.org/a/b.png?token=secret#x", "https://example.org/a/b.png"),
    ("https://example.org/u/a@b.org/avatar", "https://example.org/u/…/avatar"),
    ("https://example.org/a%40b.org", "https://example.org/…"),
    ("https://example.org/A%2540B.org/c", "https://example.org/…/c"),
    ("https://example.org/a%252540b.org", "https://example.org/…"),
    ("https://example.org/a%EF%BC%A0b.org", "https://example.org/…"),
    ("https://example.org:81/?mail=a@b.org", "https://example.org:81/"),
    ("gravatar:George@example.com", "gravatar:47508cb4…"),
    ("libravatar:George@example.com", "libravatar:47508cb4…"),
    ("github:Octocat", "github:octocat"),
  ]) func `messages omit secrets from URLs`(source: String, words: String) throws {
    let address = try address(source)
    #expect(address.spelling == words)
    #expect(address.kindName == source.prefix { $0 != ":" })
  }

  /// M25: spaces and capitals do not matter.
  @Test(arguments: [
    "george@example.com", "  George@Example.COM\t", "GEORGE@EXAMPLE.COM\n",
    "\u{A0}george@example.com",
    Self.george, Self.george.uppercased(), " \(Self.george) ",
  ]) func `email addresses are trimmed, lowercased and hashed`(mail: String) throws {
    #expect(try address("gravatar:" + mail) == .account(.gravatar, Self.george))
    #expect(try address("libravatar:" + mail) == .account(.libravatar, Self.george))
  }

  /// Lists for older programs contain MD5 hashes of mail addresses.
  @Test func `the MD5 hash of an email address is accepted`() throws {
    let hash = "205e460b479e2e5b48aec07710c08d50"
    #expect(try address("gravatar:" + hash.uppercased()) == .account(.gravatar, hash))
  }

  /// M25: line breaks, other control characters and excessive lengths are also rejected.
  @Test(arguments: [
    "", " ", "@", "a@", "@b.org", "a.org", "a@b@c.org", "a b@c.org", "a@b\n.org", "a@b\u{0}.org",
    "a@b\u{2003}c.org", "d41d8cd98f00b204e9800998ecf8427",
    String(repeating: "a", count: 249) + "@b.org",
    String(repeating: "a", count: 10_000) + "@example.org",
  ]) func `invalid email addresses are rejected and not shown in messages`(mail: String) {
    for scheme in ["gravatar:", "libravatar:"] {
      guard case .failure(let failure) = parse(scheme + mail) else {
        Issue.record("accepted: \(mail)")
        continue
      }
      #expect(failure.reason == .badAddress)
      #expect(!failure.detail.contains(".org") && !failure.detail.contains("d41d"))
    }
  }

  @Test func `an email address may be up to 254 bytes long`() throws {
    let mail = String(repeating: "a", count: 248) + "@b.org"
    #expect(try address("gravatar:" + mail) == .account(.gravatar, Digest(of: mail).hex))
  }

  @Test func `messages, keys and URLs never contain the email address`() throws {
    let mail = "some.body@private.example.org"
    for scheme in ["gravatar", "libravatar"] {
      let address = try address("\(scheme):\(mail)")
      for text in [
        address.spelling, address.key(pixels: 80), address.url(pixels: 80), address.kindName,
      ] {
        #expect(!text.contains("@") && !text.contains("body") && !text.contains("private"))
      }
    }
    let url = try address("https://example.org/\(mail)?\(mail)")
    #expect(!url.key(pixels: 80).contains("@") && !url.spelling.contains("body"))
  }

  @Test(arguments: ["octocat", "a", "a-b-c", "A1", String(repeating: "a", count: 39)])
  func `valid GitHub usernames are accepted`(user: String) throws {
    #expect(try address("github:" + user) == .account(.github, user.lowercased()))
  }

  @Test(arguments: [
    "", "-a", "a-", "a--b", "a_b", "a.b", "a/b", "../a", "a?b", "a b", "é", "a\u{0}", "@octocat",
    String(repeating: "a", count: 40),
  ]) func `invalid GitHub usernames are rejected`(user: String) {
    guard case .failure(let failure) = parse("github:" + user) else {
      Issue.record("accepted: \(user)")
      return
    }
    #expect(failure == Rejection(.badAddress, "it is not a GitHub username"))
  }

  @Test(arguments: [
    (Int.min, 1, 1, 1), (0, 1, 1, 1), (80, 80, 80, 80), (460, 460, 460, 460), (461, 461, 461, 460),
    (513, 513, 512, 460), (2049, 2048, 512, 460), (Int.max, 2048, 512, 460),
  ]) func `requested sizes stay within each service's maximum`(
    pixels: Int, gravatar: Int, libravatar: Int, github: Int
  ) throws {
    let hash = Self.george
    #expect(
      try address("gravatar:" + hash).url(pixels: pixels)
        == "https://gravatar.com/avatar/\(hash)?s=\(gravatar)&d=404")
    #expect(
      try address("libravatar:" + hash).url(pixels: pixels)
        == "https://seccdn.libravatar.org/avatar/\(hash)?s=\(libravatar)&d=404")
    #expect(
      try address("github:octocat").url(pixels: pixels)
        == "https://github.com/octocat.png?size=\(github)")
  }

  @Test func `a mirror URL replaces the service URL`() throws {
    var services = AvatarService.urls
    services[.gravatar] = try AvatarService.mirror("http://127.0.0.1:8080/g/")
    services[.libravatar] = try AvatarService.mirror("https://Mirror.example.org")
    services[.github] = try AvatarService.mirror("https://mirror.example.org//")
    #expect(
      try address("gravatar:" + Self.george).url(pixels: 8, services: services)
        == "http://127.0.0.1:8080/g/avatar/\(Self.george)?s=8&d=404")
    #expect(
      try address("libravatar:" + Self.george).url(pixels: 8, services: services)
        == "https://mirror.example.org/avatar/\(Self.george)?s=8&d=404")
    #expect(
      try address("github:octocat").url(pixels: 8, services: services)
        == "https://mirror.example.org/octocat.png?size=8")
  }

  @Test(arguments: [
    "", "example.org", "ftp://example.org", "https://", "https://a@b.org", "https://b.org/?a",
    "https://b.org/#a",
  ]) func `invalid mirror URLs are rejected`(text: String) {
    #expect(throws: Rejection.self) { try AvatarService.mirror(text) }
  }

  @Test func `different pictures have different cache keys`() throws {
    var mirrored = AvatarService.urls
    mirrored[.gravatar] = "https://mirror.example.org"
    mirrored[.libravatar] = "https://mirror.example.org"
    mirrored[.github] = "https://mirror.example.org"
    let sources = [
      "https://example.org/a", "https://example.org/A", "http://example.org/a",
      "https://example.org/a?b", "gravatar:a@example.org", "gravatar:b@example.org",
      "libravatar:a@example.org", "libravatar:b@example.org", "github:a",
    ]
    var keys: [String] = []
    for source in sources {
      let address = try address(source)
      keys.append(address.key(pixels: 100))
      if case .url = address {
        // A plain URL has only one size and no mirror.
        #expect(address.key(pixels: 200, services: mirrored) == address.key(pixels: 100))
        continue
      }
      keys.append(address.key(pixels: 200))
      keys.append(address.key(pixels: 100, services: mirrored))
      #expect(address.key(pixels: 5000) == address.key(pixels: 4000))
    }
    #expect(Set(keys).count == keys.count)
  }
}
