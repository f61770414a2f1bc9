import SiteSupport

/// Lists in formats that are common on public sites.
struct PeopleShapesTests {
  private func text(
    _ from: String, _ files: [String: String], _ more: String = ""
  ) -> ManifestText {
    ManifestText(text: "version: 1\nusers:\n  from: \(from)\n\(more)\n", files: files)
  }

  /// Formats each user as `id name (tags): picture picture`.
  private func words(_ text: ManifestText) throws -> [String] {
    try #require(try text.read().manifest).users.map { user in
      let tags = user.tags.isEmpty ? "" : " (\(user.tags.joined(separator: ", ")))"
      return "\(user.id) \(user.name)\(tags):"
        + user.avatars.map { " " + $0.kind.names.source }.joined()
    }
  }

  private static let groups = """
    { "board": [{ "username": "otter", "name": "Sample Otter" }],
      "staff": [{ "username": "heron", "name": "Sample Heron" },
                { "username": "otter", "name": "Sample Otter" }],
      "links": { "site": "https://example.org" } }
    """

  @Test(arguments: [
    (groups, "\"*\"", ["otter Sample Otter (board, staff):", "heron Sample Heron (staff):"]),
    (
      "{\"team\": \(groups)}", "team.*",
      ["otter Sample Otter (board, staff):", "heron Sample Heron (staff):"]
    ),
    (groups, "staff", ["heron Sample Heron:", "otter Sample Otter:"]),
    (
      #"[{"title": "Board", "members": [{"name": "Sample Otter"}]}, {"members": ["Sample Heron"]}]"#,
      "members", ["sample-otter Sample Otter (Board):", "sample-heron Sample Heron:"]
    ),
    (
      #"{"a": {"otter": {"name": "Sample Otter", "group": "x"}}, "b": {"heron": {"team": "y"}}}"#,
      "\"*\"", ["otter Sample Otter (x):", "heron heron (y):"]
    ),
    (#"{"a": ["Sample Otter"], "b": []}"#, "\"*\"", ["sample-otter Sample Otter (a):"]),
  ])
  func `groups are read as one list with the group as tag`(
    json: String, at: String, expected: [String]
  ) throws {
    let text = text("team.json", ["team.json": json], "  at: \(at)")
    #expect(try words(text) == expected)
  }

  @Test func `a group can be selected by name`() throws {
    let more = "  at: \"*\"\n  where: { group: [staff] }"
    let text = text("team.json", ["team.json": Self.groups], more)
    #expect(
      try words(text) == ["heron Sample Heron (staff):", "otter Sample Otter (staff):"])
    // Lists without a usual name for people.
    let others = #"{"odd": [{"name": "Sample Otter"}], "even": [{"name": "Sample Heron"}]}"#
    let message = try #require(
      self.text("team.json", ["team.json": others]).read().diagnostics.sorted.first)
    #expect(message.note == "there are odd, even")
    #expect(message.help?.hasSuffix("at: odd }, or at: \"*\" for all of them") == true)
  }

  private static let bundles = [
    "authors/_index.md": "---\ntitle: Authors\n---\n",
    "authors/otter/_index.md": "---\ntitle: Sample Otter\n---\n", "authors/otter/avatar.jpg": "",
    "authors/heron/index.md": "---\ntitle: Sample Heron\n---\n",
  ]

  @Test func `a folder of page bundles is a folder of people`() throws {
    let index = Self.bundles.filter { !$0.key.contains("heron") }
    #expect(
      try words(text("authors", index)) == ["otter Sample Otter: ./authors/otter/avatar.jpg"])
    #expect(try words(text("authors", Self.bundles)).count == 2)
    let here = Dictionary(uniqueKeysWithValues: index.map { (String($0.dropFirst(8)), $1) })
    #expect(try words(text(".", here)) == ["otter Sample Otter: ./otter/avatar.jpg"])
  }

  @Test(arguments: [
    (["p/a.yml", "p/b.yml"], "name the list to use, as in p/a.yml, or all of them, as in p/*.yml"),
    (["p/a.yml", "p/b.json"], "name the list to use, as in p/a.yml"),
    (["p/a.yml", "p/b.jpg"], "name the list to use, as in p/a.yml"),
  ])
  func `a folder of lists needs a file name or a pattern`(files: [String], help: String) throws {
    let text = text("p", Dictionary(uniqueKeysWithValues: files.map { ($0, "name: Otter\n") }))
    #expect(try text.read().diagnostics.sorted.first?.help == help)
    #expect(
      try words(self.text("\"p/*.yml\"", ["p/a.yml": "name: A\n", "p/b.yml": "name: B\n"]))
        == ["a A:", "b B:"])
  }

  @Test(arguments: [
    ("./otter.png", "p/otter.png"), ("../img/otter.png", "p/../img/otter.png"),
    ("otter.png", "otter.png"), ("img/otter.png", "img/otter.png"),
    ("./https.png", "p/https.png"), ("https://example.org/o.png", "https://example.org/o.png"),
  ])
  func `relative pictures of a page are next to the page`(
    name: String, picture: String
  ) throws {
    let files = ["p/otter.json": "{\"name\": \"Sample Otter\", \"avatar\": \"\(name)\"}"]
    #expect(try words(text("\"p/*.json\"", files)) == ["otter Sample Otter: \(picture)"])
    let page = ["p/otter.mdx": "---\nname: Sample Otter\navatar: ./o.png\n---\n<Page />\n"]
    #expect(try words(text("p", page)) == ["otter Sample Otter: p/o.png"])
  }

  @Test(arguments: [
    "[[people]]\nid = \"otter\"\nname = \"Sample Otter\"\navatar = \"o.png\"\n",
    "[[team.people]]\nid = \"otter\"\nname = \"Sample Otter\"\navatar = \"o.png\"\n",
    "[otter]\nname = \"Sample Otter\"\navatar = \"o.png\"\n[otter.socials]\ngithub = \"otter\"\n",
    "people = [{ id = \"otter\", name = \"Sample Otter\", avatar = \"o.png\" }]\n",
  ])
  func `a list in TOML is read`(list: String) throws {
    #expect(try words(text("team.toml", ["team.toml": list])) == ["otter Sample Otter: o.png"])
    let page = ["p/otter.md": "+++\nname = \"Sample Otter\"\navatar = \"./o.png\"\n+++\ntext\n"]
    #expect(try words(text("p", page)) == ["otter Sample Otter: p/o.png"])
  }
}
