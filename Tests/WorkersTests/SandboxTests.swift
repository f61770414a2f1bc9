import Files
import Glibc
import Recipes
import TestSupport
import Workers

/// A compromised worker can use only its two pipes.
@Suite(.needs(LesserKernel.need))
struct SandboxTests {
  let bench: Bench

  init() { bench = Bench() }

  private func program(_ program: String, without calls: [String]) throws -> String {
    try bench.write(
      LesserKernel.script(program, without: calls),
      to: "program-\(calls.count)-\(calls.last ?? "")", executable: true)
  }

  private func pool(
    _ built: String = BuiltProduct.worker, without calls: [String],
    environment: [String: String] = [:], requiresSandbox: Bool = false
  ) throws -> WorkerPool {
    WorkerPool(
      program: calls.isEmpty ? built : try program(built, without: calls), width: 1,
      requiresSandbox: requiresSandbox, environment: environment)
  }

  /// Returns the result of each attempt: 0 or the error number.
  private func attempts(without calls: [String]) throws -> [String: Int32] {
    let sibling = bench.pool()
    _ = try sibling.fingerprint()
    let number = try #require(sibling.processIDs.first)
    let pool = try pool(
      BuiltProduct.takenOver, without: calls,
      environment: ["SITEGEN_TEST_SIBLING": "\(number)"])
    guard case .failure(.exited(8, let words)) = pool.result(of: Samples.raster()) else {
      Issue.record("the worker did not report its attempts")
      return [:]
    }
    let pairs = words.split(separator: " ").compactMap { word -> (String, Int32)? in
      let parts = word.split(separator: "=")
      return Int32(parts[1]).map { (String(parts[0]), $0) }
    }
    let page = try Checkout.text(of: "docs/explanation/security.md")
    #expect(page.contains("each layer alone: \(pairs.count) attempts"))
    return Dictionary(pairs) { first, _ in first }
  }

  /// I10, N17: a worker can do only its work, with and without Landlock.
  @Test(arguments: [[], ["landlock_create_ruleset"], ["close_range"], ["close_range:retval=0"]])
  func `a compromised worker gains no access`(missing: [String]) throws {
    var attempts = try attempts(without: missing)
    #expect(attempts.removeValue(forKey: "process-by-clone3") == ENOSYS)
    #expect(attempts.removeValue(forKey: "open-descriptors") == 2)
    for (name, outcome) in attempts { #expect(outcome == EPERM, "\(name)") }
    #expect(!FileManager.default.fileExists(atPath: "/tmp/sitegen-takeover"))
  }

  @Test func `all descriptors but the listed ones are closed`() async {
    await #expect(processExitsWith: .success) {
      let null = unsafe open("/dev/null", O_RDONLY)
      let (other, kept) = (fcntl(null, F_DUPFD, 20), fcntl(null, F_DUPFD, 30))
      _ = Sandbox.closeDescriptors(except: [kept])
      precondition(fcntl(kept, F_GETFD) == 0 && fcntl(other, F_GETFD) == -1)
      _exit(0)
    }
  }

  @Test func `security.md lists the worker's limits`() throws {
    let page = try Checkout.text(of: "docs/explanation/security.md").split(separator: "\n")
      .joined(separator: " ")
    let limits = WorkerLimits()
    for words in [
      "half of the available memory, but at most \(WorkerLimits.memoryLimit >> 30) GiB",
      "limited to \(limits.addressSpace >> 30) GiB of address space",
      "to \(limits.processorSeconds) s of CPU time", "replaced after \(limits.jobs) jobs",
    ] {
      #expect(page.contains(words), "\(words)")
    }
  }

  /// I10: every thread in a worker drops its capabilities.
  @Test func `a worker drops all capabilities`() throws {
    try expectNoCapability(BuiltProduct.worker, isRoot: geteuid() == 0)
  }

  /// I10: the worker of an unprivileged user also drops its capabilities.
  @Test(.needs(OtherUser.need)) func `an unprivileged worker also drops all capabilities`() throws {
    let script = OtherUser.script(BuiltProduct.worker)
    try expectNoCapability(bench.write(script, to: "program", executable: true), isRoot: false)
  }

  private func expectNoCapability(_ program: String, isRoot: Bool) throws {
    let pool = WorkerPool(program: program, width: 1, requiresSandbox: true, environment: [:])
    _ = try pool.result(of: Samples.raster()).get()
    let sets = try capabilities(of: #require(pool.processIDs.first))
    // Only root can empty the bounding set, and it grants nothing with `no_new_privs`.
    #expect(sets.subtracting(isRoot ? [] : ["CapBnd"]) == [])
  }

  @Test func `a worker without seccomp cannot open files or start programs`() throws {
    let attempts = try attempts(without: ["seccomp"])
    for name in [
      "read-passwd", "list-processes", "read-environment-of-parent", "write-memory-of-parent",
      "read-memory-of-sibling", "make-file", "make-folder", "start-program", "trace-parent",
      "signal-to-parent", "signal-to-sibling", "link-file",
    ] {
      #expect(attempts[name] != 0, "\(name)")
    }
    #expect(attempts["process-by-clone"] == 0)
  }

  @Test func `missing sandbox layers are reported and can be made mandatory`() throws {
    for (missing, sandbox) in LesserKernel.cases + [([], .whole)] {
      let pool = try pool(without: missing)
      _ = try pool.fingerprint()
      #expect(pool.sandbox == sandbox)
      let strict = try self.pool(without: missing, requiresSandbox: true)
      let outcome = Result { () throws(WorkerFailure) in _ = try strict.fingerprint() }
      if sandbox == .whole {
        #expect(throws: Never.self) { try outcome.get() }
      } else {
        #expect(throws: WorkerFailure.notSandboxed(sandbox)) { try outcome.get() }
      }
    }
  }

  @Test func `decoding produces the same bytes with and without a sandbox`() throws {
    let sandboxed = bench.pool()
    let free = try pool(without: ["seccomp", "landlock_create_ruleset"])
    for (format, file) in Inspection.Format.samples {
      let source = RenderSource.encoded(try Inspection(inspecting: file), reduction: 1)
      let request = RenderRequest(
        source: source, payload: file,
        recipes: [OutputFormat.png, .webp].map { Samples.recipe(side: 64, $0) })
      let outcomes = try sandboxed.render(request) { false }
      #expect(try free.render(request) { false } == outcomes, "\(format)")
      for outcome in outcomes {
        guard case .success = outcome else {
          Issue.record("\(format) is not decoded: \(outcome)")
          continue
        }
      }
    }
  }
}
