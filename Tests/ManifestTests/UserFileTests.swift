import SiteSupport

struct UserFileTests {
  private func text(_ file: String, _ content: String) -> ManifestText {
    ManifestText(
      text: "version: 1\navatars: [{ name: a }, { name: b }]\nusers: { from: \(file) }\n",
      files: [file: content])
  }

  private func users(_ file: String, _ content: String) throws -> [User] {
    try #require(try text(file, content).read().manifest).users
  }

  @Test func `in a table, only empty cells are treated as absent`() throws {
    let csv = "id,name,title\nnull,null,~\n\"x\",\"\",\"true\"\n"
    let users = try users("users.csv", csv)
    #expect(users.map(\.id) == ["null", "x"])
    #expect(users.map(\.name) == ["null", "x"])
    #expect(users.map(\.title) == ["~", "true"])
  }

  @Test func `a data URL in a cell keeps its semicolon`() throws {
    let users = try users("users.csv", "id,avatar\na,\"x.jpg;data:image/png;base64,AAAA;y.jpg\"\n")
    #expect(
      users.first?.avatars.map(\.kind) == [
        .file("x.jpg"), .inline(InlinePicture(Data([0, 0, 0]))), .file("y.jpg"),
      ])
  }

  @Test func `an unreadable file is reported where the manifest names it`() throws {
    let text = ManifestText(text: "version: 1\nusers: { from: sub/users.csv }\n")
    #expect(
      try text.read().diagnostics.sorted == [
        Diagnostic(
          .error, "users-unreadable", "cannot read sub/users.csv",
          at: FileLocation(file: "content/manifest.yaml", position: Position(line: 2, column: 16)),
          path: "users.from", note: "no such file or directory",
          help: "paths are relative to the manifest")
      ])
  }

  @Test func `an error in a JSON list is reported at its position in the list`() throws {
    let problems = try text("users.json", "[{\"id\": \"a\"},\n {\"id\": }]").problems()
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("content/users.json:2:9 json-") == true)
  }

  @Test func `a table without rows contains no users`() throws {
    var text = text("users.csv", "id,name\n")
    #expect(try text.problems() == ["3:8 users no-users"])
    text.allowEmpty = true
    #expect(try text.problems().isEmpty)
  }
}
