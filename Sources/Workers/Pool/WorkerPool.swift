import Dispatch
package import Files
package import Foundation
import Glibc
package import Recipes
import Synchronization

/// A pool of up to `width` workers, which are replaced after crashes, many jobs or memory growth.
package final class WorkerPool: Sendable {
  private struct State {
    var idle: [Worker] = []
    var working: Set<Int32> = []
    var started = 0
    var fingerprint: WorkerFingerprint?
    var sandbox: Sandbox?
    var expected: String?
    var resources: [String: Data] = [:]
    /// Whether workers draw SVG files, which requires libraries that are loaded at startup.
    var draws = false
    /// A counter that is incremented when running workers must be replaced.
    var epoch = 0
  }

  private let program: String
  private let width: Int
  private let limits: WorkerLimits
  private let requiresSandbox: Bool
  private let budget: MemoryBudget
  private let environment: [String: String]
  private let permits = DispatchSemaphore(value: 0)
  private let state = Locked(State())
  private let isStopped = Atomic(false)
  /// A lock that serializes `stop`, because concurrent calls would wait for each other's permits.
  private let stopping = Locked(())

  package init(
    program: String, width: Int, limits: WorkerLimits = .standard,
    memory: Int = WorkerLimits.memory(),
    requiresSandbox: Bool = false,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    precondition(width > 0, "a pool without workers would wait forever")
    self.program = URL(fileURLWithPath: program).path
    self.width = width
    self.limits = limits
    self.requiresSandbox = requiresSandbox
    budget = MemoryBudget(memory)
    self.environment = environment
    // A semaphore traps if it is freed with fewer permits than its initial value.
    for _ in 0..<width { permits.signal() }
  }

  deinit { stop() }

  package var workersStarted: Int { state.withLock { $0.started } }

  /// The workers' sandbox layers; nil until the first worker has started.
  package var sandbox: Sandbox? { state.withLock { $0.sandbox } }

  package var processIDs: Set<Int32> {
    state.withLock { $0.working.union($0.idle.map(\.processID)) }
  }

  /// Renders a request on a worker; retries once on a new worker after a crash.
  package func render(
    _ request: RenderRequest, isCancelled: @Sendable () -> Bool
  ) throws(WorkerFailure) -> [Result<RenderedImage, Rejection>] {
    func isOver() -> Bool { isStopped.load(ordering: .relaxed) || isCancelled() }
    if request.draws {
      change { state in
        defer { state.draws = true }
        return !state.draws
      }
    }
    // Let a small machine try a large SVG: a worker that exceeds the budget is stopped.
    let need = request.draws ? min(request.memoryNeed, budget.total) : request.memoryNeed
    do throws(WorkerFailure) {
      return try render(request, within: need, isOver)
    } catch .outOfMemory where request.draws && need < budget.total {
      // An SVG may need more memory than estimated: retry alone with the full budget.
      return try render(request, within: budget.total, isOver)
    }
  }

  private func render(
    _ request: RenderRequest, within bytes: Int, _ isOver: () -> Bool
  ) throws(WorkerFailure) -> [Result<RenderedImage, Rejection>] {
    try budget.take(bytes, isOver)
    defer { budget.giveBack(bytes) }
    try takePermit(isOver)
    defer { permits.signal() }
    // The memory of idle workers counts towards the budget.
    if bytes == budget.total { endIdle() }
    do throws(WorkerFailure) {
      return try attempt(request, within: bytes, on: takeIdle(), isOver)
    } catch  where error.isWorthAnotherTry {
      do throws(WorkerFailure) {
        return try attempt(request, within: bytes, on: nil, isOver)
      } catch .crashed(SIGKILL) {
        // Two SIGKILLs in a row probably come from the kernel's OOM killer.
        throw .outOfMemory
      }
    }
  }

  /// Sets the expected fingerprint, which is part of image keys; call before any request.
  package func expect(_ text: String) {
    change { state in
      defer { state.expected = text }
      return (state.expected ?? text) != text
    }
  }

  /// Sets the workers' resources, keyed by digest; call this before the first request.
  ///
  /// Pass true for `draws` if one of the resources is an SVG.
  package func supply(_ items: [String: Data], draws: Bool) {
    change { state in
      defer { (state.resources, state.draws) = (items, draws || state.draws) }
      return state.resources.keys != items.keys || (draws && !state.draws)
    }
  }

  /// Replaces all workers and accepts a new fingerprint, in case ImageMagick has changed.
  package func renew() {
    change { state in
      state.expected = nil
      return true
    }
  }

  private func change(_ change: (inout State) -> Bool) {
    let isOther = state.withLock { state in
      guard change(&state) else { return false }
      state.epoch += 1
      state.fingerprint = nil
      return true
    }
    if isOther { endIdle() }
  }

  private func endIdle() {
    let workers = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    for worker in workers { worker.end() }
  }

  /// Returns the workers' fingerprint, and starts a worker if needed.
  package func fingerprint(
    isCancelled: () -> Bool = { false }
  ) throws(WorkerFailure) -> WorkerFingerprint {
    if let known = state.withLock({ $0.fingerprint }) { return known }
    func isOver() -> Bool { isStopped.load(ordering: .relaxed) || isCancelled() }
    try takePermit(isOver)
    defer { permits.signal() }
    let worker = try obtain(takeIdle(), isOver)
    giveBack(worker)
    return worker.fingerprint
  }

  /// Ends all workers and waits for them; running jobs are cancelled.
  package func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    stopping.withLock { _ in
      for _ in 0..<width { permits.wait() }
      endIdle()
      // Wake jobs that still wait for a permit.
      for _ in 0..<width { permits.signal() }
    }
  }
}

