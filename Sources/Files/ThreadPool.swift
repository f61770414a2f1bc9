import Foundation

/// Runs jobs that wait on a few threads of its own, until it is closed.
///
/// Dispatch has as many threads as there are processors: when all of them wait, it adds one a second.
package final class ThreadPool: Sendable {
  package typealias Job = @Sendable () -> Void

  private let threads: Int
  private let state = Guarded(State())
  /// One for each job, and in the end one for each thread.
  private let signals = DispatchSemaphore(value: 0)

  private struct State {
    /// No slice: that would hold jobs that are done, and so perhaps who owns this.
    var waiting: [Job] = []
    var isClosed = false
  }

  package init(name: String, threads: Int) {
    self.threads = threads
    for _ in 0..<threads {
      let thread = Thread { self.work() }
      thread.name = name
      thread.start()
    }
  }

  /// Jobs start in the order in which they are added; after `close` they do not run.
  package func add(_ job: @escaping Job) {
    state.withLock { if !$0.isClosed { $0.waiting.append(job) } }
    signals.signal()
  }

  /// Forgets jobs that wait, and does not wait for those that run.
  package func close() {
    state.withLock { $0 = State(isClosed: true) }
    for _ in 0..<threads { signals.signal() }
  }

  private func work() {
    while true {
      signals.wait()
      // There is none only after the end.
      guard let job = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() })
      else { return }
      job()
    }
  }
}
