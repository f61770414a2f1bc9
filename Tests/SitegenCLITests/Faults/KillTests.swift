import Glibc
import TestSupport

struct KillTests {
  /// I19: after a kill at any gate, each file is complete, and pages reference only existing files.
  ///
  /// F24: the gates are in a worker or in the build.
  @Test func `a killed build leaves a complete site, and the next build finishes`() throws {
    let sites = try TwoSites()
    for name in StoppedBuildTests.gates {
      try sites.reset()
      let gate = ProgramGate(name)
      let program = try sites.site.start(SiteFolder.buildWords, environment: gate.environment)
      let stopped = try gate.reached()
      program.send(SIGKILL)
      #expect(try program.ending().signal == SIGKILL)
      #expect(sites.flaws == [], "\(name)")
      let differences = try sites.differencesAfterNextBuild()
      #expect(differences == [], "\(name)")
      try gate.open()
      #expect(eventually { !isAlive(stopped) }, "\(name): a worker outlives its build")
    }
  }

  /// F24: `verify` accepts either the old or the new file at each path, and nothing else.
  @Test func `files left by a killed build are not reported as damaged`() throws {
    let sites = try TwoSites()
    try sites.reset()
    let gate = ProgramGate("inside-publish")
    let program = try sites.site.start(SiteFolder.buildWords, environment: gate.environment)
    try gate.reached()
    let early = try sites.site.run(["verify"])
    #expect(early.status == 75 && early.err.contains("a build is running"), "\(early.err)")
    program.send(SIGKILL)
    #expect(try program.ending().signal == SIGKILL)
    try gate.open()
    let run = try sites.site.run(["verify"])
    #expect(run.status == 0 && run.out.contains("no problems"), "\(run.err)")
    #expect(run.err.contains("the last build did not finish publishing"), "\(run.err)")
    let page = "output/index.html"
    try sites.site.folder.write(try sites.site.folder.text(of: page) + "x", to: page)
    let image = try #require(
      sites.old.files.keys.first { $0.hasPrefix("assets/") && sites.new.files[$0] != nil })
    try sites.site.folder.remove("output/" + image)
    let damaged = try sites.site.run(["verify"])
    #expect(damaged.status == 1)
    #expect(damaged.err.contains("index.html: error: ") && damaged.err.contains("[file-changed]"))
    #expect(damaged.err.contains("it links to \(image), which does not exist"), "\(damaged.err)")
    // The index is published last, so without it the site is incomplete.
    try sites.site.folder.remove(page)
    let unfinished = try sites.site.run(["verify"])
    #expect(
      unfinished.err.contains("error: the last build did not finish publishing"),
      "\(unfinished.err)")
    #expect(try sites.differencesAfterNextBuild() == [])
    #expect(try !sites.site.run(["verify"]).err.contains("did not finish"))
  }

  @Test func `aliases and, with keepOld, old pictures survive a killed build`() throws {
    let sites = try TwoSites(more: #""exports": ["aliases"], "keepOld": 7,"#)
    let old = sites.old.files.filter {
      $0.key.hasPrefix("assets/") && sites.new.files[$0.key] == nil
    }
    #expect(!old.isEmpty && sites.new.files.keys.contains { $0.hasPrefix("u/user_204/") })
    for name in ["after-encode", "inside-publish"] {
      try sites.reset()
      let gate = ProgramGate(name)
      let program = try sites.site.start(SiteFolder.buildWords, environment: gate.environment)
      try gate.reached()
      program.send(SIGKILL)
      #expect(try program.ending().signal == SIGKILL)
      #expect(sites.flaws == [], "\(name)")
      try gate.open()
      #expect(try sites.site.build().status == 0)
      let files = sites.site.tree().files
      for (path, bytes) in old { #expect(files[path] == bytes, "\(name): \(path)") }
      let manifest = try sites.site.folder.text(of: "content/manifest.json")
      try sites.site.write(manifest: manifest.replacing(#""keepOld": 7,"#, with: ""))
      #expect(try sites.differencesAfterNextBuild() == [], "\(name)")
      try sites.site.write(manifest: manifest)
    }
  }

  /// F24: pages of people who left are removed before the pictures and cards that they reference.
  @Test(.needs(Strace.need)) func `pages are removed before the files they reference`() throws {
    let site = SiteFolder(inMemory: false)
    let more = #""pages": {"people": true, "cards": true},"#
    let all = [("a", ["color:#ff0000"]), ("b", ["color:#00ff00"]), ("c", ["color:#0000ff"])]
    try site.write(users: all, more: more)
    #expect(try site.build().status == 0)
    try site.write(users: Array(all[..<1]), more: more)
    let log = site.folder.path(of: "log")
    let run = try site.run(
      SiteFolder.buildWords, through: Strace.logging("unlink,unlinkat", to: log))
    #expect(run.status == 0, "\(run.err)")
    let removed = try Audit(log: log).lines.filter { $0.hasSuffix(" = 0") }
    let page = try #require(removed.lastIndex { $0.contains(#""index.html""#) })
    let picture = try #require(removed.firstIndex { $0.contains(#".png""#) })
    let card = try #require(removed.firstIndex { $0.contains(#""card.vcf""#) })
    #expect(page < card && card < picture, "\(removed)")
  }

  /// C15: after a kill during a clean, the paths are free and the next run deletes the rest.
  @Test(arguments: ["build", "clean"])
  func `the next run finishes an interrupted clean`(next: String) throws {
    let sites = try TwoSites()
    try sites.reset()
    try sites.site.folder.write("mine", to: "output/notes/mine.txt")
    let gate = ProgramGate("inside-clean")
    let program = try sites.site.start(["clean", "--quiet"], environment: gate.environment)
    try gate.reached()
    #expect(!sites.site.folder.exists("output/assets"))
    program.send(SIGKILL)
    #expect(try program.ending().signal == SIGKILL)
    #expect(!sites.site.tree().unfinished.isEmpty)

    let site = sites.site
    if next == "build" {
      #expect(try site.build().status == 0)
      var expected = sites.new
      expected.files["notes/mine.txt"] = Data("mine".utf8)
      expected.folders.insert("notes")
      #expect(site.tree().differences(from: expected) == [])
    } else {
      #expect(try site.run(["clean", "--quiet"]).status == 0)
      #expect(site.tree().files.keys.filter { $0 != ".sitegen-lock" } == ["notes/mine.txt"])
    }
    #expect(site.tree(".sitegen").unfinished == [])
  }
}
