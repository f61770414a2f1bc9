import Dispatch
import Files
import Foundation

/// Fetches over HTTP: one thread, on which libcurl does everything at once.
///
/// The thread starts with the first request. It ends by `close`, or when nobody holds the engine
/// or its fetcher any more.
package final class FetchEngine: Sendable {
  private let thread: EngineThread
  /// Fetches with this engine, each thing once at a time; works until the engine is closed.
  package let fetcher: Fetcher

  /// `canStart` is for tests: libcurl refuses to start a URL for which it is false.
  package init(
    _ settings: FetchSettings, canStart: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    let thread = EngineThread(settings, canStart: canStart)
    self.thread = thread
    fetcher = .joining(
      Fetcher { request, tell in
        let id = thread.begin(request, tell)
        return FetchTicket { thread.cancel(id) }
      })
  }

  /// Ends everything at once: every open request is told that it was cancelled.
  package func close() {
    thread.close()
  }
}

/// The thread of an engine, as other threads see it.
private final class EngineThread: Sendable {
  private let settings: FetchSettings
  private let canStart: @Sendable (String) -> Bool
  private let commands = CommandQueue()
  private let running = DispatchGroup()
  private let own = Guarded<Thread?>(nil)

  init(_ settings: FetchSettings, canStart: @escaping @Sendable (String) -> Bool) {
    self.settings = settings
    self.canStart = canStart
  }

  deinit { close() }

  /// Takes a request, and returns the number by which it can be cancelled.
  func begin(_ request: FetchRequest, _ tell: @escaping @Sendable (FetchAnswer) -> Void) -> Int {
    let id = commands.nextNumber()
    // `close` waits for the thread from here on, even before the thread has started.
    switch commands.post(.begin(id, request, tell), first: { running.enter() }) {
    case .taken: break
    case .first: start()
    case .closed: tell(FetchAnswer(.failed(EngineLoop.closed)))
    }
    return id
  }

  func cancel(_ id: Int) {
    _ = commands.post(.cancel(id))
  }

  /// Ends the thread and waits for its end, unless the thread itself calls this.
  func close() {
    commands.close()
    if own.withLock({ $0 }) !== Thread.current { running.wait() }
  }

  private func start() {
    let thread = Thread { [settings, canStart, commands, running] in
      let multi = CurlMulti(settings, canStart: canStart)
      if commands.start(multi) { EngineLoop(settings, commands, multi).run() }
      for case .begin(_, _, let tell) in commands.end() {
        tell(FetchAnswer(.failed(EngineLoop.closed)))
      }
      running.leave()
    }
    thread.name = "sitegen.fetch"
    own.withLock { $0 = thread }
    thread.start()
  }
}
