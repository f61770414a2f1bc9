import TestSupport

struct ExplainCommandTests {
  private func built() throws -> SiteFolder {
    let site = SiteFolder()
    try site.write(picture: TestPicture.png(width: 8, height: 8) { _, _ in .red }, to: "a.png")
    try site.write(users: [("a", ["missing.png", "a.png", "initials"]), ("b", ["a.png"])])
    _ = try site.build()
    return site
  }

  @Test func `explain prints a person's sources and images`() throws {
    let site = try built()
    let before = site.tree()
    let run = try site.run(["explain", "--user", "a"])
    #expect(run.status == 0 && run.err.isEmpty)
    let lines = run.out.split(separator: "\n").map(String.init)
    #expect(lines[0] == "a (a): ok")
    #expect(lines[1] == "  1. missing.png: failed, no such file or directory [source-unreadable]")
    #expect(lines[2] == "  2. a.png: shown, png, 8 × 8 pixels")
    #expect(lines[3].hasPrefix("     sha256 ") && lines[4] == "  3. initials: untried")
    let image = try #require(try site.assets().users["a"]?.avatars["s"]?.first)
    #expect(lines[5] == "style s" && lines[6] == "  1x png: \(image.path)")
    #expect(lines[7].hasPrefix("    key ") && lines[7].hasSuffix(", as in the last build"))
    #expect(lines.count == 8 && site.tree().differences(from: before) == [])

    try site.write(picture: TestPicture.png(width: 8, height: 8) { _, _ in .blue }, to: "a.png")
    let changed = try site.run(["explain", "--user", "a", "--style", "s"]).out
    #expect(changed.contains(", the source has changed since the last build: "))
  }

  /// The sample site causes no warnings, so this page uses docs/mistakes.
  @Test func `troubleshooting.md shows the output for docs/mistakes`() throws {
    let docs = Checkout.root.appendingPathComponent("docs")
    let folder = TemporaryFolder()
    try FileManager.default.copyItem(
      at: docs.appendingPathComponent("mistakes"),
      to: URL(fileURLWithPath: folder.path(of: "docs")))
    let build = try sitegen(["build", "docs"], in: folder)
    #expect(build.status == 1)
    for name in ["hedgehog-2019", "sorrel", "fennel"] {
      #expect(build.err.contains("cannot read avatars/\(name).jpg"), "\(build.err)")
    }
    let page = try Checkout.text(of: "docs/howto/troubleshooting.md")
    let shown = page.components(separatedBy: "```text\nhedgehog ").last?.components(
      separatedBy: "\n  1x webp")
    let start = try #require(shown?.first)
    let run = try sitegen(
      ["explain", "--user", "hedgehog", "--style", "round", "docs"], in: folder)
    #expect(run.out.hasPrefix("hedgehog \(start)\n"), "\(run.out)")
  }

  @Test(arguments: ["output/", "", "./output/../output/"])
  func `explain prints the owners of a file`(prefix: String) throws {
    let site = try built()
    let image = try #require(try site.assets().users["a"]?.avatars["s"]?.first)
    let run = try site.run(["explain", "--file", prefix + image.path])
    #expect(run.status == 0)
    let lines = run.out.split(separator: "\n").map(String.init)
    #expect(lines[0] == "\(image.path): \(image.bytes) bytes, sha256 \(image.sha256)")
    #expect(lines[1] == "  user a, style s, 1x png" && lines[2] == "  user b, style s, 1x png")
    #expect(lines[3] == "a (a): ok")
    let page = try site.run(["explain", "--file", prefix + "index.html"]).out
    #expect(page.hasSuffix("\n  part of the site, but not an avatar\n"))
    try site.folder.write("mine", to: "output/mine.txt")
    let foreign = try site.run(["explain", "--file", prefix + "mine.txt"])
    #expect(foreign.out == "mine.txt: not written by sitegen\n")
  }

  @Test(arguments: [["explain"], ["explain", "--user", "a", "--file", "index.html"]])
  func `explain requires exactly one of --user and --file`(words: [String]) throws {
    let run = try built().run(words)
    #expect(run.status == 2 && run.err.contains("--user or --file"))
    let unknown = try built().run(["explain", "--user", "x"])
    #expect(unknown.status == 2 && unknown.err.contains("[unknown-user]"))
  }
}
