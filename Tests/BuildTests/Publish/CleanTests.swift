import SiteSupport

struct CleanTests {
  private func built() throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.write([Person("a", "red.png")])
    try site.build()
    return site
  }

  @Test func `clean removes all published files`() throws {
    let site = try built()
    try site.clean()
    let left = site.folder.list().filter { $0.hasPrefix("output/") || $0.hasPrefix("cache/") }
    #expect(left == ["cache/.sitegen-lock", "output/.sitegen-lock"])
    try site.clean()
    #expect(try site.build().report.counters.renders == 1)
  }

  @Test func `clean counts the files that it removes`() throws {
    let site = try built()
    let count = site.outputFiles().count - 1
    #expect(try Clean(site.options()).run().removed == count)
    #expect(try Clean(site.options()).run().removed == 0)
  }

  /// C15: `clean` frees all paths and its locks before it deletes 10,000 files.
  @Test(.timeLimit(.minutes(15)))
  func `another run can start while clean is still deleting`() throws {
    let site = try built()
    let before = try site.snapshot()
    for number in 0..<10_000 {
      try site.folder.write("x", to: "cache/store/more/\(number % 100)/\(number)")
    }
    let cleaning = try Held(site, "clean", at: "before-deleting")
    #expect(!site.folder.exists("output/assets") && !site.folder.exists("output/index.html"))
    #expect(!site.folder.exists("cache/store"))
    // All files still exist under other names.
    #expect(site.folder.list().filter { $0.contains("/more/") }.count == 10_100)
    // The lock is free, too. This build deletes the leftovers and keeps its own files.
    try site.build()
    #expect(try site.snapshot() == before)
    try cleaning.letGo()
    #expect(temporaries(site) == [])
    #expect(try site.snapshot() == before)
  }

  /// C15: if a build is killed while deleting, the next one deletes the rest.
  @Test(.timeLimit(.minutes(15)))
  func `the next build finishes an interrupted clean in the background`() throws {
    let site = try built()
    let before = try site.snapshot()
    let cleaning = try Held(site, "clean", at: "before-deleting")
    #expect(!site.folder.exists("output/assets"))
    try cleaning.kill()
    let left = temporaries(site)
    #expect(left.contains { $0.hasSuffix(".png") })

    // The pages are published while the deletion is held.
    let building = try Held(site, "build", at: "before-deleting")
    #expect(
      eventually {
        (try? site.snapshot().filter { !$0.key.contains(".sitegen-tmp-") }) == before
      })
    #expect(Set(left).isSubset(of: temporaries(site)))
    // The build exits only after the deletion.
    #expect(building.program.isRunning)
    try building.letGo()
    #expect(temporaries(site) == [])
    #expect(try site.snapshot() == before)
  }

  /// C15: a build that is still deleting, but has released its locks, does not hold the index.
  @Test(.timeLimit(.minutes(15)))
  func `a build can start while another build is still deleting`() throws {
    let site = try built()
    let before = try site.snapshot()
    let cleaning = try Held(site, "clean", at: "before-deleting")
    try cleaning.kill()

    let building = try Held(site, "build", at: "before-deleting")
    var result: BuildResult?
    while result == nil {
      do throws(BuildFailure) {
        result = try Build(site.options()).run()
      } catch .locked {
        usleep(5_000)
      }
    }
    #expect(building.program.isRunning)
    #expect(result?.exitStatus == 0)
    try building.letGo()
    #expect(try site.snapshot() == before)
  }

  private func temporaries(_ site: TestSite) -> [String] {
    site.folder.list().filter { $0.contains(".sitegen-tmp-") }
  }

  /// C15: the path is free before anything is deleted; the run after a kill deletes the rest.
  @Test func `clean first moves files aside, and the next build finishes deleting them`() throws {
    let site = try built()
    let cleaning = try Held(site, "clean", at: "inside-clean")
    #expect(!site.folder.exists("output/assets"))
    let retired = site.folder.list().filter { $0.hasPrefix("output/.sitegen-tmp-") }
    #expect(retired.contains { $0.hasSuffix(".png") })
    try cleaning.kill()

    try site.build()
    #expect(site.folder.list().allSatisfy { !$0.contains(".sitegen-tmp-") })
    #expect(site.assetFiles().count == 1)
  }
}

/// A running sitegen process that is held at a gate.
private struct Held {
  let program: RunningProgram
  private let gate: ProgramGate

  init(_ site: TestSite, _ command: String, at name: String) throws {
    gate = ProgramGate(name)
    program = try site.start(command, environment: gate.environment)
    try gate.reached()
  }

  func kill() throws {
    program.send(SIGKILL)
    _ = try program.ending()
  }

  /// Opens the gate, and waits for the program to exit.
  func letGo() throws {
    try gate.open()
    #expect(try program.ending().status == 0)
  }
}
