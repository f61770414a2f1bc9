import TestSupport

struct ForeignFolderTests {
  private let site = SiteFolder()

  init() throws {
    try site.write(picture: TestPicture.png(width: 3, height: 3) { _, _ in .red }, to: "a.png")
    try site.write(users: [("a", ["a.png"])])
  }

  private func rights(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: site.folder.path(of: name))[.posixPermissions]
      as? Int
  }

  @Test func `a folder with foreign files cannot be used as a cache`() throws {
    try site.folder.write("mine", to: "project/store/goods.txt")
    try site.folder.write("mine", to: "project/report.json")
    let before = site.tree("project")
    let rights = try rights("project")
    for words in [SiteFolder.buildWords, ["clean"]] {
      let run = try site.run(words + ["--cache", "project"])
      #expect(run.status == 2, "\(run.err)")
      #expect(run.err.contains("project") && run.err.contains("[cache-not-ours]"), "\(run.err)")
      #expect(site.tree("project") == before)
      #expect(try self.rights("project") == rights)
    }
    try site.folder.makeFolder("empty")
    #expect(try site.build("--cache", "empty").status == 0)
    #expect(try site.build("--cache", "empty").status == 0)
    #expect(try site.run(["clean", "--cache", "empty"]).status == 0)
    #expect(try site.build("--cache", "empty").status == 0)
  }

  /// F23: the output must be a separate folder unless `--adopt` is given.
  @Test func `an output folder with foreign files requires --adopt`() throws {
    for (folder, name) in [
      ("notes", "notes.txt"), ("deep", "a/b/c.txt"), ("tree", ".git/config"), ("void", "empty/"),
    ] {
      if name.hasSuffix("/") {
        try site.folder.makeFolder("\(folder)/\(name)")
      } else {
        try site.folder.write("mine", to: "\(folder)/\(name)")
      }
      let before = site.tree(folder)
      for words in [[], ["--dry-run"], ["--no-cache"]] {
        let run = try site.run(SiteFolder.buildWords + words + ["--output", folder])
        #expect(run.status == 3, "\(run.err)")
        #expect(run.err.contains(folder) && run.err.contains("[output-not-ours]"), "\(run.err)")
        #expect(site.tree(folder) == before)
      }
      for word in ["clean", "prune"] {
        #expect(try site.run([word, "--quiet", "--output", folder]).status == 0)
        #expect(site.tree(folder) == before)
      }
      #expect(try site.build("--output", folder, "--adopt").status == 0)
      // From then on, the folder belongs to sitegen, even after a clean.
      #expect(try site.build("--output", folder).status == 0)
      #expect(try site.run(["clean", "--quiet", "--output", folder]).status == 0)
      #expect(try site.build("--output", folder).status == 0)
      for (path, bytes) in before.files { #expect(site.tree(folder).files[path] == bytes) }
    }
  }

  /// F23: an output that contains the manifest or a home folder is probably a typo.
  @Test func `a home folder or a folder above the manifest is rejected as the output`() throws {
    try site.folder.link("content/up", to: "..")
    try site.folder.makeFolder("home")
    let before = site.tree(".")
    let environment = RunningProgram.usualEnvironment.merging(
      ["HOME": site.folder.path(of: "home")]
    ) { $1 }
    for output in [".", "./", "content", "content/.", "content/up", site.path, "home", "/"] {
      for words in [[], ["--adopt"], ["--dry-run"]] {
        let run = try site.run(
          SiteFolder.buildWords + words + ["--output", output], environment: environment)
        #expect(run.status == 2, "\(output): \(run.err)")
        #expect(run.err.contains("[output-not-ours]"), "\(output): \(run.err)")
      }
    }
    #expect(site.tree(".") == before)
    // Subfolders are accepted.
    for output in ["home/site", "content/site"] {
      let run = try site.run(
        SiteFolder.buildWords + ["--output", output], environment: environment)
      #expect(run.status == 0, "\(run.err)")
    }
  }

  @Test func `a folder cannot be both the output and the cache`() throws {
    for output in ["both", "./both", "both/", "content/../both"] {
      for words in [SiteFolder.buildWords, ["clean"]] {
        let run = try site.run(words + ["--cache", "both", "--output", output])
        #expect(run.status == 2, "\(output): \(run.err)")
        #expect(run.err.contains("both"))
      }
    }
    #expect(!site.folder.exists("both"))
    #expect(try site.build().status == 0)
    let before = site.tree()
    #expect(try site.build("--cache", "output").status == 2)
    #expect(try site.run(["clean", "--cache", "output"]).status == 2)
    #expect(site.tree() == before)
  }

  /// F23, F30: an existing cache is rejected as the output, and an existing output as the cache.
  @Test func `a cache is rejected as the output, and an output as the cache`() throws {
    #expect(try site.build().status == 0)
    let (site, cache) = (site.tree(), site.tree(".sitegen"))
    let asOutput = try self.site.build("--output", ".sitegen", "--cache", "other")
    #expect(asOutput.status == 3 && asOutput.err.contains("[output-not-ours]"), "\(asOutput.err)")
    let asCache = try self.site.build("--output", "elsewhere", "--cache", "output")
    #expect(asCache.status == 2 && asCache.err.contains("[cache-not-ours]"), "\(asCache.err)")
    #expect(self.site.tree() == site && self.site.tree(".sitegen") == cache)
  }

  /// F30: other users could have manipulated the cache.
  @Test func `a world-writable cache is rejected`() throws {
    func build(_ mode: mode_t) throws -> RunningProgram.Ending {
      try #require(unsafe chmod(site.folder.path(of: ".sitegen"), mode) == 0)
      return try site.build()
    }
    #expect(try site.build().status == 0)
    let (output, cache) = (site.tree(), site.tree(".sitegen"))
    let run = try build(0o777)
    #expect(run.status == 2, "\(run.err)")
    #expect(run.err.contains("chmod go-w .sitegen") && run.err.contains("[cache-not-ours]"))
    #expect(site.tree() == output && site.tree(".sitegen") == cache)
    #expect(try site.run(["prune"]).status == 2)
    #expect(try build(0o775).status == 0)
    // An empty cache is safe.
    #expect(try site.run(["clean"]).status == 0)
    #expect(try build(0o777).status == 0)
    #expect(try site.run(["clean"]).status == 0)
    try site.folder.remove(".sitegen")
    try site.folder.makeFolder(".sitegen")
    #expect(try build(0o777).status == 0)
  }

  /// Everything in the output is published, which would include a cache.
  @Test func `the cache cannot be in the output`() throws {
    func refuse(_ cache: String) throws {
      for words in [SiteFolder.buildWords, ["clean"]] {
        let run = try site.run(words + ["--cache", cache])
        #expect(run.status == 2 && run.err.contains("[cache-not-ours]"), "\(cache): \(run.err)")
      }
    }
    for cache in ["output/cache", "./output/a/b", "content/../output/c"] { try refuse(cache) }
    #expect(!site.folder.exists("output"))
    #expect(try site.build().status == 0)
    try site.folder.link("link", to: "output")
    for cache in ["output/cache", "output/assets/c", "link/cache"] { try refuse(cache) }
    // A sibling folder with the same prefix is accepted.
    #expect(try site.build("--cache", "output-cache").status == 0)
  }

  /// F20: if a ledger lists paths outside the output, nothing is deleted there.
  @Test func `a forged ledger cannot delete files outside the output`() throws {
    #expect(try site.build().status == 0)
    try site.folder.write("treasure", to: "treasure.txt")
    try site.folder.write("treasure", to: "vault/treasure.txt")
    try site.folder.link("output/door", to: "../vault")
    let digest = String(repeating: "0", count: 64)
    let ledger = try site.folder.text(of: "output/.sitegen-files")
    for path in [
      "../treasure.txt", "../vault/treasure.txt", "door/treasure.txt",
      site.folder.path(of: "treasure.txt"), "door", ".", "..", "", "assets/..",
      "a/../../treasure.txt",
    ] {
      for words in [SiteFolder.buildWords, ["clean", "--quiet"]] {
        try site.folder.write(ledger + "8 \(digest) \(path)\n", to: "output/.sitegen-files")
        let run = try site.run(words)
        #expect([0, 3].contains(run.status) && run.signal == nil, "\(path): \(run.err)")
        #expect(try site.folder.text(of: "treasure.txt") == "treasure", "\(path)")
        #expect(try site.folder.text(of: "vault/treasure.txt") == "treasure", "\(path)")
      }
      #expect(try site.build("--adopt").status == 0)
    }
  }

  @Test func `a symlink in the output is never followed when writing`() throws {
    try site.folder.write("treasure", to: "vault/treasure.txt")
    let vault = site.tree("vault")
    try site.folder.makeFolder("output")
    try site.folder.link("output/assets", to: "../vault")
    try site.folder.link("output/index.html", to: "../vault/treasure.txt")
    for words in [[], ["--adopt"]] {
      let run = try site.run(SiteFolder.buildWords + words)
      #expect(run.status == 3, "\(run.err)")
      #expect(site.tree("vault") == vault)
    }
    try site.folder.remove("output/assets")
    #expect(try site.build("--adopt").status == 0)
    #expect(site.tree("vault") == vault)
    #expect(site.tree().links.isEmpty)
  }
}
