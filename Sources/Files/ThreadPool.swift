import CLinux
import Dispatch
import Glibc

/// Runs jobs that wait on a few threads of its own, until it is closed or released.
///
/// Dispatch has as many threads as there are processors: if all of them wait, it adds one a second.
package final class ThreadPool: Sendable {
  package typealias Job = @Sendable () -> Void

  private let threads: Int
  private let worker: Worker

  /// Starts that many threads, or fewer if the system grants fewer.
  ///
  /// - Throws: If it grants none.
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

  /// What the threads share.
  private final class Worker: Sendable {
    struct State {
      /// Not a slice: that would keep finished jobs, and so perhaps the owner of the pool.
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

/// A thread that waits for something, beside those of Dispatch.
///
/// Foundation's `Thread` silently never runs if the system grants no more threads, and those that
/// wait for it would hang.
package enum OwnThread {
  /// Starts a thread; a debugger shows the name.
  ///
  /// A shortage is often over soon, so it is retried for two seconds.
  package static func start(
    _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws(FileError) {
    let work = unsafe Unmanaged.passRetained(Work(name, body))
    for attempt in 1... {
      var thread = pthread_t()
      let code = unsafe pthread_create(
        &thread, nil,
        { work in
          if let work = unsafe work {
            unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run()
          }
          return nil
        }, unsafe work.toOpaque())
      if code == 0 {
        pthread_detach(thread)
        return
      }
      if code != EAGAIN || attempt == 20 {
        unsafe work.release()
        throw FileError("start", path: "a thread", code: code)
      }
      _ = poll(nil, 0, 100)
    }
  }

  private final class Work {
    private let name: String
    private let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      (self.name, self.body) = (name, body)
    }

    func run() {
      unsafe linux_name_thread(name)
      body()
    }
  }
}
