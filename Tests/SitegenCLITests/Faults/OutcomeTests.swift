import Build
import TestSupport

struct OutcomeTests {
  private let site = SiteFolder()

  init() throws {
    try site.write(picture: TestPicture.png(width: 3, height: 3) { _, _ in .red }, to: "a.png")
  }

  /// F34: schedulers send any output by mail.
  @Test func `a successful build exits with 0 and prints nothing to stderr`() throws {
    try site.write(users: [("a", ["a.png"])])
    let run = try site.build()
    #expect(run.status == 0 && run.out.isEmpty && run.err.isEmpty)
  }

  /// G38: other users are published; the failure has its location, path and reason.
  @Test func `if a picture fails, a build exits with 1 and shows its location`() throws {
    try site.write(
      manifest: """
        {"version": 1, "avatars": [\(SiteFolder.smallStyle)],
         "users": [{"id": "a", "avatar": "a.png"},
          {"id": "zoë", "avatar": "avatars/zoe.png"}]}
        """)
    let run = try site.build()
    #expect(run.status == 1)
    #expect(
      run.err == """
        content/manifest.json:3:27: users[1].avatar: error: \
        cannot read avatars/zoe.png [source-unreadable]
          note: no such file or directory
          help: paths are relative to the manifest

        """)
    #expect(try site.assets().users["a"]?.status == "ok")
    #expect(try site.report().users.failed == 1)

    let before = site.tree()
    let strict = try site.build("--strict")
    #expect(strict.status == 1)
    #expect(strict.err.contains("[strict]"))
    #expect(site.tree() == before)
  }

  @Test func `if the manifest has a mistake, a build exits with 2 and shows its location`() throws {
    try site.write(manifest: #"{"version": 1, "user": []}"#)
    let run = try site.build()
    #expect(run.status == 2)
    #expect(run.err.contains("content/manifest.json:1:16: user: error: "))
    #expect(run.err.contains("[unknown-key]\n"))
    #expect(run.err.contains("users"))
  }

  @Test func `an invalid manifest changes nothing`() throws {
    for text in ["", "{", #"{"version": 1, "users": [{"id": ""}]}"#] {
      try site.write(manifest: text)
      let before = Tree(of: site.path)
      #expect(try site.build().status == 2)
      #expect(Tree(of: site.path).differences(from: before) == [])
    }
  }
}
