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

  @Test(arguments: ["p/b.yml", "p/b.json", "p/b.jpg"])
  func `a folder of lists needs a file name or a pattern`(other: String) throws {
    let text = text("p", ["p/a.yml": "name: Otter\n", other: "name: Otter\n"])
    let help = "name the list, as in p/a.yml, or several, as in p/*.yml"
    #expect(try text.read().diagnostics.sorted.first?.help == help)
    #expect(
      try words(self.text("\"p/*.yml\"", ["p/a.yml": "name: A\n", "p/b.yml": "name: B\n"]))
        == ["a A:", "b B:"])
  }
}
