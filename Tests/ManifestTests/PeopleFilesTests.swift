import SiteSupport

/// Lists in several files, and files that are not lists.
struct PeopleFilesTests {
  private func text(
    _ from: String, _ files: [String: String], _ more: String = ""
  ) -> ManifestText {
    ManifestText(text: "version: 1\nusers:\n  from: \(from)\n\(more)\n", files: files)
  }

  private func users(
    _ from: String, _ files: [String: String], _ more: String = ""
  ) throws -> [User] {
    try #require(try text(from, files, more).read().manifest).users
  }

  /// Formats each user as `id name: picture picture`.
  private func words(_ users: [User]) -> [String] {
    users.map { user in
      "\(user.id) \(user.name):" + user.avatars.map { " " + $0.kind.names.source }.joined()
    }
  }

  private static let bundles = [
    "authors/ada/index.md": "---\ntitle: Ada Lovelace\nphoto: me.jpg\n---\n",
    "authors/ada/me.jpg": "", "authors/ada/other.jpg": "",
    "authors/bob-b/index.md": "---\nrole: Boss\n---\n", "authors/bob-b/b.png": "",
    "authors/cy/_index.md": "---\ntitle: Cy\n---\n", "authors/cy/avatar.jpg": "",
    "authors/cy/cover.jpg": "", "authors/_drafts/index.md": "---\ntitle: No\n---\n",
    "authors/.git/index.md": "no", "authors/index.md": "---\ntitle: All\n---\n",
    "authors/x/notes.txt": "", "authors/team/dee/index.md": "---\ntitle: Dee\n---\n",
    "authors/team/dee/a.jpg": "", "authors/team/dee/b.jpg": "",
  ]

  @Test(arguments: [
    (
      "authors/*/index.md",
      ["ada Ada Lovelace: authors/ada/me.jpg", "bob-b Bob B: ./authors/bob-b/b.png"]
    ),
    ("authors/*/_index.md", ["cy Cy: ./authors/cy/avatar.jpg"]),
    ("\"auth*/a?a/*.md\"", ["ada Ada Lovelace: authors/ada/me.jpg"]),
    (
      "authors/**/index.md",
      [
        "ada Ada Lovelace: authors/ada/me.jpg", "bob-b Bob B: ./authors/bob-b/b.png",
        "authors All:", "dee Dee:",
      ]
    ),
    (
      "authors/**",
      [
        "ada Ada Lovelace: authors/ada/me.jpg", "bob-b Bob B: ./authors/bob-b/b.png", "dee Dee:",
      ]
    ),
    (
      "\"**/*.png\"", ["b B: ./authors/bob-b/b.png"]
    ), ("authors/*/*/a.jpg", ["a A: ./authors/team/dee/a.jpg"]),
    ("\"**/**/dee/**/?.jpg\"", ["a A: ./authors/team/dee/a.jpg", "b B: ./authors/team/dee/b.jpg"]),
  ])
  func `patterns match in subfolders`(from: String, expected: [String]) throws {
    #expect(words(try users(from.hasPrefix("\"") ? from : "\"\(from)\"", Self.bundles)) == expected)
  }

  @Test func `picture folders are read to the requested depth`() throws {
    let files = Dictionary(
      uniqueKeysWithValues: ["a.jpg", "x/b.jpg", "x/y/c.jpg", ".h/d.jpg", "_MG_1.jpg", "._a.jpg"]
        .map { ("p/" + $0, "") })
    #expect(try users("p", files).map(\.name) == ["MG 1", "A"])
    #expect(try users("p/**", files).map(\.name) == ["MG 1", "A", "B", "C"])
    #expect(try users("p/*/*.jpg", files).map(\.name) == ["B"])
    // Folders with several list formats need an explicit choice.
    let more = files.merging(["p/x/list.csv": "name\nA\n"]) { $1 }
    #expect(try text("p/**", more).read().manifest == nil)
  }

