import SiteSupport

struct PhotoFolderTests {
  private let site: TestSite

  init() throws {
    site = try TestSite()
    try site.folder.write(
      "version: 1\navatars: [{ \(TestSite.small) }]\nusers: { from: t.csv }\nfallback: [initials]\n",
      to: site.manifest)
  }

  private func list(_ names: [String]) throws {
    let rows = names.enumerated().map { "Sample \($0),\($1)\n" }.joined()
    try site.put(Array("name,photo\n\(rows)".utf8), at: "t.csv")
  }

  private func own() throws -> (count: Int, notes: [String]) {
    let result = try site.build { $0.allowShrink = true }
    return (
      result.report.pictures.own,
      result.diagnostics.sorted.filter { $0.id == "users-guess" }.map(\.message)
    )
  }

  /// M30: photos are found even if the list uses different capitals or folders.
  @Test(arguments: ["content/a/Photos", "content", "Photos", "."])
  func `photos are found in folders near the list`(folder: String) throws {
    try list(["A.PNG", "c:\\old\\b.png", "/img/c.png", "sub/d.png", "gone.png"])
    for name in ["a", "b", "c", "d"] { try site.paint("../\(folder)/\(name).png", .red) }
    let (count, notes) = try own()
    #expect(count == 4)
    let place = [
      "content/a/Photos": "a/Photos/", "content": "the list's folder", "Photos": "../Photos/",
      ".": "../",
    ]
    #expect(
      notes == [
        "the photos are not at the paths in the list; using the photos in \(place[folder] ?? "?")"
      ])
    #expect(try site.pixels(of: "sample-1").center == TestPicture.Pixel.red.rgba)
  }

  @Test func `photos are found even if the list omits their extensions`() throws {
    try list(["a", "B", "c.png"])
    for name in ["a", "b", "c"] { try site.paint("../img/\(name).png", .red) }
    #expect(try own().count == 3)
    // A dot in a name does not start an extension.
    try list(["ada.l", "bob.m"])
    for name in ["ada.l", "bob.m"] { try site.paint("../img/\(name).png", .red) }
    #expect(try own().count == 2)
  }

  @Test func `photos that are added later are found`() throws {
    try list(["a.png", "b.png"])
    #expect(try own().count == 0)
    for name in ["a", "b"] { try site.paint("new/\(name).png", .red) }
    #expect(try own().count == 2)
    // Photos next to the list take priority, because they are at the listed paths.
    for name in ["a", "b"] { try site.paint("\(name).png", .blue) }
    #expect(try own().notes == [])
    #expect(try site.pixels(of: "sample-0").center == TestPicture.Pixel.blue.rgba)
  }

  /// M30: if the list names no photos, pictures named after people are used, in any script.
  @Test func `photos are matched by people's names`() throws {
    try site.put(Array("name,role\n李雷,a\n韩梅梅,b\nZoë Sample,c\nDee Sample,d\n".utf8), at: "t.csv")
    try site.paint("faces/李雷.png", .red)
    try site.paint("faces/韩梅梅.png", .blue)
    #expect(try own() == (0, []))
    try site.paint("faces/zoe_sample.png", .red)
    try site.paint("faces/Dee-Sample.png", .red)
    #expect(try own() == (4, ["using pictures named after people, from faces/"]))
    let people = try site.assets().users
    #expect(Set(people.values.compactMap { $0.avatars.values.first?.first?.path }).count == 2)
  }

  /// M30: a consent column is respected, and people with the same name get no photo.
  @Test func `photos are matched by name only for people who consented`() throws {
    let start =
      "name,photo consent,role\nAda Sample,no,a\nBob Sample,,a\nCem Sample,yes,a\nDee Sample,yes,a\n"
    try site.put(Array((start + "Dee Sample,yes,b\n").utf8), at: "t.csv")
    for name in ["ada", "bob", "cem", "dee"] { try site.paint("faces/\(name)-sample.png", .red) }
    #expect(try own().count == 0)
    try site.put(Array(start.utf8), at: "t.csv")
    #expect(try own().count == 2)
  }

  /// M11, M30: a missing photo is not replaced, and files beside a found folder are not read.
  @Test func `unrelated files are not read`() throws {
    try list(["a.png", "b.png", "c.png", "d.png", "e.png"])
    for name in ["a", "b", "c", "d"] { try site.paint("\(name).png", .red) }
    try site.paint("old/e.png", .red)
    #expect(try own() == (4, []))
    // At least four of five photos must match.
    try list(["s.png", "t.png", "u.png", "v.png", "w.png"])
    for name in ["s", "t", "u"] { try site.paint("../far/\(name).png", .red) }
    #expect(try own() == (0, []))
    try site.paint("../far/v.png", .red)
    try site.paint("../secret.png", .red)
    try site.folder.link("far/w.png", to: "../secret.png")
    #expect(try own().count == 4)
    // Paths outside the folder are still rejected.
    try list(["s.png", "t.png", "u.png", "v.png", "../far/../secret.png", "../secret.png"])
    #expect(try own().count == 4)
  }

  @Test func `the photo search does not leave the repository`() throws {
    try list(["a.png"])
    try site.paint("../far/a.png", .red)
    try site.put([], at: ".git/HEAD")
    #expect(try own().count == 0)
  }
}
