import Glibc
import TestSupport

/// Folders and locks that somebody removes while a build works with them.
struct SweptFolderTests {
  /// What must work after whatever happened.
  private static let others = [
    ["prune", "--quiet"], SiteFolder.buildWords, ["clean", "--quiet"], SiteFolder.buildWords,
  ]

  /// Where builds are stopped: of two ways to disturb them, CI tries the other at the last gates only.
  private static func gates(_ isFirst: Bool) -> ArraySlice<String> {
    StoppedBuildTests.gates.suffix(isFirst || Extent.isAll ? 4 : 2)
  }

  /// Removes a folder, or only what is in it.
  private static func sweep(_ folder: String, wholly: Bool) throws {
    let manager = FileManager.default
    if wholly { return try manager.removeItem(atPath: folder) }
    for name in try manager.contentsOfDirectory(atPath: folder) {
      try manager.removeItem(atPath: folder + "/" + name)
    }
  }

  /// F29: a cache that is removed at any moment costs that build at most, and locks nobody out.
  @Test(arguments: [true, false])
  func `a cache that is removed during a build locks nobody out`(wholly: Bool) throws {
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

  /// F29: also at moments that nobody has chosen.
  @Test func `a cache that is removed again and again locks nobody out`() throws {
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

  /// F28: a build publishes nothing without its locks: another one may be at work.
  @Test(arguments: zip(["output", ".sitegen"], [true, false]))
  func `a build that has lost a lock publishes nothing`(folder: String, isReplaced: Bool) throws {
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

  /// F28: two builds in one output, since its lock was removed: the one that has the lock wins.
  @Test func `a removed lock lets no two builds publish`() throws {
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

  /// F29: what another program does to a file that was just placed is put right before the end.
  @Test(arguments: [true, false])
  func `a file that is scribbled on during a build is put right`(isRemoved: Bool) throws {
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
      // Not by another file of that name.
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
