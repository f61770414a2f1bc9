import Dispatch
import Files
import Glibc
import Recipes
import TestSupport
import Workers

final class Bench: Sendable {
  private let temporary: TemporaryFolder

  var folder: String { temporary.path }

  init() { temporary = TemporaryFolder() }

  func write(_ text: String, to name: String, executable: Bool = false) throws -> String {
    if executable { return try temporary.program(text, at: name) }
    try temporary.write(text, to: name)
    return temporary.path(of: name)
  }

  static func limits(_ change: (inout WorkerLimits) -> Void) -> WorkerLimits {
    var limits = WorkerLimits()
    change(&limits)
    return limits
  }

  func pool(
    width: Int = 1, limits: WorkerLimits = .standard, memory: Int = 4 << 30,
    environment: [String: String] = [:]
  ) -> WorkerPool {
    WorkerPool(
      program: BuiltProduct.worker, width: width, limits: limits, memory: memory,
      environment: environment)
  }

  /// Returns a pool in which the first `times` workers fail on their first job.
  func pool(fault: String, times: Int, limits: WorkerLimits = .standard) throws -> WorkerPool {
    try temporary.makeFolder("tokens")
    for index in 0..<times { _ = try write("", to: "tokens/\(index)") }
    return pool(
      limits: limits,
      environment: ["SITEGEN_TEST_FAULT": fault, "SITEGEN_TEST_FAULT_FOLDER": "\(folder)/tokens"])
  }

  func pool(
    gate: String, width: Int = 1, limits: WorkerLimits = .standard, memory: Int = 4 << 30
  ) -> WorkerPool {
    pool(
      width: width, limits: limits, memory: memory,
      environment: ["SITEGEN_TEST_GATE": gate, "SITEGEN_TEST_GATE_FOLDER": folder])
  }

  /// Waits for a process at the gate, other than the known ones.
  func processAtGate(_ gate: String, after known: Set<pid_t> = []) throws -> pid_t {
    let mark = "reached-\(gate)-"
    var found: pid_t?
    _ = eventually {
      let processes = temporary.list().filter { $0.hasPrefix(mark) }
        .compactMap { pid_t($0.dropFirst(mark.count)) }
      found = processes.first { !known.contains($0) }
      return found != nil
    }
    return try #require(found, "no process at \(gate)")
  }

  func openGate() throws { _ = try write("", to: "open") }
}

/// Blocking work that starts immediately on a separate thread, because tests that wait for a gate
/// would block the tasks' thread pool.
final class Background<Value: Sendable>: Sendable {
  private let outcome = Locked<Value?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () -> Value) {
    Thread.detachNewThread { [self] in
      let value = work()
      outcome.withLock { $0 = value }
      isDone.signal()
    }
  }

  /// Waits for the result, and may be called only once.
  func value() throws -> Value {
    isDone.wait()
    let value = outcome.withLock { $0 }
    return try #require(value)
  }
}

extension WorkerPool {
  /// Renders a request and returns a `Result`.
  func result(
    of request: RenderRequest, isCancelled: @Sendable () -> Bool = { false }
  ) -> Result<[Result<RenderedImage, Rejection>], WorkerFailure> {
    Result { () throws(WorkerFailure) in try render(request, isCancelled: isCancelled) }
  }
}

/// Returns whether a process exists, even as a zombie.
func exists(_ process: pid_t) -> Bool { kill(process, 0) == 0 }
