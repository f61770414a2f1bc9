import Diagnostics
import Documents
import Foundation
import Manifest
import Recipes
import SiteSupport
import Testing

struct UserFileTests {
  private func text(_ file: String, _ content: String) -> ManifestText {
    ManifestText(
      text: "version: 1\navatars: [{ name: a }, { name: b }]\nusers: { from: \(file) }\n",
      files: [file: content])
  }

  private func users(_ file: String, _ content: String) throws -> [User] {
    try #require(try text(file, content).read().manifest).users
  }

  @Test func `all five syntaxes give the same users`() throws {
    let contents = [
      "users.csv": """
      id,name,avatar,background,title,tags,link,styles
      ada,"Lovelace, Ada",a.jpg;color:red,#fff,,x; y ;;x,https://x,b;a
      7,,,,no,,,

      """,
      "users.tsv": """
      id\tname\tavatar\tbackground\ttitle\ttags\tlink\tstyles
      ada\tLovelace, Ada\ta.jpg;color:red\t#fff\t\tx; y ;;x\thttps://x\tb;a
      7\t\t\t\tno\t\t\t

      """,
      "users.json": """
      [{"id": "ada", "name": "Lovelace, Ada", "avatar": ["a.jpg", "color:red"],
        "background": "#fff", "title": null, "tags": ["x", "y"], "link": "https://x",
        "styles": ["b", "a"]},
       {"id": 7, "title": "no"}]
      """,
      "users.jsonl": """
      {"id": "ada", "name": "Lovelace, Ada", "avatar": ["a.jpg", "color:red"], \
      "background": "#fff", "tags": ["x", "y"], "link": "https://x", "styles": ["b", "a"]}
      {"id": 7, "title": "no"}

      """,
      "users.yaml": """
      - id: ada
        name: Lovelace, Ada
        avatar: [a.jpg, color:red]
        background: "#fff"
        tags: [x, y]
        link: https://x
        styles: [b, a]
      - id: 7
        title: no

      """,
    ]
    for (file, content) in contents {
      let users = try users(file, content)
      #expect(users.map(\.id) == ["ada", "7"], "\(file)")
      #expect(users.map(\.name) == ["Lovelace, Ada", "7"])
      #expect(
        users.map { $0.avatars.map(\.kind) } == [
          [.file("a.jpg"), .color(Color(red: 255, green: 0, blue: 0))], [],
        ])
      #expect(users.map(\.background) == [.white, nil])
      #expect(users.map(\.title) == [nil, "no"])
      #expect(users.map(\.tags) == [["x", "y"], []])
      #expect(users.map(\.link) == ["https://x", nil])
      #expect(users.map(\.styles) == [[0, 1], nil])
      #expect(users.map(\.declared.location.file) == ["content/\(file)", "content/\(file)"])
    }
  }

  @Test func `in a table only the empty cell is absent, and text is text`() throws {
    let csv = "id,name,title\nnull,null,~\n\"x\",\"\",\"true\"\n"
    let users = try users("users.csv", csv)
    #expect(users.map(\.id) == ["null", "x"])
    #expect(users.map(\.name) == ["null", "x"])
    #expect(users.map(\.title) == ["~", "true"])
  }

  @Test func `a data source keeps its semicolon`() throws {
    let users = try users("users.csv", "id,avatar\na,\"x.jpg;data:image/png;base64,AAAA;y.jpg\"\n")
    #expect(
      users.first?.avatars.map(\.kind) == [
        .file("x.jpg"), .inline(InlinePicture(Data([0, 0, 0]))), .file("y.jpg"),
      ])
  }

  @Test func `mistakes are told in the file where they are`() throws {
    let csv = """
      id,nmae,link
      a,x,https://x
      ,y,
      a,z,ftp://x
      b,too,many,cells
      c,,

      """
    let problems = try text("users.csv", csv).problems()
    #expect(
      problems == [
        "1:1 users missing-key (warning)",
        "content/users.csv:3:1 users[1] missing-key (warning)",
        "content/users.csv:4:1 users[2].id duplicate-id (note)",
        "content/users.csv:4:5 users[2].link bad-link (warning)",
        "content/users.csv:5:7 users[3].link bad-link (warning)",
        "content/users.csv:5:12 users[3] csv-cell-count (warning)",
      ])
  }

  @Test func `a file that cannot be opened is an error at its name`() throws {
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

  @Test func `what the reader of a file throws is an error`() throws {
    let document = try Document(
      reading: Array("version: 1\nusers: { from: users.jsonl }\nallowOutside: true\n".utf8),
      syntax: .yaml, file: "manifest.yaml")
    var asked: [String] = []
    let reader = ManifestReader { (path, allowOutside) throws(ManifestReader.Refusal) in
      asked.append("\(path) \(allowOutside)")
      throw ManifestReader.Refusal("input error")
    }
    let (manifest, diagnostics) = reader.read(document)
    #expect(manifest == nil)
    #expect(asked == ["users.jsonl true"])
    #expect(diagnostics.sorted.map(\.id) == ["users-unreadable"])
    #expect(diagnostics.sorted.map(\.note) == ["input error"])
  }

  @Test func `a broken JSON list is an error in its file`() throws {
    let problems = try text("users.json", "[{\"id\": \"a\"},\n {\"id\": }]").problems()
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("content/users.json:2:9 json-") == true)
  }

  @Test func `a file without rows has no users`() throws {
    var text = text("users.csv", "id,name\n")
    #expect(try text.problems() == ["3:8 users no-users"])
    text.allowEmpty = true
    #expect(try text.problems().isEmpty)
  }

  @Test func `a hundred thousand users are read`() throws {
    var csv = "id,name,avatar,tags\n"
    for index in 0..<100_000 { csv += "u\(index),User \(index),avatars/\(index).jpg,a;b\n" }
    let users = try users("users.csv", csv)
    #expect(users.count == 100_000)
    #expect(users.last?.declared.path == "users[99999]")
  }
}