  @Test func `texts next to pictures are not people`() throws {
    let files = [
      "p/a.jpg": "", "p/notes.md": "Thanks to all", "p/manifest.yaml": "version: 1",
    ]
    #expect(try users("p/*.*", files.filter { !$0.key.hasSuffix("yaml") }).map(\.name) == ["A"])
    #expect(try text("p", files).read().manifest == nil)
    let own = ["a.jpg": "", "manifest.yaml": "version: 1"]
    #expect(try users(".", own).map(\.name) == ["A"])
  }

  @Test func `workbooks are lists`() throws {
    var book = TestWorkbook(
      "<row r=\"2\"><c t=\"str\"><v>Name</v></c><c t=\"str\"><v>Team</v></c></row><row><c t=\"str\"><v>Ada"
        + "</v></c><c t=\"str\"><v>A, B</v></c></row>")
    book.files["xl/worksheets/sheet2.xml"] = TestWorkbook.sheet(
      "<row><c t=\"str\"><v>name</v></c></row><row><c t=\"str\"><v>Guest</v></c></row>")
    let url = "https://example.org/export"
    for (from, more, names) in [
      ("a.xlsx", "", ["Ada"]), ("p/*.xlsx", "", ["Ada"]), ("\"\(url)\"", "", ["Ada"]),
      ("a.xlsx", "  sheet: Gäste", ["Guest"]),
    ] {
      var text = text(from, [:], more)
      text.binaries = ["a.xlsx": book.bytes, "p/a.xlsx": book.bytes, url: book.bytes]
      // The lock file of an open Excel workbook.
      text.files["p/~$a.xlsx"] = "x"
      let users = try #require(try text.read().manifest).users
      #expect(users.map(\.name) == names)
      guard names == ["Ada"] else { continue }
      #expect(users[0].tags == ["A", "B"])
      #expect(users[0].declared.location.position == Position(line: 3, column: 1))
    }
  }

  @Test(arguments: [
    ("ods", "LibreOffice"), ("numbers", "Numbers"), ("xls", "Excel"), ("html", "LibreOffice"),
    ("xml", "LibreOffice"), ("ts", "JSON"),
  ])
  func `other file formats get help to export CSV`(ending: String, word: String) throws {
    let (_, diagnostics) = try text(
      "team.\(ending)", ["team.\(ending)": "x"]
    )
    .read()
    let error = try #require(diagnostics.sorted.first)
    #expect(error.message == "\"team.\(ending)\" is not a list of people")
    #expect(error.help?.hasPrefix("save it as CSV") == true && error.help?.contains(word) == true)
  }

  @Test(arguments: [
    ("p/*.md", "users-unreadable", "no such file or directory"),
    ("q/x*", "users-unreadable", nil), ("q", "users-unreadable", nil),
    ("users.txt", "unknown-value", "no such file or directory"), ("[]", "out-of-range", nil),
  ])
  func `missing files are errors`(from: String, id: String, note: String?) throws {
    let (manifest, diagnostics) = try text(from, ["q/a.txt": "a"]).read()
    #expect(manifest == nil)
    #expect(diagnostics.sorted.contains { $0.id == id && $0.note == note })
  }

  private static let cards = """
    BEGIN:VCARD
    FN:Ada Lovelace
    EMAIL:ada@example.org
    PHOTO;ENCODING=b;TYPE=JPEG:AAAA
    END:VCARD
    BEGIN:VCARD
    FN:Grace Hopper
    PHOTO:https://example.org/g.jpg
    EMAIL:not a mail
    END:VCARD
    """

  @Test func `mail addresses select Gravatar pictures on request`() throws {
    let users = try users("team.vcf", ["team.vcf": Self.cards], "  gravatar: true")
    #expect(users.map(\.avatars.count) == [2, 1])
    #expect(words(users)[0].wholeMatch(of: /.*: a data: address gravatar:[0-9a-f]{8}…/) != nil)
    #expect(!"\(users)".contains("ada@example"))
    let csv = "name,mail\nAda, ada@example.org \nBob,\n"
    let two = try self.users("a.csv", ["a.csv": csv], "  gravatar: true")
    #expect(two.map(\.avatars.count) == [1, 0])
    #expect(two[0].avatars[0].kind == users[0].avatars[1].kind)
  }
}
