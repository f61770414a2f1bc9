import Dispatch
import Files
import Foundation

/// Gets things over HTTP: one thread, on which libcurl does everything at once.
///
/// The thread begins with the first request.
package final class FetchEngine: Sendable {
  private let inbox: Inbox
  private let thread: EngineThread
  /// Gets things by this engine, and each thing once at a time; good until it is closed.
  package let fetcher: Fetcher

  package init(_ settings: FetchSettings) {
    let inbox = Inbox()
    let thread = EngineThread(settings, inbox)
    self.inbox = inbox
    self.thread = thread
    fetcher = .joining(
      Fetcher { request, tell in
        let id = inbox.number()
        switch inbox.post(.begin(id, request, tell)) {
        case .taken: break
        case .first: thread.start()
        case .closed: tell(FetchAnswer(.failed(EngineLoop.closed)))
        }
        return FetchTicket { _ = inbox.post(.cancel(id)) }
      })
  }

  deinit { close() }

  /// Ends everything at once: who still waits is told that it was cancelled.
  package func close() {
    inbox.close()
    thread.wait()
  }
}

/// The thread of an engine.
final class EngineThread: Sendable {
  private let settings: FetchSettings
  private let inbox: Inbox
  private let running = DispatchGroup()
  private let own = Guarded<Thread?>(nil)

  init(_ settings: FetchSettings, _ inbox: Inbox) {
    self.settings = settings
    self.inbox = inbox
  }

  /// Called once at most.
  func start() {
    running.enter()
    let thread = Thread { [settings, inbox, running] in
      EngineThread.run(settings, inbox)
      running.leave()
    }
    thread.name = "sitegen.fetch"
    own.withLock { $0 = thread }
    thread.start()
  }

  /// Waits for its end; not when it would be itself that waits.
  func wait() {
    if own.withLock({ $0 }) !== Thread.current { running.wait() }
  }

  private static func run(_ settings: FetchSettings, _ inbox: Inbox) {
    let multi = Multi(settings)
    if inbox.start(multi) { EngineLoop(settings, inbox, multi).run() }
    for message in inbox.end() {
      if case .begin(_, _, let tell) = message { tell(FetchAnswer(.failed(EngineLoop.closed))) }
    }
  }
}
