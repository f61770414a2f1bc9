import SiteSupport

struct AliasTests {
  private func text(_ users: String, _ files: [String: String] = [:]) -> ManifestText {
    ManifestText(text: "version: 1\nexports: aliases\nusers: \(users)\n", files: files)
  }

  private func names(_ users: String, _ files: [String: String] = [:]) throws -> [String?] {
    try #require(try text(users, files).read().manifest).users.map(\.pathName)
  }

  private static let nasty = [
    "ada", "Ada", "ADA", "_41da", "_", "__", "_5f", "a.b", "a/b", "../b", ".", "..", "a b", "a%20b",
    "é", "e\u{301}x", "日本", "💂", "con", "x\u{200D}y", "-", "a_", String(repeating: "a", count: 64),
    String(repeating: "a", count: 65), String(repeating: "é", count: 40),
    "__" + Digest(of: String(repeating: "a", count: 65)).hex,
  ]

  @Test func `path names are unique and valid on every file system`() {
    var random = SeededRandom(seed: 7)
    var ids = Set(Self.nasty)
    while ids.count < 2_000 {
      let letters = (0...random.next(upTo: 6)).map { _ in
        ["a", "A", "_", "4", "1", "é", "/", "-"][random.next(upTo: 8)]
      }
      ids.insert(letters.joined())
    }
    var names: [String: String] = [:]
    for id in ids {
      guard let name = Self.name(id) else {
        Issue.record("\(id) has no name")
        continue
      }
      #expect(names.updateValue(id, forKey: name) == nil, "\(id)")
      #expect(!name.isEmpty && name.utf8.count <= 66, "\(id)")
      #expect(name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789_-".utf8.contains($0) })
    }
    #expect(Self.name("ada") == "ada" && Self.name("Ada") == "_41da")
    #expect(Self.name("e\u{301}") == Self.name("é"))
  }

  private static func name(_ id: String) -> String? {
    User(id: id, name: id, at: FileLocation(file: "f"), number: 0).pathName
  }

  @Test func `path names do not depend on other users`() throws {
    let list = try names("[\(Self.nasty.map { "{ id: '\($0)' }" }.joined(separator: ", "))]")
    #expect(list == Self.nasty.map(Self.name))
  }

  @Test func `an email address used as an id requires an alias`() throws {
    #expect(
      try names("[{ id: ada@example.org }, { id: '@ada' }, { id: b@example.org, alias: b_1 }]")
        == [nil, nil, "b_1"])
    let csv = ["users.csv": "id,email\n,ada@example.org\n"]
    for source in ["email", "\"{email}\"", "\"{email | slug}\"", "\"x-{email | slug}\""] {
      #expect(try names("{ from: users.csv, fields: { id: \(source) } }", csv) == [nil])
      #expect(try names("{ from: users.csv, fields: { name: \(source) } }", csv) == [nil])
    }
    for (name, csv) in [
      ("ada-lovelace", "name,email\nAda Lovelace,ada@example.org\n"),
      ("ada", "name\nAda <ada@example.org>\n"),
      ("ada", "id,name\nada,Ada <ada@example.org>\n"),
    ] {
      #expect(try names("{ from: users.csv }", ["users.csv": csv]) == [name], "\(csv)")
    }
    // The name would publish a mail address.
    let mails = text("{ from: users.csv }", ["users.csv": "name\nada@example.org\n"])
    #expect(try mails.read().manifest == nil)
    let page = ["people/ada@example.org.md": "---\ntitle: Ada\n---\n"]
    #expect(try names("{ from: people/*.md }", page) == [nil])
  }

  @Test func `users in a list can have aliases`() throws {
    let csv = "id,alias\na,first\nb,\nc,Not one\n"
    let list = text("{ from: users.csv }", ["users.csv": csv])
    #expect(try list.read().manifest?.users.map(\.pathName) == ["first", "b", "c"])
    #expect(try list.problems() == ["content/users.csv:4:3 users[2].alias bad-name (warning)"])
    // Without the export or in an external list, the key has another meaning.
    var other = list
    other.text = "version: 1\nusers: { from: users.csv }\n"
    #expect(try other.problems().isEmpty)
    #expect(try names("{ from: u.csv }", ["u.csv": "name,alias\nAda,first\n"]) == ["ada"])
    #expect(
      try names("{ from: u.csv, fields: { alias: nick } }", ["u.csv": "name,nick\nAda,x\n"])
        == ["x"])
  }

  @Test func `a later list can add an alias to a user`() throws {
    let files = ["a.csv": "id,name\na,A\nb,B\n", "b.csv": "id,name,alias\na,A,first\nb,B,\n"]
    #expect(try names("{ from: [a.csv, b.csv] }", files) == ["first", "b"])
  }

  @Test(arguments: [
    ("{ id: a, alias: x }, { id: b, alias: x }", "3:32 users[1].alias", "3:11"),
    ("{ id: a, alias: b }, { id: b }", "3:11 users[0].alias", "3:32"),
    ("{ id: b }, { id: a, alias: b }", "3:22 users[1].alias", "3:11"),
    ("{ id: Ada }, { id: a, alias: _41da }", "3:24 users[1].alias", "3:11"),
  ])
  func `duplicate path names are reported with both locations`(
    users: String, place: String, other: String
  ) throws {
    let problems = try text("[\(users)]").read().diagnostics.sorted
    let problem = try #require(problems.first)
    #expect(problems.count == 1 && problem.severity == .error && problem.id == "duplicate-name")
    let position = problem.location?.position.map { "\($0)" } ?? ""
    let both = "\(position) \(problem.path ?? "")"
    #expect(both == place && problem.note?.hasSuffix(":\(other)") == true, "\(problem)")
  }

  /// An error in one row of a remote list would fail every build.
  @Test func `duplicate aliases in a list are dropped with a warning`() throws {
    let list = text("{ from: users.csv }", ["users.csv": "id,alias\na,c\nb,a\nc,\nd,e\nf,e\n"])
    #expect(
      try list.problems() == [
        "content/users.csv:2:1 users[0].alias duplicate-name (warning)",
        "content/users.csv:6:1 users[4].alias duplicate-name (warning)",
      ])
    // Users whose alias was dropped get no other name, because that name might be taken, too.
    #expect(try list.read().manifest?.users.map(\.pathName) == [nil, "a", "c", "e", nil])
  }

  @Test(arguments: [
    "A", "a b", "é", "a.b", "a/b", "'@a'", "'_'", "'\(String(repeating: "a", count: 65))'",
  ])
  func `aliases must be valid URL segments`(alias: String) throws {
    #expect(
      try ManifestText.user("alias: \(alias)").problems()
        == ["4:12 users[0].alias bad-name (warning)"])
  }
}
