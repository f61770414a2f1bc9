import SiteSupport

struct PeopleFilesTests {
  private func text(_ from: String, _ files: [String: String], _ more: String = "") -> ManifestText
  { ManifestText(text: "version: 1\nusers:\n  from: \(from)\n\(more)\n", files: files) }

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
      ["ada Ada Lovelace: authors/ada/me.jpg", "bob-b Bob B: ./authors/bob-b/b.png", "dee Dee:"]
    ),
    (
      "\"**/*.png\"", ["b B: ./authors/bob-b/b.png"]
    ), ("authors/*/*/a.jpg", ["a A: ./authors/team/dee/a.jpg"]),
    ("\"**/**/dee/**/?.jpg\"", ["a A: ./authors/team/dee/a.jpg", "b B: ./authors/team/dee/b.jpg"]),
  ])
  func `glob patterns match in subfolders`(from: String, expected: [String]) throws {
    #expect(words(try users(from.hasPrefix("\"") ? from : "\"\(from)\"", Self.bundles)) == expected)
  }

  @Test func `picture folders are read to the requested depth`() throws {
    let files = Dictionary(
      uniqueKeysWithValues: ["a.jpg", "x/b.jpg", "x/y/c.jpg", ".h/d.jpg", "_MG_1.jpg", "._a.jpg"]
        .map { ("p/" + $0, "") })
    #expect(try users("p", files).map(\.name) == ["MG 1", "A"])
    #expect(try users("p/**", files).map(\.name) == ["MG 1", "A", "B", "C"])
    #expect(try users("p/*/*.jpg", files).map(\.name) == ["B"])
    // A folder with lists in several formats needs an explicit choice.
    let more = files.merging(["p/x/list.csv": "name\nA\n"]) { $1 }
    #expect(try text("p/**", more).read().manifest == nil)
  }

  @Test func `text files next to pictures are not read as people`() throws {
    let files = ["p/a.jpg": "", "p/notes.md": "Thanks to all", "p/manifest.yaml": "version: 1"]
    #expect(try users("p/*.*", files.filter { !$0.key.hasSuffix("yaml") }).map(\.name) == ["A"])
    #expect(try text("p", files).read().manifest == nil)
    let own = ["a.jpg": "", "manifest.yaml": "version: 1"]
    #expect(try users(".", own).map(\.name) == ["A"])
  }

  @Test func `Excel workbooks are read as lists`() throws {
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
      // Excel writes this lock file next to an open workbook.
      text.files["p/~$a.xlsx"] = "x"
      let users = try #require(try text.read().manifest).users
      #expect(users.map(\.name) == names)
      guard names == ["Ada"] else { continue }
      #expect(users[0].tags == ["A", "B"])
      #expect(users[0].declared.location.position == Position(line: 3, column: 1))
    }
  }

  /// Titles and headers may be merged, but merged cells among people lack values.
  @Test(arguments: [
    ("A1:D1 A2:A3 B2:B3 C2:D2", 1, nil), ("A1:D1 A4:A5", 1, "A4:A5"), ("A4:C4 A7:A90", 1, nil),
    ("A1:XFD1048576", 50_000, nil), ("A4:XFD1048576", 50_000, "A4:XFD1048576"),
    (": A:B A99999999999999999999:A1 A5:A4", 1, nil),
  ])
  func `merged rows in a workbook are reported`(cells: String, count: Int, first: String?) throws {
    func row(_ line: Int, _ cells: String...) -> String {
      let texts = cells.map { "<c t=\"str\"><v>\($0)</v></c>" }
      return "<row r=\"\(line)\">" + texts.joined() + "</row>"
    }
    var book = TestWorkbook(
      row(1, "Sample Team 2024") + row(2, "Team", "Name", "Role")
        + row(4, "Board", "Ada Sample", "Chair") + row(5, "", "Bob Sample", "Clerk")
        + row(7, "", "Cem Sample", "Member"))
    let ranges = cells.split(separator: " ").map { "<mergeCell ref=\"\($0)\"/>" }.joined()
    book.files["xl/worksheets/sheet1.xml"]?.replace(
      "</sheetData>",
      with: "</sheetData><mergeCells>\(String(repeating: ranges, count: count))</mergeCells>")
    var text = text("a.xlsx", [:])
    text.binaries = ["a.xlsx": book.bytes]
    let (manifest, diagnostics) = try text.read()
    #expect(manifest?.users.map(\.name) == ["Ada Sample", "Bob Sample", "Cem Sample"])
    let messages = first.map { ["cells are merged across several rows, such as \($0)"] }
    #expect(diagnostics.sorted.map(\.message) == messages ?? [])
  }

  @Test(arguments: [
    ("ods", "LibreOffice"), ("numbers", "Numbers"), ("xls", "Excel"), ("html", "LibreOffice"),
    ("xml", "LibreOffice"), ("ts", "JSON"),
  ])
  func `errors about unsupported files suggest saving as CSV`(ending: String, word: String) throws {
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
  func `a missing file is an error`(from: String, id: String, note: String?) throws {
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

  @Test func `Gravatar is used for email addresses if enabled`() throws {
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
