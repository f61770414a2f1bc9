import TestSupport

struct VerifyCommandTests {
  private func built() throws -> SiteFolder {
    let site = SiteFolder()
    try site.write(picture: TestPicture.png(width: 8, height: 8) { _, _ in .red }, to: "a.png")
    try site.write(users: [("a", ["a.png"])])
    #expect(try site.build().status == 0)
    return site
  }

  @Test func `verify lists damaged files and exits with 1 if there are any`() throws {
    let site = try built()
    let before = site.tree()
    let sound = try site.run(["verify", "--sample", "1"])
    #expect(sound.status == 0 && sound.err.isEmpty)
    #expect(sound.out.hasPrefix("output: \(before.files.count - 2) files, "))
    #expect(sound.out.hasSuffix(", 1 image verified; no problems\n"))

    try site.folder.write("cut", to: "output/index.html")
    let wrong = try site.run(["verify"])
    #expect(wrong.status == 1)
    #expect(wrong.err.hasPrefix("output/index.html: error: it is 3 bytes long instead of "))
    #expect(wrong.err.contains("[file-changed]"))
    #expect(
      wrong.out.hasSuffix(
        "verified; 1 problem\nto repair the site, run `sitegen build --no-cache`\n"))
    #expect(try site.run(["verify", "--quiet"]).out.isEmpty)
    #expect(try site.build("--no-cache").status == 0)
    #expect(try site.run(["verify"]).status == 0)
    #expect(site.tree().differences(from: before) == [])
  }

  @Test func `each shard checks some of the files and creates no cache`() throws {
    let site = try built()
    let all = site.tree().files.count - 2
    var files = 0
    for number in 1...2 {
      let run = try site.run(["verify", "--shard", "\(number)/2"])
      #expect(run.status == 0 && run.err.isEmpty)
      let words = run.out.split(separator: " ")
      #expect(words.prefix(5) == ["output:", "shard", "\(number)", "of", "2:"])
      files += Int(words[5]) ?? 0
    }
    #expect(files == all && !site.folder.exists(".sitegen/shards"))
    #expect(try site.run(["verify", "--shard", "3/2"]).status == 2)
  }

  @Test func `verify creates nothing if the site is missing`() throws {
    let site = try built()
    for name in ["output", ".sitegen"] { try site.folder.remove(name) }
    let run = try site.run(["verify"])
    #expect(run.status == 1 && run.err.contains("[ledger-wrong]"))
    #expect(!site.folder.exists("output") && !site.folder.exists(".sitegen"))
  }
}
