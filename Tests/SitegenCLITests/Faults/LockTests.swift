import Glibc
import TestSupport

struct LockTests {
  private func site() throws -> SiteFolder {
    let site = SiteFolder()
    try site.write(picture: TestPicture.png(width: 2, height: 2) { _, _ in .red }, to: "a.png")
    try site.write(users: [("a", ["a.png"])])
    return site
  }

  /// F28: sharing either the output or the cache is a conflict.
  @Test func `a concurrent build exits with 75 immediately and names the first build`() throws {
    let site = try site()
    let gate = ProgramGate("before-decode")
    let first = try site.start(SiteFolder.buildWords, environment: gate.environment)
    try gate.reached()
    for words in [[], ["--cache", "elsewhere"], ["--output", "elsewhere"]] {
      let second = try site.run(SiteFolder.buildWords + words)
      #expect(second.status == 75)
      #expect(second.err.contains("pid \(first.processID) has locked the"))
      #expect(second.err.contains("[locked]"))
    }
    #expect(try site.run(["clean"]).status == 75)
    #expect(try site.build("--dry-run").status == 0)
    // If `--wait` is long enough, the build gets the lock.
    #expect(try site.run(SiteFolder.buildWords + ["--wait", "1"]).status == 75)
    let waiting = try site.start(SiteFolder.buildWords + ["--wait", "60"])
    try gate.open()
    #expect(try first.ending().status == 0)
    #expect(try waiting.ending().status == 0)
    #expect(try site.build().status == 0)
  }

  /// F28: a lock ends with its process.
  @Test func `a killed build releases its lock`() throws {
    let site = try site()
    let gate = ProgramGate("before-decode")
    let first = try site.start(SiteFolder.buildWords, environment: gate.environment)
    let worker = try gate.reached()
    first.send(SIGKILL)
    #expect(try first.ending().signal == SIGKILL)
    // The killed build's worker still runs, and must not hold the lock, either.
    #expect(isAlive(worker))
    #expect(try site.build().status == 0)
    try gate.open()
    #expect(eventually { !isAlive(worker) })
  }
}
