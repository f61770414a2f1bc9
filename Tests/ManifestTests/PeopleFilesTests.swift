import Bytes
import Diagnostics
import Manifest
import Recipes
import SiteSupport
import Testing

/// People in several files, and in files that are no lists.
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

  /// Each user as `id name: picture picture`.
  private func words(_ users: [User]) -> [String] {
    users.map { user in
      "\(user.id) \(user.name):" + user.avatars.map { " " + $0.kind.names.source }.joined()
    }
  }

  private static let pages = [
    "_people/b.md": "---\nname: Bob\nphoto: bob.jpg\n---\n",
    "_people/ada-lovelace.md":
      "---\ntitle: Ada Lovelace\nrole: Analyst\nimage: /img/ada.jpg\ntags: [a]\n---\nText\n",
    "_people/c.markdown": "---\nid: cy\ntitle: Boss\nname: Cy\nimage: pictures/c.jpg\n---\n",
    "_people/grace_hopper.md": "---\nphoto: ../g.jpg\nlayout: person\n---\n",
    "_people/draft.md": "---\nname: D\ndraft: true\n---\n",
    "_people/later.md": "---\nname: D\npublished: false\n---\n",
    "_people/_index.md": "no", "_people/README.md": "no", "_people/.x.md": "no",
    "_people/notes.txt": "no", "_people/sub/x.md": "no",
  ]

  @Test(arguments: ["_people", "_people/", "_people/*", "\"_people/*.m*\""])
  func `files of a folder are people`(from: String) throws {
    let users = try users(from, Self.pages, "  root: static")
    #expect(
      words(users) == [
        "ada-lovelace Ada Lovelace: static/img/ada.jpg", "b Bob: _people/bob.jpg",
        "cy Cy: pictures/c.jpg", "grace-hopper Grace Hopper: _people/../g.jpg",
      ])
    #expect(users.map(\.title) == ["Analyst", nil, "Boss", nil])
    #expect(users.map(\.declared.path) == ["users[0]", "users[1]", "users[2]", "users[4]"])
    #expect(users[0].declared.location.file == "content/_people/ada-lovelace.md")
  }

  @Test func `people of a folder are in the order of the alphabet, whatever their case`() throws {
    let files = ["Carla.jpg", "ada.jpg", "Bob.png", "Ada.png"].map { ("p/" + $0, "") }
    let users = try users("p", Dictionary(uniqueKeysWithValues: files))
    #expect(users.map(\.name) == ["Ada", "Ada", "Bob", "Carla"])
  }

  @Test func `a header with dots in it is what it says`() throws {
    let csv = "name,social.github,Social.Work Site\nAda,ada,https://x.example\n"
    let more = """
        where: { social.github: ada }
        fields:
          avatar: "https://github.com/{social.github}.png"
          link: social.work_site
      """
    let user = try #require(try users("a.csv", ["a.csv": csv], more).first)
    #expect(words([user]) == ["ada Ada: https://github.com/ada.png"])
    #expect(user.link == "https://x.example")
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
  func `patterns reach into folders`(from: String, expected: [String]) throws {
    #expect(words(try users(from.hasPrefix("\"") ? from : "\"\(from)\"", Self.bundles)) == expected)
  }

  @Test func `folders of pictures are read as deep as asked`() throws {
    let files = Dictionary(
      uniqueKeysWithValues: ["a.jpg", "x/b.jpg", "x/y/c.jpg", ".h/d.jpg", "_MG_1.jpg", "._a.jpg"]
        .map { ("p/" + $0, "") })
    #expect(try users("p", files).map(\.name) == ["MG 1", "A"])
    #expect(try users("p/**", files).map(\.name) == ["MG 1", "A", "B", "C"])
    #expect(try users("p/*/*.jpg", files).map(\.name) == ["B"])
    // Of several kinds one has to be named.
    let more = files.merging(["p/x/list.csv": "name\nA\n"]) { $1 }
    #expect(try text("p/**", more).read().manifest == nil)
  }

  @Test func `words beside pictures are no people`() throws {
    let files = [
      "p/a.jpg": "", "p/notes.md": "Thanks to all", "p/manifest.yaml": "version: 1",
    ]
    #expect(try users("p/*.*", files.filter { !$0.key.hasSuffix("yaml") }).map(\.name) == ["A"])
    #expect(try text("p", files).read().manifest == nil)
    let own = ["a.jpg": "", "manifest.yaml": "version: 1"]
    #expect(try users(".", own).map(\.name) == ["A"])
  }

  @Test func `the root of a site may be the folder of the manifest`() throws {
    let users = try users("_people/a*.md", Self.pages, "  root: .")
    #expect(words(users) == ["ada-lovelace Ada Lovelace: ./img/ada.jpg"])
  }

  @Test func `a template in the manifest names pictures from there`() throws {
    let more = "  fields: { avatar: [photo, \"p/{photo}\", \"{photo}\"] }"
    let users = try users("_people/?.md", Self.pages, more)
    #expect(words(users) == ["b Bob: _people/bob.jpg p/bob.jpg bob.jpg"])
  }

  @Test func `a table without names of columns is refused`() throws {
    let files = ["team.csv": "Ada,Dev,ada.jpg\nBob,Ops,bob.jpg\n"]
    let list = text("team.csv", files)
    #expect(try list.read().manifest == nil)
    #expect(try list.problems().contains("content/team.csv:1:1 users missing-key"))
  }

  @Test func `one broken file of many is one warning`() throws {
    let text = text(
      "p/*",
      [
        "p/a.md": "# none", "p/b.md": "+++\nname = 'B'\n", "p/c.md": "---\nname: C\n",
        "p/d.json": "{",
        "p/e.yaml": "name: E\nlinks: [{ a: b }]\n", "p/f.json": "[{\"name\": \"F\"}, \"G\"]",
        "p/g.vcf": "BEGIN:VCARD\nFN:H\nEND:VCARD\nx", "p/h.csv": "name;photo\nI;i.jpg\n",
      ])
    let problems = try text.problems()
    #expect(
      problems == [
        "3:9 users.from front-matter (note)", "content/p/b.md:1:1 front-matter (warning)",
        "content/p/c.md:1:1 front-matter (warning)",
        "content/p/d.json:1:2 json-unfinished (warning)",
        "content/p/g.vcf:4:1 users[4] vcard-syntax (warning)",
      ])
    let users = try #require(try text.read().manifest).users
    #expect(users.map(\.name) == ["E", "F", "G", "H", "I"])
  }

  @Test func `pages without a person are left out`() throws {
    let text = text(
      "p",
      [
        "p/ada.md": "---\nname: Ada\n---\n", "p/about.md": "---\nlayout: page\n---\n",
        "p/CONTRIBUTING.md": "# Thanks", "p/README.md": "# Team",
        "p/bob.md": "---\nphoto: b.jpg\n---",
      ])
    let (manifest, diagnostics) = try text.read()
    #expect(manifest?.users.map(\.name) == ["Ada", "Bob"])
    #expect(
      diagnostics.sorted.map(\.message) == [
        "pages without a name are left out (2): \"about.md\", \"CONTRIBUTING.md\""
      ])
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
      // Excel has it open.
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
  func `files of other programs are to be saved as CSV`(ending: String, word: String) throws {
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
  func `what is not there is an error`(from: String, id: String, note: String?) throws {
    let (manifest, diagnostics) = try text(from, ["q/a.txt": "a"]).read()
    #expect(manifest == nil)
    #expect(diagnostics.sorted.contains { $0.id == id && $0.note == note })
  }

  @Test func `a later list fills in what an earlier one does not say`() throws {
    let files = [
      "a.csv": "id,name,photo,title,tags\nada,,,Analyst,\nbob,Bob,b.jpg,,x\n",
      "b.json": """
      [{"id": "bob", "name": "Bob", "photo": "no.jpg", "title": "Boss", "tags": ["no"]},
       {"id": "ada", "name": "Ada Lovelace", "photo": ["a.jpg", "initials"], "link": "https://x"},
       {"name": "Bob"}, {"id": "cy", "name": "Cy"}]
      """,
    ]
    let text = text("[a.csv, b.json]", files)
    let manifest = try #require(try text.read().manifest)
    let problems = try text.problems()
    #expect(problems == ["content/b.json:3:11 users[4].id duplicate-id (warning)"])
    let users = manifest.users
    #expect(words(users).prefix(2) == ["ada Ada Lovelace: a.jpg initials", "bob Bob: b.jpg"])
    #expect(users.map(\.title) == ["Analyst", "Boss", nil, nil])
    #expect(users[0].link == "https://x" && users[1].tags == ["x"])
    #expect(users[2].id == "bob-2" && users[3].id == "cy")
    #expect(users[0].avatars.last?.kind == .initials)
    // A number counts in one list only.
    let two = self.text(
      "[a.csv, b.csv]",
      ["a.csv": "id,name\n1,Ada\n2,Bob\n", "b.csv": "id,name,title\n1,Cy,Boss\n2,Bob,Cook\n"])
    #expect(try two.problems() == ["content/b.csv:2:1 users[2].id duplicate-id (warning)"])
    #expect(try two.read().manifest?.users.map(\.title) == [nil, "Cook", "Boss"])
    let twice = self.text("[b.json]", ["b.json": "[{\"id\": \"a\"}, {\"id\": \"a\"}]"])
    #expect(try twice.problems() == ["content/b.json:1:22 users[1].id duplicate-id (note)"])
  }

  @Test func `a name alone is a person`() throws {
    for (file, content) in [
      ("a.yaml", "[Ada Lovelace, Grace Hopper]"),
      ("a.json", "[\"Ada Lovelace\", \"Grace Hopper\"]"),
      ("a.yaml", "meta: 1\nteam: { who: [Ada Lovelace, Grace Hopper] }"),
    ] {
      let more = content.hasPrefix("[") ? "" : "  at: team.who"
      #expect(
        words(try users(file, [file: content], more)) == [
          "ada-lovelace Ada Lovelace:", "grace-hopper Grace Hopper:",
        ])
    }
    let text = text("a.json", ["a.json": "[\"Ada\", 5]"])
    let problems = try text.problems()
    #expect(problems == ["content/a.json:1:9 users[1] wrong-type (warning)"])
  }

  private static let cards = """
    BEGIN:VCARD
    VERSION:3.0
    FN:Ada Lovelace
    N:Lovelace;Ada;;;
    item1.EMAIL;TYPE=INTERNET:ada@example.org
    ORG:Analytical Engines;Cards
    ROLE:Analyst
    PHOTO;ENCODING=b;TYPE=JPEG:AAAA
    URL:example.org/ada
    CATEGORIES:Founders,Cards
    END:VCARD
    BEGIN:VCARD
    VERSION:4.0
    UID:grace
    FN:Grace Hopper
    ORG:Navy
    PHOTO:https://example.org/g.jpg
    EMAIL:not a mail
    END:VCARD
    BEGIN:VCARD
    FN:bob@example.org
    EMAIL:bob@example.org
    END:VCARD
    """

  @Test func `cards are people, and their mail addresses stay where they are`() throws {
    let text = text("team.vcf", ["team.vcf": Self.cards])
    #expect(try text.problems() == ["content/team.vcf:20:1 users[2] missing-key (warning)"])
    let users = try #require(try text.read().manifest).users
    #expect(
      words(users) == [
        "ada-lovelace Ada Lovelace: a data: address",
        "grace Grace Hopper: https://example.org/g.jpg",
      ])
    #expect(users.map(\.title) == ["Analyst", nil])
    #expect(users.map(\.organisation) == ["Analytical Engines", "Navy"])
    #expect(users.map(\.tags) == [["Founders", "Cards"], []])
    #expect(users.map(\.link) == ["https://example.org/ada", nil])
    #expect(!"\(users)".contains("ada@example"))
  }

  @Test func `mail addresses name pictures where it is asked for`() throws {
    let users = try users("team.vcf", ["team.vcf": Self.cards], "  gravatar: true")
    #expect(users.map(\.avatars.count) == [2, 1])
    #expect(words(users)[0].wholeMatch(of: /.*: a data: address gravatar:[0-9a-f]{8}…/) != nil)
    #expect(!"\(users)".contains("ada@example"))
    let csv = "name,mail\nAda, ada@example.org \nBob,\n"
    let two = try self.users("a.csv", ["a.csv": csv], "  gravatar: true")
    #expect(two.map(\.avatars.count) == [1, 0])
    #expect(two[0].avatars[0].kind == users[0].avatars[1].kind)
  }

  @Test(arguments: [
    (
      "Full Name,photo,role,phone,shirt size\nAda,a,b,c,d\n", "",
      "name from \"Full Name\"; avatar from \"photo\"; title from \"role\"; not used: \"phone\", "
        + "\"shirt size\""
    ),
    ("id,name,avatar\na,b,c\n", "", ""),
    (
      "first name,surname,role,job\na,b,c,d\n", "",
      "name from \"first name\", \"surname\"; title from \"job\", \"role\""
    ),
    (
      "a,b,c\na,b,c\n", "  fields: { name: a, avatar: \"x/{b}\" }",
      "name from \"a\"; avatar from \"x/{b}\"; not used: \"c\""
    ),
  ])
  func `what is taken for what is told where it is asked for`(
    csv: String, more: String, guess: String
  ) throws {
    var text = text("a.csv", ["a.csv": csv], more)
    #expect(try text.read().diagnostics.sorted.isEmpty)
    text.explains = true
    let told = try text.read().diagnostics.sorted
    #expect(told.map(\.message) == ["1 person from CSV" + (guess.isEmpty ? "" : ": ") + guess])
    #expect(told.allSatisfy { $0.severity == .note && $0.path == "users.from" })
  }
}
