import SiteSupport

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
    (#"{"otter": {"name": {"ja": "Sample"}}}"#, ".", ["otter otter:"]),
  ])
  func `groups are read as one list, with each group name as a tag`(
    json: String, at: String, expected: [String]
  ) throws {
    let text = text("team.json", ["team.json": json], "  at: \(at)")
    #expect(try words(text) == expected)
  }

  @Test(arguments: ["p/b.yml", "p/b.json", "p/b.jpg"])
  func `the error about a folder of lists suggests a file name or a pattern`(other: String) throws {
    let text = text("p", ["p/a.yml": "name: Otter\n", other: "name: Otter\n"])
    let help = "use a list, such as p/a.yml, or a pattern like p/*.yml"
    #expect(try text.read().diagnostics.sorted.first?.help == help)
    #expect(
      try words(self.text("\"p/*.yml\"", ["p/a.yml": "name: A\n", "p/b.yml": "name: B\n"]))
        == ["a A:", "b B:"])
  }

  /// Each path suggested after `at:` reads people, and `*` reads all lists.
  @Test(arguments: [
    (#"{"odd": [{"name": "Ada"}], "even": [{"name": "Bob"}]}"#, 2),
    (#"{"x": {"odd": [{"name": "Ada"}], "even": [{"name": "Bob"}]}}"#, 2),
    (#"{"odd": {"x": [{"name": "Ada"}]}, "even": {"x": [{"name": "Bob"}]}}"#, 1),
    (#"{"odd": [{"name": "Ada"}], "x": {"even": [{"name": "Bob"}]}}"#, 1),
    (#"{"odd": [{"name": "Ada"}], "people": [{"name": "Bob"}], "slots": ["09:00"]}"#, 1),
    (#"{"a, b: c": [{"name": "Ada"}], "no": [{"name": "Bob"}]}"#, 2),
    (#"{"a.b": [{"name": "Ada"}], "c.d": [{"name": "Bob"}]}"#, 2),
    (#"{"a.b": [{"name": "Ada"}], "x": {"c.d": [{"name": "Bob"}]}}"#, 0),
    (#"{"a.b": [{"name": "Ada"}], "c": [{"name": "Bob"}]}"#, 2),
    (#"{"x": [{"name": "Gold", "members": [{"name": "Ada"}]}], "y": [{"name": "Bob"}]}"#, 1),
    (#"{"odd": {"ada": {"name": "Ada"}}, "even": {"bob": {"name": "Bob"}}}"#, 2),
  ])
  func `the error about several lists suggests valid paths`(json: String, count: Int) throws {
    let text = text("team.json", ["team.json": json])
    let helps = try text.read().diagnostics.sorted.compactMap(\.help)
    // Without a path that works, the help contains an example.
    let paths = helps.filter { !$0.hasPrefix("set the list's path") }.flatMap {
      $0.matches(of: /at: ("[^"]*"|[^" ,;}]+)/)
    }.map { String($0.1) }
    var most = 0
    for path in paths {
      let users = try self.text("team.json", ["team.json": json], "  at: \(path)").read()
      let names = Set((users.manifest?.users ?? []).map(\.name))
      #expect(!names.isEmpty && names.isSubset(of: ["Ada", "Bob"]), "at: \(path)")
      most = max(most, names.count)
    }
    #expect(most == count, "\(paths)")
  }

  @Test(.timeLimit(.minutes(5))) func `a document may contain 20,000 lists`() throws {
    let lists = (0..<20_000).map { "\"k\($0)\": {\"x\": [{\"name\": \"P\($0)\"}]}" }
    var text = text("team.json", ["team.json": "{" + lists.joined(separator: ",") + "}"])
    let error = try #require(try text.read().diagnostics.sorted.first { $0.severity == .error })
    #expect("\(error)".utf8.count < 1_000)
    text.text += "  at: \"*.x\"\n"
    #expect(try text.read().manifest?.users.count == 20_000)
  }
}
