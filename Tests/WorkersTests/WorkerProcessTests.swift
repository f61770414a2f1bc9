import Glibc
import TestSupport
import Workers

struct WorkerProcessTests {
  let bench: Bench
  let pool: WorkerPool
  let process: pid_t

  init() throws {
    bench = Bench()
    try FileManager.default.createDirectory(
      atPath: "\(bench.folder)/tmp", withIntermediateDirectories: false)
    pool = bench.pool(
      environment: [
        "SITEGEN_TEST_NOTE": "seen", "TMPDIR": "\(bench.folder)/tmp", "PATH": "/bin",
        "LD_PRELOAD": "", "MAGICK_HOME": "/tmp",
        "HOME": "/root",
      ])
    _ = try pool.render(Samples.raster()) { false }
    process = try #require(pool.processIDs.first)
  }

  private func kernelFile(_ name: String) throws -> String {
    try String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)
  }

  @Test func `a worker's environment contains only TMPDIR and test variables`() throws {
    let variables = Set(
      try kernelFile("environ").split(separator: "\0").map { $0.prefix { $0 != "=" } })
    #expect(variables == ["SITEGEN_TEST_NOTE", "SWIFT_BACKTRACE", "TMPDIR"])
  }

  @Test func `a worker has only its standard streams and two pipes open`() throws {
    let held = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
    let targets = try held.map {
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
    }
    #expect(targets.filter { $0.hasPrefix("pipe:") }.count == 4)
    #expect(targets.filter { $0 == "/dev/null" }.count == 1)
    #expect(targets.count == 5)
  }

  /// Only workers with the role `network` load libcurl.
  @Test func `a worker does not load a network library`() throws {
    let files = try pool.fingerprint().files
    #expect(files.contains { $0.contains("libMagickWand") })
    #expect(!files.contains { $0.contains("libcurl") })
  }

  @Test func `a worker unblocks all signals and leads its process group`() throws {
    let lines = try kernelFile("status").split(separator: "\n")
    #expect(lines.contains("SigBlk:\t0000000000000000"))
    #expect(getpgid(process) == process)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd") == "/")
  }

  @Test func `a worker sets its resource limits`() throws {
    let limits = try kernelFile("limits").split(separator: "\n")
    func soft(_ name: String) -> Int? {
      limits.first { $0.hasPrefix(name) }?.dropFirst(name.count)
        .split(separator: " ").first.flatMap { Int($0) }
    }
    #expect(soft("Max core file size") == 0)
    #expect(soft("Max file size") == 0)
    #expect(soft("Max open files") == 16)
    #expect(soft("Max address space") == WorkerLimits.standard.addressSpace)
    let processor = try #require(soft("Max cpu time"))
    #expect(processor > 0 && processor <= WorkerLimits.standard.processorSeconds + 60)
  }

  @Test func `a worker removes its temporary files at startup`() throws {
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(bench.folder)/tmp").isEmpty)
  }

  @Test func `a worker exits if its build is killed`() async throws {
    let note = "\(bench.folder)/process"
    await #expect(processExitsWith: .success) { [note = note as String] in
      let pool = WorkerPool(program: BuiltProduct.worker, width: 1)
      _ = try pool.render(Samples.raster()) { false }
      try #require(pool.processIDs.first).description
        .write(toFile: note, atomically: true, encoding: .utf8)
      // `_exit` skips every cleanup.
      _exit(0)
    }
    let orphan = try #require(pid_t(String(contentsOfFile: note, encoding: .utf8)))
    #expect(eventually { !exists(orphan) }, "the end of the worker")
  }
}
