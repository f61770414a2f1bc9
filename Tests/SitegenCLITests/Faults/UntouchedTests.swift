import TestSupport

struct UntouchedTests {
  private let site = SiteFolder()

  init() throws {
    for name in ["a", "b"] {
      try site.write(
        picture: TestPicture.png(width: 3, height: 3) { _, _ in
          name == "a" ? .red : .blue
        }, to: "\(name).png")
    }
    try site.write(users: [("a", ["a.png"])])
  }

  private var everything: Tree { Tree(of: site.path) }

  @Test(arguments: [["build", "--dry-run"], ["check"]])
  func `read-only commands write nothing`(words: [String]) throws {
    let words = words + ["--manifest", "content/manifest.json"]
    let before = everything
    let cold = try site.run(words)
    #expect(cold.status == 0, "\(cold.err)")
    #expect(everything.differences(from: before) == [])

    #expect(try site.build().status == 0)
    try site.write(users: [("a", ["a.png"]), ("b", ["b.png"]), ("c", ["missing.png"])])
    let built = everything
    let warm = try site.run(words)
    #expect(warm.status == 1)
    #expect(warm.err.contains("[source-unreadable]"))
    #expect(everything.differences(from: built) == [])
  }

  @Test func `a build leaves no files in the temporary folder`() throws {
    try site.folder.makeFolder("tmp")
    let environment = RunningProgram.usualEnvironment.merging(
      ["TMPDIR": site.folder.path(of: "tmp")]) { $1 }
    for words in [
      ["check"], ["build", "--dry-run"], ["build"], ["build"], ["build", "--dry-run"],
    ] {
      let run = try site.run(
        words + ["--manifest", "content/manifest.json"], environment: environment)
      #expect(run.status == 0)
      #expect(site.tree("tmp") == Tree(of: "/nowhere"), "\(words)")
    }
  }

  @Test func `a dry run lists the images that it would render`() throws {
    #expect(try site.build().status == 0)
    try site.write(users: [("a", ["a.png"]), ("b", ["b.png"])])
    let run = try site.run(["build", "--dry-run", "--manifest", "content/manifest.json"])
    #expect(run.out.hasPrefix("dry run: 2 users, 1 image to render; nothing written"))
  }

  @Test(.needs(Strace.need)) func `the check command starts no workers`() throws {
    let log = site.folder.path(of: "log")
    let run = try site.run(
      ["check", "--manifest", "content/manifest.json"], through: Strace.logging("execve", to: log))
    #expect(run.status == 0)
    #expect(try Audit(log: log).calls("execve").count == 1)
  }

  /// F20: foreign files and symlink targets in output and cache survive builds and cleans.
  @Test func `only sitegen's own files are removed`() throws {
    #expect(try site.build().status == 0)
    try site.folder.write("treasure", to: "elsewhere/treasure.txt")
    let asset = try #require(site.tree().files.keys.first { $0.hasPrefix("assets/") })
    let assetFolder = String(asset.prefix(9))
    let foreign = ["output/mine.txt", "output/page/notes.html", "output/\(assetFolder)/mine.png"]
    for name in foreign + [".sitegen/mine.txt"] { try site.folder.write("mine", to: name) }
    try site.folder.link("output/link", to: "../elsewhere")
    try site.folder.link("output/assets/link", to: "../../elsewhere")

    try site.write(users: [("b", ["b.png"])])
    #expect(try site.build().status == 0)
    #expect(site.tree().files[asset] == nil)
    for name in foreign { #expect(try site.folder.text(of: name) == "mine") }

    #expect(try site.run(["clean", "--quiet"]).status == 0)
    let left = site.tree()
    #expect(
      Set(left.files.keys).subtracting([".sitegen-lock"])
        == Set(foreign.map { String($0.dropFirst("output/".count)) }))
    #expect(left.links == ["link": "../elsewhere", "assets/link": "../../elsewhere"])
    #expect(try site.folder.text(of: "elsewhere/treasure.txt") == "treasure")
    #expect(Set(site.tree(".sitegen").files.keys).subtracting([".sitegen-lock"]) == ["mine.txt"])
  }

  @Test func `clean succeeds even if the site is missing`() throws {
    let before = everything
    #expect(try site.run(["clean"]).status == 0)
    #expect(everything == before)
  }

  @Test func `a foreign file is not overwritten`() throws {
    try site.folder.write("mine", to: "output/index.html")
    let run = try site.build()
    #expect(run.status == 3)
    #expect(run.err.contains("such as index.html [output-not-ours]"))
    #expect(try site.folder.text(of: "output/index.html") == "mine")
    #expect(!site.folder.exists("output/assets"))
    #expect(try site.build("--adopt").status == 0)
    #expect(try site.folder.text(of: "output/index.html").contains("<html"))
  }
}
