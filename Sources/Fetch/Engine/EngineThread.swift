import Dispatch
import Files
import Foundation

/// The thread of an engine, seen from other threads.
final class EngineThread: Sendable {
  private let settings: FetchSettings
  private let inbox = CommandQueue()
  private let running = DispatchGroup()
  private let own = Guarded<Thread?>(nil)

  init(_ settings: FetchSettings) {
    self.settings = settings
  }

  deinit { close() }

  /// Takes a request.
  ///
  /// - Returns: By what it can be cancelled.
  func begin(_ request: FetchRequest, _ tell: @escaping @Sendable (FetchAnswer) -> Void) -> Int {
    let id = inbox.number()
    // Who closes it from then on waits for the thread, even for one that has not started.
    switch inbox.post(.begin(id, request, tell), first: { running.enter() }) {
    case .taken: break
    case .first: start()
    case .closed: tell(FetchAnswer(.failed(EngineLoop.closed)))
    }
    return id
  }

  func cancel(_ id: Int) {
    _ = inbox.post(.cancel(id))
  }

  /// Ends the thread, and waits for that; not when it is itself that asks.
  func close() {
    inbox.close()
    if own.withLock({ $0 }) !== Thread.current { running.wait() }
  }

  private func start() {
    let thread = Thread { [settings, inbox, running] in
      EngineThread.run(settings, inbox)
      running.leave()
    }
    thread.name = "sitegen.fetch"
    own.withLock { $0 = thread }
    thread.start()
  }

  private static func run(_ settings: FetchSettings, _ inbox: CommandQueue) {
    let multi = CurlMulti(settings)
    if inbox.start(multi) { EngineLoop(settings, inbox, multi).run() }
    for message in inbox.end() {
      if case .begin(_, _, let tell) = message { tell(FetchAnswer(.failed(EngineLoop.closed))) }
    }
  }
}
