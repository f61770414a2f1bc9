import Glibc
import TestSupport

struct SweptFolderTests {
  /// Commands that must still work after the cache is removed.
  private static let others = [
    ["prune", "--quiet"], SiteFolder.buildWords, ["clean", "--quiet"], SiteFolder.buildWords,
  ]

  /// The gates at which builds are stopped; CI tries the second variant only at the last two.
  private static func gates(_ isFirst: Bool) -> ArraySlice<String> {
    StoppedBuildTests.gates.suffix(isFirst || Extent.isAll ? 4 : 2)
  }

  private static func sweep(_ folder: String, wholly: Bool) throws {
    let manager = FileManager.default
    if wholly { return try manager.removeItem(atPath: folder) }
    for name in try manager.contentsOfDirectory(atPath: folder) {
      try manager.removeItem(atPath: folder + "/" + name)
    }
  }

  /// F29: removing the cache at any moment affects at most that build and blocks no later one.
  @Test(arguments: [true, false])
  func `removing the cache during a build does not block later builds`(wholly: Bool) throws {
    let sites = try TwoSites()
    for name in Self.gates(wholly) {
      try sites.reset()
      let gate = ProgramGate(name)
      let program = try sites.site.start(SiteFolder.buildWords, environment: gate.environment)
      try gate.reached()
      try Self.sweep(sites.site.folder.path(of: ".sitegen"), wholly: wholly)
      try gate.open()
      let run = try program.ending()
      #expect(run.status == 75 && run.err.contains("[lock-lost]"), "\(name): \(run.err)")
      #expect(sites.flaws == [], "\(name)")
      for words in Self.others {
        let next = try sites.site.run(words)
        #expect(next.status == 0, "\(name), \(words[0]): \(next.err)")
      }
      #expect(sites.site.tree().differences(from: sites.new) == [], "\(name)")
    }
  }

  /// F29: the cache is removed at random moments.
  @Test func `removing the cache repeatedly does not block later builds`() throws {
    let sites = try TwoSites()
    let cache = sites.site.folder.path(of: ".sitegen")
    for round in 0..<(Extent.isAll ? 12 : 3) {
      try sites.reset()
      let program = try sites.site.start(SiteFolder.buildWords)
      for _ in 0..<200 where isAlive(program.processID) {
        usleep(UInt32(1_000 + 997 * round))
        try? Self.sweep(cache, wholly: !round.isMultiple(of: 3))
      }
      let run = try program.ending()
      #expect(run.signal == nil && [0, 3, 75].contains(run.status), "\(run.err)")
      #expect(sites.flaws == [])
      for words in Self.others {
        let next = try sites.site.run(words)
        #expect(next.status == 0, "round \(round), \(words[0]): \(next.err)")
      }
    }
  }

  /// F28: a build without its locks publishes nothing, since another build may be running.
  @Test(arguments: zip(["output", ".sitegen"], [true, false]))
  func `a build that loses its lock publishes nothing`(folder: String, isReplaced: Bool) throws {
    let sites = try TwoSites()
    for name in Self.gates(isReplaced) {
      try sites.reset()
      let gate = ProgramGate(name)
      let program = try sites.site.start(SiteFolder.buildWords, environment: gate.environment)
      try gate.reached()
      let before = sites.site.tree()
      let lock = folder + "/.sitegen-lock"
      try sites.site.folder.remove(lock)
      if isReplaced { try sites.site.folder.write("", to: lock) }
      try gate.open()
      let run = try program.ending()
      #expect(run.status == 75, "\(name): \(run.err)")
      #expect(run.err.contains("\(lock) was removed") && run.err.contains("[lock-lost]"))
      var after = sites.site.tree()
      for path in [".sitegen-lock", ".sitegen-files"] { after.files[path] = before.files[path] }
      #expect(after.differences(from: before) == [], "\(name)")
      #expect(try sites.differencesAfterNextBuild() == [], "\(name)")
    }
  }

  /// F28: if the lock is removed during a build, a second build publishes, and the first one fails.
  @Test func `two builds never publish concurrently, even if a lock is removed`() throws {
    let sites = try TwoSites()
    try sites.reset()
    let gate = ProgramGate("inside-publish")
    let first = try sites.site.start(SiteFolder.buildWords, environment: gate.environment)
    try gate.reached()
    for folder in ["output", ".sitegen"] { try sites.site.folder.remove(folder + "/.sitegen-lock") }
    let files = ["store", "index.sqlite", "index.sqlite-wal"].map { ".sitegen/" + $0 }
    for file in files where sites.site.folder.exists(file) { try sites.site.folder.remove(file) }
    try sites.site.folder.write("", to: ".sitegen/.sitegen-lock")
    #expect(try sites.site.build().status == 0)
    #expect(sites.site.tree().differences(from: sites.new) == [])
    try gate.open()
    #expect(try first.ending().status == 75)
    #expect(sites.site.tree().differences(from: sites.new) == [])
  }

  /// F29: a file changed by another program after its publication is restored.
  @Test(arguments: [true, false])
  func `a file that is changed during a build is restored`(isRemoved: Bool) throws {
    let sites = try TwoSites()
    let path = try #require(
      sites.new.files.keys.first { $0.hasPrefix("assets/") && sites.old.files[$0] == nil })
    try sites.reset()
    let gate = ProgramGate("inside-publish")
    let program = try sites.site.start(SiteFolder.buildWords, environment: gate.environment)
    try gate.reached()
    if isRemoved {
      try sites.site.folder.remove("output/" + path)
    } else {
      // Overwrites the file in place.
      let file = try FileHandle(
        forWritingTo: URL(fileURLWithPath: sites.site.folder.path(of: "output/" + path)))
      try file.write(contentsOf: Data("scribble".utf8))
      try file.close()
    }
    try gate.open()
    let run = try program.ending()
    #expect(run.status == 0, "\(run.err)")
    #expect(sites.site.tree().differences(from: sites.new) == [])
  }
}