extension WorkerPool {
  private func takePermit(_ isOver: () -> Bool) throws(WorkerFailure) {
    while permits.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if isOver() { throw .cancelled }
    }
    guard isOver() else { return }
    permits.signal()
    throw .cancelled
  }

  private func attempt(
    _ request: RenderRequest, within bytes: Int, on idle: Worker?, _ isCancelled: () -> Bool
  ) throws(WorkerFailure) -> [Result<RenderedImage, Rejection>] {
    let worker = try obtain(idle, isCancelled)
    do throws(WorkerFailure) {
      let outcomes = try worker.render(request, within: bytes, isCancelled: isCancelled)
      giveBack(worker)
      return outcomes
    } catch {
      discard(worker)
      throw error
    }
  }

  private func takeIdle() -> Worker? {
    state.withLock { state in
      guard let worker = state.idle.popLast() else { return nil }
      state.working.insert(worker.processID)
      return worker
    }
  }

  private func obtain(_ idle: Worker?, _ isCancelled: () -> Bool) throws(WorkerFailure) -> Worker {
    let worker = if let idle { idle } else { try start(isCancelled) }
    // An idle worker may have started before the fingerprint was set.
    let expected = state.withLock { $0.expected } ?? worker.fingerprint.text
    guard worker.fingerprint.agrees(with: expected) else {
      discard(worker)
      throw .cannotStart("the renderer has changed since the build started")
    }
    return worker
  }

  /// Starts a worker; retries once if it dies before its hello message.
  private func start(_ isCancelled: () -> Bool) throws(WorkerFailure) -> Worker {
    let worker: Worker
    do throws(WorkerFailure) {
      worker = try startOnce(isCancelled)
    } catch  where error.isWorthAnotherTry {
      do throws(WorkerFailure) {
        worker = try startOnce(isCancelled)
      } catch  where error.isWorthAnotherTry {
        throw .cannotStart("the worker \(error.ending)")
      }
    }
    let known = state.withLock { state in
      state.working.insert(worker.processID)
      if state.fingerprint == nil { state.fingerprint = worker.fingerprint }
      return state.fingerprint
    }
    guard let known, worker.fingerprint.agrees(with: known.text) else {
      discard(worker)
      throw .cannotStart("ImageMagick or a codec was replaced during the build")
    }
    return worker
  }

  private func startOnce(_ isCancelled: () -> Bool) throws(WorkerFailure) -> Worker {
    let (resources, draws, epoch) = state.withLock { state in
      state.started += 1
      // If no fingerprint is expected, the first worker's fingerprint must include all libraries.
      return (state.resources, state.draws || state.expected == nil, state.epoch)
    }
    do throws(WorkerFailure) {
      let worker = try Worker(
        program: program, environment: environment, limits: limits, draws: draws,
        resources: resources, isCancelled: isCancelled)
      worker.epoch = epoch
      state.withLock { $0.sandbox = worker.sandbox }
      if requiresSandbox, worker.sandbox != .whole {
        worker.end()
        throw .notSandboxed(worker.sandbox)
      }
      return worker
    } catch .hung {
      throw .cannotStart("the worker was not ready after \(limits.startSeconds) seconds")
    } catch .outOfMemory {
      throw .cannotStart("the worker did not get enough memory to start")
    }
  }

  private func giveBack(_ worker: Worker) {
    let isWanted = !worker.isSpent
    let isBack = state.withLock { state in
      state.working.remove(worker.processID)
      guard isWanted, worker.epoch == state.epoch else { return false }
      state.idle.append(worker)
      return true
    }
    if !isBack { worker.end() }
  }

  private func discard(_ worker: Worker) {
    _ = state.withLock { $0.working.remove(worker.processID) }
    worker.end()
  }
}
