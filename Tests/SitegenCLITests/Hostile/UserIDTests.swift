import TestSupport

struct UserIDTests {
  private let site = SiteFolder()

  init() throws {
    try site.write(picture: TestPicture.png(width: 3, height: 3) { _, _ in .red }, to: "a.png")
  }

  /// M8: ids that are equal after NFC are rejected with both locations; others are distinct.
  @Test func `duplicate ids are rejected with both locations`() throws {
    for (first, second) in [("ada", "ada"), ("Zo\u{EB}", "Zoe\u{308}")] {
      try site.write(users: [(first, ["a.png"]), ("b", ["a.png"]), (second, ["a.png"])])
      let run = try site.build()
      #expect(run.status == 2)
      #expect(run.err.hasPrefix("content/manifest.json:4:8: users[2].id: error: two users have"))
      #expect(
        run.err.contains("[duplicate-id]\n  note: the first is at content/manifest.json:2:8\n"))
    }
    let apart = ["ada", "Ada", "ada ", " ada", "a", "a%d", "a0", "ａda", "аda"]
    try site.write(users: apart.map { ($0, ["a.png"]) })
    let run = try site.build()
    #expect(run.status == 0, "\(run.err)")
    #expect(try Set(site.assets().users.keys) == Set(apart))
  }

  /// M9: an id can be any text but is never a path; file names contain only safe ASCII characters.
  @Test func `an id is never used as a path`() throws {
    let ids =
      [
        "..", ".", "/", "\\", "../../escape", "/etc/passwd", "-rf", "--strict", ".hidden", "CON",
        "dot.", "space ", "%00", "%2e%2e%2f", "👩‍🔬", "a\u{202E}b", "C:\\x", "|touch x", "$(touch x)",
        "`x`", "a;b", "*", "?", "~", "~root", "<script>", "a\"b", "a'b",
        "e" + String(repeating: "\u{301}", count: 60),
      ]
      + ["index.html", "assets", "assets.json", "buttons.css", "page", ".sitegen-files"]
    try site.write(users: ids.map { ($0, ["a.png"]) })
    let before = Tree(of: site.path)
    let run = try site.build()
    #expect(run.status == 0, "\(run.err)")
    #expect(try Set(site.assets().users.keys) == Set(ids))
    let after = Tree(of: site.path)
    for path in after.differences(from: before) {
      #expect(path.hasPrefix("output") || path.hasPrefix(".sitegen"), "\(path)")
      #expect(path.wholeMatch(of: /[A-Za-z0-9.\/_-]+/) != nil, "\(path)")
    }
  }

  /// M9: ids that are blank, too long or contain control characters are all rejected in one run.
  @Test func `blank, overlong or unprintable ids are rejected`() throws {
    let ids = ["", " ", "a\u{0}b", "a\nb", "\u{1B}[2J", String(repeating: "x", count: 4_000)]
    try site.write(users: ids.map { ($0, ["a.png"]) })
    let run = try site.build()
    #expect(run.status == 2)
    #expect(
      run.err.contains("users[0].id") && run.err.contains("(first of \(ids.count))"), "\(run.err)")
    #expect(!run.err.hasControls)
  }

  /// M10: ids that are equal to names of sitegen's files do not overwrite these files.
  @Test func `an id cannot overwrite sitegen's files`() throws {
    try site.write(users: [("plain", ["a.png"])])
    #expect(try site.build().status == 0)
    let plain = Set(site.tree().files.keys)
    for id in ["index.html", "assets", "assets.json", ".sitegen-files", ".sitegen-lock"] {
      try site.write(users: [(id, ["a.png"])])
      #expect(try site.build().status == 0)
      #expect(Set(site.tree().files.keys) == plain)
      #expect(site.tree().flaws(between: site.tree(), and: site.tree()) == [])
      #expect(try site.assets().users.keys.elementsEqual([id]))
    }
  }
}
