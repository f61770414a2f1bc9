import SiteSupport

struct UserOptionTests {
  private func manifest(_ users: String, more: String = "", files: [String: String] = [:]) throws
    -> Manifest
  {
    let text = ManifestText(
      text: """
        version: 1
        \(more)
        avatars:
          - decorations: [{ name: online, dot: lime }, { name: vip, dot: gold }, { dot: red }]
        users: \(users)

        """, files: files)
    #expect(try text.problems().isEmpty)
    return try #require(try text.read().manifest)
  }

  @Test func `a user can list decorations in any order`() throws {
    let users = try manifest(
      "[{ id: a, decorations: [vip, online, vip] }, { id: b, decorations: vip }, { id: c }]"
    ).users
    #expect(users.map(\.decorations) == [["online", "vip"], ["vip"], []])
  }

  @Test func `unknown decorations are reported with the nearest name`() throws {
    let text = ManifestText(
      text: """
        version: 1
        avatars: [{ decorations: [{ name: online, dot: lime }] }]
        users: [{ id: a, decorations: [onlin] }]

        """)
    let problem = try #require(text.read().diagnostics.sorted.first)
    #expect(problem.id == "unknown-decoration" && problem.path == "users[0].decorations[0]")
    #expect(problem.help == "did you mean `online`?")
  }

  @Test func `table columns can set focus and decorations`() throws {
    let users = try manifest(
      "{ from: users.csv }",
      files: ["users.csv": "id,focus,decorations\na,top,online;vip\nb,10%; 20.5%,\nc,,vip\n"]
    ).users
    #expect(users.map(\.focus) == [Focus(x: 0.5, y: 0), Focus(x: 0.1, y: 0.205), nil])
    #expect(users.map(\.decorations) == [["online", "vip"], [], ["vip"]])
  }

  @Test func `an invalid focus in a table is reported at its cell`() throws {
    let text = ManifestText(
      text: "version: 1\nusers: { from: users.csv }\n",
      files: ["users.csv": "id,focus\na,10%;x\nb,10%;20%;30%\nc,smart\n"])
    #expect(
      try text.problems() == [
        "content/users.csv:2:3 users[0].focus[1] wrong-type (warning)",
        "content/users.csv:3:3 users[1].focus wrong-type (warning)",
        "content/users.csv:4:3 users[2].focus unknown-value (warning)",
      ])
  }

  /// Users with only a background need no fallback.
  @Test func `the fallback comes last in each user's avatar list`() throws {
    let users = try manifest(
      "[{ id: a, avatar: [a.png, b.png] }, { id: b }, { id: c, background: red }, "
        + "{ id: d, avatar: d.png, background: red }]",
      more: "fallback: [x.png, \"color:#fff\"]"
    ).users
    let last: [AvatarSource.Kind] = [.file("x.png"), .color(.white)]
    #expect(
      users.map { $0.avatars.map(\.kind) } == [
        [.file("a.png"), .file("b.png")] + last, last, [], [.file("d.png")] + last,
      ])
    // Problems of a fallback are reported at the fallback's position.
    #expect(users[1].avatars.map(\.fallback) == [0, 1] && users[0].avatars[0].fallback == nil)
    let positions = users[1].avatars.map { [$0.position.line, $0.position.column] }
    #expect(positions == [[2, 12], [2, 19]])
    #expect(try manifest("[{ id: a }]", more: "fallback: []").users[0].avatars.isEmpty)
  }
}
