import SiteSupport

struct AvatarSourceTests {
  @Test(arguments: [
    ("gravatar:a@b.c", "gravatar"), ("GRAVATAR:a@b.c", "gravatar"),
    ("libravatar:a@b.c", "libravatar"), ("github:ada", "github"), ("https://x/a.jpg", "https"),
    ("HTTP://x/a.jpg", "http"),
  ])
  func `services and web URLs are remote sources`(source: String, kind: String) throws {
    guard case .remote(let address) = try #require(AvatarSource.Kind(source: source)) else {
      Issue.record("\(source) is not on the network")
      return
    }
    #expect(address.kindName == kind)
  }

  @Test func `data URLs become inline pictures`() {
    let bytes = Data([0, 0, 0])
    #expect(
      AvatarSource.Kind(source: "data:image/png;base64,AAAA") == .inline(InlinePicture(bytes)))
    #expect(AvatarSource.Kind(source: "data:,%00%00%00") == .inline(InlinePicture(bytes)))
  }

  @Test(arguments: [
    ("htps://example.org/a.jpg", "the scheme `htps:` is unknown; did you mean `https:`?"),
    ("gihub:ada", "the scheme `gihub:` is unknown; did you mean `github:`?"),
    (
      "ftp://example.org/a.jpg",
      "the scheme `ftp:` is unknown; known schemes are `https:`, `http:`, `color:`, `data:`, `gravatar:`, "
        + "`libravatar:`, `github:`"
    ),
  ])
  func `unknown schemes are reported`(source: String, detail: String) {
    #expect(AvatarSource.Kind(source: source) == .faulty(Rejection(.badAddress, detail)))
    #expect(AvatarSource.Kind(source: "photos:a.png") == .file("photos:a.png"))
  }

  @Test(arguments: ["gravatar:ada", "github:-", "https://", "https://a:b@c/", "data:x"])
  func `invalid addresses are rejected without a request`(source: String) throws {
    guard case .faulty(let failure) = try #require(AvatarSource.Kind(source: source)) else {
      Issue.record("\(source) was accepted")
      return
    }
    #expect([.badAddress, .badData].contains(failure.reason))
    #expect(!failure.detail.contains("a:b"))
  }

  @Test func `initials use the name, and identicons use the id`() throws {
    let text = ManifestText(
      text: """
        version: 1
        font: fonts/own.ttf
        users:
          - { avatar: [initials, identicon], background: "#fff", name: Ada Lovelace, id: ada }
          - { id: bob, avatar: initials }

        """)
    let manifest = try #require(try text.read().manifest)
    let users = manifest.users
    #expect(users[0].avatars.map(\.kind) == [.initials, .identicon])
    #expect(users[0].key(of: .initials).text == "AL")
    #expect(users[0].key(of: .initials).background == .white)
    #expect(users[0].key(of: .identicon).text == "ada")
    #expect(users[1].avatars.map(\.kind) == [.initials])
    #expect(users[1].key(of: .initials) == SourceKey(.initials, name: "bob", id: "bob"))
    #expect(users[1].key(of: .file("a.png")) == users[0].key(of: .file("a.png")))
    #expect(manifest.font?.path == "fonts/own.ttf")
    #expect(manifest.font?.location.position?.line == 2)
  }

  @Test func `a colour source is parsed as a solid colour`() {
    #expect(AvatarSource.Kind(source: "color:#fff") == .color(.white))
    #expect(AvatarSource.Kind(source: "Color:white") == .color(.white))
    #expect(AvatarSource.Kind(source: "color:#ffg") == nil)
    #expect(AvatarSource.Kind(source: "color:") == nil)
  }
}
