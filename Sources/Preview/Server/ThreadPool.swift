import Files
import Foundation

/// Runs slow jobs on a few threads of its own, until it is closed.
///
/// The shared threads of Dispatch would let a slow job hold up unrelated work, and be held up by it.
final class ThreadPool: Sendable {
  typealias Job = @Sendable () -> Void

  private let threads: Int
  private let state = Guarded(State())
  /// One for each job, and in the end one for each thread.
  private let signals = DispatchSemaphore(value: 0)

  private struct State {
    var waiting: [Job] = []
    var isClosed = false
  }

  init(threads: Int) {
    self.threads = threads
    for _ in 0..<threads {
      let thread = Thread { self.work() }
      thread.name = "preview"
      thread.start()
    }
  }

  /// Jobs start in the order in which they are added; after `close` they do not run.
  func add(_ job: @escaping Job) {
    state.withLock { if !$0.isClosed { $0.waiting.append(job) } }
    signals.signal()
  }

  /// Forgets jobs that wait, and does not wait for those that run.
  func close() {
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
