import SiteSupport

struct UserTests {
  private func user(_ keys: String) throws -> User {
    let manifest = try #require(try ManifestText.user(keys).read().manifest)
    return try #require(manifest.users.first)
  }

  @Test func `text fields accept any plain scalar`() throws {
    let text = ManifestText(
      text: """
        version: 1
        site: { title: 007, language: no }
        users:
          - { id: 007, name: no, title: 1e400, tags: [true, 0x10, ~, 1.0] }
          - { id: "null", name: null, title: }

        """)
    let manifest = try #require(try text.read().manifest)
    #expect(manifest.site.title == "007")
    #expect(manifest.site.language == "no")
    #expect(manifest.users.map(\.id) == ["007", "null"])
    #expect(manifest.users.map(\.name) == ["no", "null"])
    #expect(manifest.users.map(\.title) == ["1e400", nil])
    #expect(manifest.users[0].tags == ["true", "0x10", "~", "1.0"])
  }

  @Test func `a user's position in the manifest is recorded`() throws {
    let user = try user("avatar: a.jpg")
    let position = Position(line: 3, column: 5)
    #expect(
      user.declared.location == FileLocation(file: "content/manifest.yaml", position: position))
    #expect(user.declared.path == "users[0]")
    #expect(user.avatars == [AvatarSource(.file("a.jpg"), at: Position(line: 4, column: 13))])
  }

  /// F3: an empty list is an error unless it is allowed; a site with other output needs no list.
  @Test func `an empty list is an error unless it is allowed`() throws {
    for (users, position) in [("users: []", "2:8"), ("users:", "1:1"), ("", "1:1")] {
      var text = ManifestText(text: "version: 1\n\(users)\n")
      #expect(try text.problems() == ["\(position) users no-users"])
      #expect(try text.read().manifest == nil)
      text.allowEmpty = true
      #expect(try text.problems().isEmpty)
      #expect(try text.read().manifest?.users.isEmpty == true)
    }
    for other in ["strips: [{ name: s, color: black }]", "icons: { from: logo.png }"] {
      #expect(try ManifestText(text: "version: 1\n\(other)\n").problems().isEmpty)
    }
    let words = "version: 1\nexports: [xcassets, sprites]\n"
    #expect(try ManifestText(text: words).problems() == ["1:1 users no-users"])
    let buttons = "version: 1\nbuttons: [{ name: b, normal: red }]\n"
    #expect(try ManifestText(text: buttons).problems().isEmpty)
    #expect(try ManifestText(text: buttons + "users: []\n").problems() == ["3:8 users no-users"])
  }

  /// G38: an invalid value causes a warning with its path, and the user is kept.
  @Test func `every invalid value is reported and dropped`() throws {
    var lines = ["version: 1", "users:"]
    for index in 0..<100 {
      lines.append("  - { id: u\(index), link: \(index % 40 == 7 ? "ftp://x" : "https://x") }")
    }
    let (manifest, diagnostics) = try ManifestText(text: lines.joined(separator: "\n")).read()
    let users = try #require(manifest?.users)
    #expect(users.count == 100 && users.count { $0.link == nil } == 3)
    #expect(
      diagnostics.sorted.map(\.path) == ["users[7].link", "users[47].link", "users[87].link"])
    #expect(Set(diagnostics.sorted.map(\.id)) == ["bad-link"])
    #expect(diagnostics.sorted[0].note == #"it is ignored for "u7""#)
    // These warnings fail a build with `--strict`.
    #expect(!diagnostics.hasErrors && diagnostics.hasFlaws)
    // A missing picture is not a manifest error.
    let missing = try ManifestText.user("avatar: [../../x.jpg, gravatar:a@b.c, https://x]").read()
    #expect(missing.diagnostics.isEmpty)
    #expect(missing.manifest?.users.count == 1)
  }

  /// M8: ids that are equal after NFC are duplicates, reported with both positions; case matters.
  @Test func `ids are compared after NFC normalization`() throws {
    let text = ManifestText(
      text: "version: 1\nusers:\n  - id: zoe\u{301}\n  - id: Zo\u{E9}\n  - id: zo\u{E9}\n")
    let (manifest, diagnostics) = try text.read()
    #expect(manifest == nil)
    #expect(
      diagnostics.sorted == [
        Diagnostic(
          .error, "duplicate-id", "two users have the id \"zo\u{E9}\"",
          at: FileLocation(file: "content/manifest.yaml", position: Position(line: 5, column: 9)),
          path: "users[2].id", note: "the first is at content/manifest.yaml:3:9",
          help: "give one of them a different id")
      ])
    let different = ["a", "A", "a ", " a", "a%d", "a0", "á", "ａ", "\u{430}"]
    let ids = different.map { "  - id: \"\($0)\"\n" }.joined()
    let manifest2 = try ManifestText(text: "version: 1\nusers:\n\(ids)").read().manifest
    #expect(manifest2?.users.map(\.id) == different)
  }

  /// M9: hostile ids stay unchanged, because no id is used as a path; invisible ids are rejected.
  @Test func `an id can be any visible text`() throws {
    let fine = [
      "..", ".", "/", "\\", "-rf", ".hidden", "CON", "a.", "%00", "%2e%2e", "👩‍👩‍👧", "a/b", "~",
      "e" + String(repeating: "\u{301}", count: 500), String(repeating: "x", count: 1_024),
    ]
    func json(_ ids: [String]) -> ManifestText {
      let users = ids.map { "{\"id\": \"\($0.replacing("\\", with: "\\\\"))\"}" }
      let text = "{\"version\": 1, \"users\": [\(users.joined(separator: ", "))]}"
      return ManifestText(text: text, syntax: .json)
    }
    #expect(try json(fine).read().manifest?.users.map(\.id) == fine)
    for id in ["", " ", "\u{3000}", String(repeating: "x", count: 1_025), "a\u{7F}", "a\u{9B}b"] {
      #expect(try json([id]).problems() == ["1:33 users[0].id bad-id"])
    }
    for escape in ["\\u0000", "\\n", "\\u001b", "\\t"] {
      let text = "{\"version\": 1, \"users\": [{\"id\": \"a\(escape)\"}]}"
      #expect(try ManifestText(text: text, syntax: .json).problems() == ["1:33 users[0].id bad-id"])
    }
  }

  /// M18: names with control characters are dropped, and a name of one megabyte is rejected.
  @Test func `names cannot contain control characters`() throws {
    for character in ["\u{1b}", "\u{0}", "\u{85}", "\u{9b}", "\u{7f}", "\r", "\n"] {
      let escaped = character.unicodeScalars.map {
        "\\u" + ("000" + String($0.value, radix: 16)).suffix(4)
      }
      let problems = try ManifestText.user("name: \"a\(escaped.joined())b\"").problems()
      #expect(problems == ["4:11 users[0].name bad-text (warning)"])
    }
    // Bidirectional and joining marks are part of languages, and pages isolate them.
    for name in ["a\u{202E}b", "\u{2067}אב\u{2069}", "a\u{200D}b", "pаypal", "e\u{301}"] {
      #expect(try user("name: \"\(name)\"").name == name)
    }
    let long = String(repeating: "x", count: 1 << 20)
    #expect(throws: Diagnostic.self) { try ManifestText.user("name: \(long)").problems() }
  }

  @Test func `links must use http, https or mailto`() throws {
    for link in [
      "https://example.org/ada", "http://x", "HTTPS://EXAMPLE.ORG", "mailto:a@b.c",
      "https://example.org/?q=a&b='c'#d", "https://münchen.de/ä", "https://example.org/@ada",
      "https://example.org:8080?mail=a@b.c", "http://[2001:db8::1]/",
      "https://example.org/\u{200F}א",
    ] {
      #expect(try user("link: \"\(link)\"").link == link)
    }
    for link in [
      "javascript:alert(1)", "data:text/html,x", "//example.org", "/ada", "example.org", "https:",
      "https://", "https:///x", "https:x", "mailto:", "mailto:?subject=x", "ftp://x", "https://a b",
      " https://a", "https://a<b", "java\u{200B}script:x", "x:https://a", "https://:80",
      "https://bank.example@example.org/", "https://@example.org", "http://ada:secret@example.org",
      "https://bank\u{202E}gro.elpmaxe/", "https://\u{200F}example.org", "https://a\u{2066}.org?x",
    ] {
      let text = ManifestText.user("link: \"\(link)\"")
      #expect(try text.problems() == ["4:11 users[0].link bad-link (warning)"], "\(link)")
      #expect(try !text.read().diagnostics.sorted.contains { $0.message.contains("secret") })
    }
  }

  @Test func `empty optional texts are treated as absent`() throws {
    let user = try user(
      "name: ''\n    title: ' '\n    avatar: ['', a.jpg]\n    tags: ['', x]\n    link: ''")
    #expect(user.name == "a")
    #expect((user.title, user.link) == (nil, nil))
    #expect(user.avatars.map(\.kind) == [.file("a.jpg")])
    #expect(user.tags == ["x"])
  }

  @Test func `a user's styles are stored as sorted, unique indices`() throws {
    let text = ManifestText(
      text: """
        version: 1
        avatars: [{ name: a }, { name: b }, { name: c }]
        users:
          - { id: x, styles: [c, a, c] }
          - { id: y, styles: [] }
          - { id: z, styles: b }
          - { id: w }

        """)
    #expect(try text.read().manifest?.users.map(\.styles) == [[0, 2], [], [1], nil])
  }

  /// One worker job renders all of a user's images, so each format counts separately.
  @Test func `the pixel limit applies to all styles together`() throws {
    func text(_ styles: String) -> ManifestText {
      ManifestText(text: "version: 1\navatars: [\(styles)]\nusers: [{ id: a }]\n")
    }
    let largest = "{ size: [8000, 4000], scales: 1 }"
    #expect(try text(largest).problems().isEmpty)
    #expect(try text("\(largest), { name: b, size: 0.5, scales: 10 }").problems().count == 1)
    let second = "\(largest), { name: b, size: 1, scales: 1, formats: png }"
    #expect(try text(second).problems() == ["2:10 avatars out-of-range"])
  }

  @Test func `lists with too many values are rejected`() throws {
    let sources = Array(repeating: "a.jpg", count: 33).joined(separator: ", ")
    #expect(
      try ManifestText.user("avatar: [\(sources)]").problems()
        == ["4:13 users[0].avatar too-many (warning)"])
    let tags = (0...100).map(String.init).joined(separator: ", ")
    #expect(
      try ManifestText.user("tags: [\(tags)]").problems()
        == ["4:11 users[0].tags too-many (warning)"])
    let styles = (0...100).map { "{ name: s\($0) }" }.joined(separator: ", ")
    let text = ManifestText(text: "version: 1\navatars: [\(styles)]\nusers: [{ id: a }]\n")
    #expect(try text.problems() == ["2:10 avatars too-many"])
  }

  @Test func `JSON numbers are accepted as text, but booleans are not`() throws {
    let text = ManifestText(
      text: "{\"version\":1,\"users\":[{\"id\":7,\"name\":1.50,\"title\":null}]}", syntax: .json)
    let user = try #require(try text.read().manifest?.users.first)
    #expect((user.id, user.name, user.title) == ("7", "1.50", nil))
    let bad = ManifestText(text: "{\"version\":1,\"users\":[{\"id\":true}]}", syntax: .json)
    #expect(try bad.problems() == ["1:29 users[0].id wrong-type"])
  }
}
