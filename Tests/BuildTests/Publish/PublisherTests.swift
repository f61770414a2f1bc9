import Files
import SiteSupport

struct PublisherTests {
  private func filled() throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.paint("blue.png", .blue)
    try site.write([Person("a", name: "Anna", "red.png"), Person("b", "blue.png")])
    return site
  }

  @Test func `index.html is published last`() throws {
    let site = try filled()
    try site.build()
    let stamps = try site.stamps()
    // A rename changes the ctime; the ledger is written again at the end.
    let index = try #require(stamps["index.html"]).changed
    for (path, stamp) in stamps where path != ".sitegen-files" {
      #expect(stamp.changed <= index, "\(path)")
    }
    #expect(site.outputFiles().allSatisfy { !$0.contains(".sitegen-tmp") })
  }

  /// O5: the ledger contains the size and digest of every published file.
  @Test func `the ledger lists all files in order, with their sizes and digests`() throws {
    let site = try filled()
    try site.build()
    let ledger = Ledger(parsing: [UInt8](try site.folder.read("output/.sitegen-files")))
    var files = try site.snapshot()
    files[".sitegen-files"] = nil
    #expect(ledger.entries.map(\.path) == files.keys.sorted())
    for entry in ledger.entries {
      #expect(entry.digest == files[entry.path])
      #expect(try entry.size == Int64(site.folder.read("output/\(entry.path)").count))
    }
  }

  /// O5: a build repairs any damaged file, and re-renders only a picture edited in place.
  @Test(arguments: [
    "assets", "index.html", "assets.json", "avatars.css", "gallery.css", "gallery.js",
  ])
  func `edited and deleted files are repaired`(file: String) throws {
    let site = try filled()
    try site.build()
    let before = try site.snapshot()
    let path = file == "assets" ? try site.image(of: "a").path : file
    let bytes = try site.folder.read("output/\(path)")
    let edits = [bytes + [0], Data(bytes.dropLast()), Data(bytes.map { $0 ^ 1 }), Data()]
    for edit in edits {
      try site.folder.write(edit, to: "output/\(path)")
      let counters = try site.build().report.counters
      #expect(counters.renders == (file == "assets" ? 1 : 0) && counters.written == 1)
      #expect(counters.unchanged == before.count - 2)
      #expect(try site.snapshot() == before)
    }
    for replacement in [nil, Data(bytes.map { $0 ^ 1 })] {
      try site.folder.remove("output/\(path)")
      if let replacement { try site.folder.write(replacement, to: "output/\(path)") }
      let counters = try site.build().report.counters
      #expect(counters.renders == 0 && counters.written == 1)
      #expect(try site.snapshot() == before)
    }
  }

  /// Image editors write in place; exports for other programs are not hard links to the store.
  @Test func `pictures are hard links to the store, and exports are copies`() throws {
    let site = try filled()
    try site.write([Person("a", "red.png")], more: "exports: [xcassets]")
    try site.build()
    for path in site.outputFiles() {
      let links = try FileManager.default.attributesOfItem(
        atPath: site.folder.path(of: "output/\(path)"))[.referenceCount]
      #expect(links as? Int == (path.hasPrefix("assets/") ? 2 : 1), "\(path)")
    }
    let export = try #require(
      site.outputFiles().first { $0.hasSuffix(".png") && !$0.hasPrefix("assets") })
    let before = try site.snapshot()
    try site.folder.write("scribbles", to: "output/\(export)")
    let counters = try site.build().report.counters
    #expect(counters.renders == 0 && counters.written == 1)
    #expect(try site.snapshot() == before)
  }

  @Test func `pages are updated even if a changed text has the same length`() throws {
    let site = try filled()
    try site.build()
    try site.age("output")
    try site.build()
    #expect(try site.build().report.upToDate)
    // The new name has the same length, so that the file size is equal.
    try site.write([Person("a", name: "Anne", "red.png"), Person("b", "blue.png")])
    let counters = try site.build().report.counters
    let files = ["index.html", "assets.json", "data/search-1.js", "data/people-1.js"]
    #expect(counters.written == files.count && counters.renders == 0)
    for file in files { #expect(try site.text(file).contains("Anne"), "\(file)") }
  }

  @Test func `the next build completes a build that was killed while publishing`() throws {
    let site = try filled()
    try site.build()
    try site.age("output")
    try site.build()
    #expect(try site.build().report.upToDate)
    // The name has the same length, so the killed build's ledger has as many lines as the old one.
    try site.write([Person("a", name: "Anne", "red.png"), Person("b", "blue.png")])
    try site.build {
      $0.output = site.folder.path(of: "elsewhere")
      $0.cache = site.folder.path(of: "other cache")
    }
    let claim = Ledger(parsing: Array(try site.folder.read("elsewhere/\(Ledger.fileName)")))
    let old = Ledger(parsing: Array(try site.folder.read("output/\(Ledger.fileName)")))
    try site.folder.write(old.merging(claim).bytes, to: "output/\(Ledger.fileName)")
    try site.build()
    #expect(try site.text("index.html").contains("Anne"))
    #expect(try site.text("assets.json").contains("Anne"))
  }

  /// F20: foreign files, folders and links survive builds, the removal of orphans and `clean`.
  @Test func `neither build nor clean touches foreign files`() throws {
    let site = try filled()
    try site.folder.write("outside", to: "outside/file.txt")
    try site.folder.write("mine", to: "output/robots.txt")
    try site.folder.write("mine", to: "output/assets/mine.png")
    try site.folder.makeFolder("output/assets/empty")
    try site.folder.link("output/link", to: "../outside")
    try site.folder.link("output/assets/dangling", to: "/nowhere")
    try site.build { $0.adopt = true }
    let image = try site.image(of: "a").path
    let beside = "output/" + image.replacingOccurrences(of: ".png", with: ".txt")
    try site.folder.write("mine", to: beside)

    func expectForeignFiles(_ comment: Comment) throws {
      #expect(try site.folder.text(of: "output/robots.txt") == "mine", comment)
      #expect(try site.folder.text(of: "output/assets/mine.png") == "mine", comment)
      #expect(try site.folder.text(of: beside) == "mine", comment)
      #expect(try site.folder.text(of: "outside/file.txt") == "outside", comment)
      for path in ["output/assets/empty", "output/link", "output/assets/dangling"] {
        #expect(site.folder.exists(path), comment)
      }
    }
    try site.write([Person("b", "blue.png")])
    #expect(try site.build().report.counters.removed == 1)
    #expect(!site.folder.exists("output/" + image))
    try expectForeignFiles("after an orphan went")
    try site.build { $0.fetching.ignoringCache = true }
    try site.build { $0.adopt = true }
    try expectForeignFiles("after no cache and adopt")
    try site.clean()
    try expectForeignFiles("after clean")
    #expect(site.assetFiles().count == 3)
    #expect(site.outputFiles().count == 5)
    #expect(!site.folder.exists("cache/store") && !site.folder.exists("cache/index.sqlite"))
    try site.build()
    try expectForeignFiles("after the next build")
  }

  /// F20: a symlink at the path of a published file is replaced, never followed.
  @Test func `a symlink in place of a published file is not followed`() throws {
    let site = try filled()
    try site.build()
    let before = try site.snapshot()
    try site.folder.write("outside", to: "outside.txt")
    try site.folder.remove("output/index.html")
    try site.folder.link("output/index.html", to: "../outside.txt")
    try site.build()
    #expect(try site.snapshot() == before)
    #expect(try site.folder.text(of: "outside.txt") == "outside")
    try site.folder.remove("output/index.html")
    try site.folder.link("output/index.html", to: "../outside.txt")
    try site.clean()
    #expect(try site.folder.text(of: "outside.txt") == "outside")
  }

  enum Foreign: String, CaseIterable, Sendable {
    case page, asset, folder, link, fileAsFolder
  }

  @Test(arguments: Foreign.allCases)
  func `a foreign file at an output path is an error`(kind: Foreign) throws {
    let other = try filled()
    try other.build()
    let image = try other.image(of: "a").path
    let site = try filled()
    try site.folder.write("target", to: "target.txt")
    switch kind {
    case .page: try site.folder.write("mine", to: "output/index.html")
    case .asset: try site.folder.write("mine", to: "output/\(image)")
    case .folder: try site.folder.write("mine", to: "output/index.html/file")
    case .link:
      try site.folder.makeFolder("output")
      try site.folder.link("output/assets.json", to: "../target.txt")
    case .fileAsFolder: try site.folder.write("mine", to: "output/assets")
    }
    let before = try site.snapshot()
    let failure = try site.failure()
    #expect(failure.exitStatus == 3)
    guard case .machine(let diagnostic) = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(diagnostic.id == "output-not-ours")
    #expect(try site.snapshot() == before)
    #expect(try site.folder.text(of: "target.txt") == "target")
  }

  @Test func `a folder at an output path is never replaced`() throws {
    let site = try filled()
    try site.build()
    try site.folder.remove("output/index.html")
    try site.folder.write("mine", to: "output/index.html/file")
    for adopt in [false, true] {
      guard case .machine(let diagnostic) = try site.failure({ $0.adopt = adopt }) else {
        Issue.record("expected a machine failure")
        continue
      }
      #expect(diagnostic.id == "output-not-ours")
    }
    #expect(try site.text("index.html/file") == "mine")
    try site.clean()
    #expect(site.outputFiles() == ["index.html/file"])
  }

  @Test func `--adopt replaces a foreign file`() throws {
    let site = try filled()
    try site.folder.write("mine", to: "output/index.html")
    try site.folder.write("mine", to: "output/robots.txt")
    try site.build { $0.adopt = true }
    #expect(try site.text("index.html").contains("Anna"))
    #expect(try site.text("robots.txt") == "mine")
    try site.build()
    try site.clean()
    #expect(site.outputFiles() == ["robots.txt"])
  }

  @Test func `without a ledger, all files are treated as foreign`() throws {
    let site = try filled()
    try site.build()
    let before = try site.snapshot()
    try site.folder.write("mine", to: "output/robots.txt")
    try site.folder.remove("output/.sitegen-files")
    #expect(try site.failure().exitStatus == 3)
    try site.clean()
    #expect(site.outputFiles().count == before.count)
    let counters = try site.build { $0.adopt = true }.report.counters
    #expect(counters.written == 0 && counters.removed == 0 && counters.renders > 0)
    var after = try site.snapshot()
    #expect(after.removeValue(forKey: "robots.txt") != nil)
    #expect(after == before)
  }

  @Test func `if the ledger is damaged, only files that it lists are removed`() throws {
    let site = try filled()
    try site.build()
    let ledger = try site.text(".sitegen-files")
    let digest = Digest(of: [1]).hex
    try site.folder.write("outside", to: "outside.txt")
    try site.folder.write("mine", to: "output/robots.txt")
    try site.folder.link("output/way-out", to: "..")
    let hostile = [
      "../outside.txt", "./../outside.txt", "/\(site.folder.path)/outside.txt",
      site.folder.path + "/outside.txt", "way-out/outside.txt", "", ".", "..", "assets",
      ".sitegen-lock/x",
    ]
    let lines = hostile.map { "7 \(digest) \($0)\n" }.joined()
    let nonsense = "x\n1\n1 2 3\n-1 \(digest) robots.txt2\n1  \(digest) robots.txt3\n"
    try site.folder.write(ledger + lines + nonsense, to: "output/.sitegen-files")
    try site.write([Person("b", "blue.png")])
    try site.build()
    #expect(try site.folder.text(of: "outside.txt") == "outside")
    #expect(try site.text("robots.txt") == "mine")
    #expect(site.assetFiles().count == 1)

    try site.folder.write(ledger + lines + nonsense, to: "output/.sitegen-files")
    try site.clean()
    #expect(try site.folder.text(of: "outside.txt") == "outside")
    #expect(try site.text("robots.txt") == "mine")
  }
}
