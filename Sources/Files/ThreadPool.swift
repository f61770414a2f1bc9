import Dispatch

/// Runs jobs that wait on a few threads of its own, until it is closed or nobody holds it.
///
/// Dispatch has as many threads as there are processors: when all of them wait, it adds one a second.
package final class ThreadPool: Sendable {
  package typealias Job = @Sendable () -> Void

  /// How many there are.
  private let threads: Int
  private let worker: Worker

  /// So many threads, or fewer where the system grants fewer.
  ///
  /// - Throws: When it grants none.
  package init(name: String, threads: Int) throws(FileError) {
    let worker = Worker()
    self.worker = worker
    var started = 0
    do throws(FileError) {
      while started < threads {
        try OwnThread.start(name) { worker.work() }
        started += 1
      }
    } catch {
      if started == 0 { throw error }
    }
    self.threads = started
  }

  deinit { close() }

  /// Jobs start in the order in which they are added; after `close` they do not run.
  package func add(_ job: @escaping Job) {
    worker.state.withLock { if !$0.isClosed { $0.waiting.append(job) } }
    worker.signals.signal()
  }

  /// Forgets jobs that wait, and does not wait for those that run.
  package func close() {
    worker.state.withLock { $0 = Worker.State(isClosed: true) }
    for _ in 0..<threads { worker.signals.signal() }
  }

  /// What the threads have in common.
  private final class Worker: Sendable {
    struct State {
      /// No slice: that would hold jobs that are done, and so perhaps who owns the pool.
      var waiting: [Job] = []
      var isClosed = false
    }

    let state = Guarded(State())
    /// One for each job, and in the end one for each thread.
    let signals = DispatchSemaphore(value: 0)

    func work() {
      while true {
        signals.wait()
        // There is none only after the end.
        guard let job = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() })
        else { return }
        job()
      }
    }
  }
}
