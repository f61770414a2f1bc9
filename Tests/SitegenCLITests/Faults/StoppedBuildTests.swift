import Glibc
import TestSupport

struct StoppedBuildTests {
  /// The gates at which builds are stopped: three in a worker, and one in the build itself.
  static let gates = ["before-decode", "after-decode", "after-encode", "inside-publish"]

  /// I19: after a signal at any gate, the exit status is 128 + n and the site is complete.
  ///
  /// F26: the signals are those that request termination.
  @Test(
    arguments: [
      (SIGHUP, 129, [gates[0]]), (SIGINT, 130, gates), (SIGQUIT, 131, [gates[2]]),
      (SIGTERM, 143, [gates[3]]),
    ] as [(Int32, Int32, [String])])
  func `a stopped build leaves no partial files`(
    signal: Int32, status: Int32, gates: [String]
  ) throws {
    let sites = try TwoSites()
    for name in Extent.isAll ? Self.gates : gates {
      try sites.reset()
      let gate = ProgramGate(name)
      let program = try sites.site.start(SiteFolder.buildWords, environment: gate.environment)
      let stopped = try gate.reached()
      program.send(signal)
      let run = try program.ending()
      #expect(run.status == status, "\(name): \(run.err)")
      #expect(eventually { !isAlive(stopped) }, "\(name): a worker outlives its build")
      #expect(sites.flaws == [], "\(name)")
      #expect(sites.site.tree().unfinished == [], "\(name)")
      let differences = try sites.differencesAfterNextBuild()
      #expect(differences == [], "\(name)")
    }
  }

  /// Returns a wrapper that starts a program with default signals, because threads of the test
  /// process block some signals, and background jobs of a script ignore SIGINT.
  private static func withSignals(_ more: String = "") -> [String] {
    let script = """
      import os, signal, sys
      signal.pthread_sigmask(signal.SIG_SETMASK, [])
      signal.signal(signal.SIGINT, signal.SIG_DFL)
      \(more)
      os.execv(sys.argv[1], sys.argv[1:])
      """
    return ["/usr/bin/env", "python3", "-c", script]
  }

  /// F26: a command that cannot stop gracefully exits immediately, without a crash report.
  @Test(arguments: [SIGHUP, SIGINT, SIGQUIT, SIGTERM])
  func `a signal interrupts the clean command`(signal: Int32) throws {
    let sites = try TwoSites()
    try sites.reset()
    let gate = ProgramGate("inside-clean")
    let program = try sites.site.start(
      ["clean", "--quiet"], environment: gate.environment, through: Self.withSignals())
    try gate.reached()
    program.send(signal)
    let run = try program.ending()
    #expect(run.signal == signal && run.err.isEmpty, "\(run.err)")
    #expect(try sites.differencesAfterNextBuild() == [])
  }

  /// F26: `nohup` works, and a build that is stopped and continued loses nothing.
  ///
  /// F37: a paused build loses nothing.
  @Test func `a build survives ignored signals, and continues after a pause`() throws {
    let sites = try TwoSites()
    try sites.reset()
    let gate = ProgramGate("before-decode")
    let program = try sites.site.start(
      SiteFolder.buildWords, environment: gate.environment,
      through: Self.withSignals("signal.signal(signal.SIGHUP, signal.SIG_IGN)"))
    try gate.reached()
    program.send(SIGHUP)
    program.send(SIGSTOP)
    #expect(
      eventually {
        (try? String(contentsOfFile: "/proc/\(program.processID)/stat", encoding: .utf8))?
          .contains(") T ") == true
      })
    try gate.open()
    usleep(300_000)
    program.send(SIGCONT)
    let run = try program.ending()
    #expect(run.status == 0, "\(run.err)")
    #expect(sites.site.tree().differences(from: sites.new) == [])
  }

  /// F26: a second signal ends the build immediately.
  @Test func `a second signal stops a build that does not finish`() throws {
    let site = SiteFolder()
    try site.write(picture: TestPicture.png(width: 2, height: 2) { _, _ in .red }, to: "a.png")
    try site.write(users: [("a", ["a.png"])])
    let gate = ProgramGate("before-decode")
    // The full pipe blocks the program's output forever.
    let mouth = try FullPipe()
    let program = try site.start(
      ["build", "--manifest", "content/manifest.json"], environment: gate.environment,
      into: mouth.writing)
    let worker = try gate.reached()
    program.send(SIGINT)
    #expect(eventually { !isAlive(worker) })
    program.send(SIGINT)
    let run = try program.ending()
    #expect(run.status == 130)
  }
}

/// A pipe without free space.
private struct FullPipe {
  private let pipe = Pipe()

  var writing: FileHandle { pipe.fileHandleForWriting }

  init() throws {
    let number = writing.fileDescriptor
    let flags = fcntl(number, F_GETFL)
    guard fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0 else { throw POSIXError(.EBADF) }
    let bytes = [UInt8](repeating: 0, count: 4096)
    while unsafe write(number, bytes, bytes.count) > 0 {}
    // The free space is smaller than a page, and is filled byte by byte.
    while unsafe write(number, bytes, 1) > 0 {}
    guard fcntl(number, F_SETFL, flags) == 0 else { throw POSIXError(.EBADF) }
  }
}
