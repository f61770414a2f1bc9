import TestSupport

struct DiffCommandTests {
  private func built() throws -> SiteFolder {
    let site = SiteFolder()
    for (name, color) in [("red", TestPicture.Pixel.red), ("blue", .blue)] {
      try site.write(
        picture: TestPicture.png(width: 8, height: 8) { _, _ in color }, to: "\(name).png")
    }
    try site.write(users: [("a", ["red.png"]), ("b", ["red.png"])])
    #expect(try site.build().status == 0)
    try site.write(users: [("a", ["blue.png"]), ("c", ["red.png"])])
    #expect(try site.build("--output", "later", "--cache", "cache2").status == 0)
    return site
  }

  @Test func `the diff command counts differences on its first line and exits with 0`() throws {
    let site = try built()
    let different = try site.run(["diff", "output", "later"])
    #expect(different.status == 0 && different.err.isEmpty)
    #expect(different.out == "1 changed, 1 added, 1 removed\npage: diff/index.html\n")
    #expect(site.folder.exists("diff/index.html"))
    let equal = try site.run(["diff", "later", "later", "--to", "same/page"])
    #expect(equal.status == 0)
    #expect(
      equal.out
        == "0 changed, 0 added, 0 removed\nthe sites are identical\npage: same/page/index.html\n")
    let quiet = try site.run(["diff", "--quiet", "output", "later"])
    #expect(quiet.status == 0 && quiet.out.isEmpty && quiet.err.isEmpty)
  }

  @Test func `diff exits with 2 if the sites cannot be compared`() throws {
    let site = try built()
    for words in [
      ["diff", "output", "missing"], ["diff", "content", "later"], ["diff", "output"], ["diff"],
      ["diff", "output", "later", "third"], ["diff", "output", ""],
      ["diff", "output", "later", "--to", "output/x"],
    ] {
      let run = try site.run(words)
      #expect(run.status == 2, "\(words)")
      #expect(run.out.isEmpty && run.err.contains("error: "))
    }
  }
}
