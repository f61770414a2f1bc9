import Dispatch
package import Fetch
import Files
import Foundation
import Glibc

/// Fetches over HTTP: one thread, on which libcurl does everything at once.
///
/// It works in the fetcher's process (`FetcherProcess`).
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
        let id = thread.nextNumber()
        thread.begin(id, request, nil, tell)
        return FetchTicket { thread.cancel(id) }
      })
  }

  /// Begins a request under a number that the caller has chosen.
  ///
  /// A large body goes to `forward` piece by piece; the answer has what is left of it.
  func begin(
    _ id: Int, _ request: FetchRequest, forward: @escaping BodySink.Forward,
    tell: @escaping Fetcher.Tell
  ) {
    thread.begin(id, request, forward, tell)
  }

  func cancel(_ id: Int) { thread.cancel(id) }

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
  private let own = Guarded<pthread_t?>(nil)

  init(_ settings: FetchSettings, canStart: @escaping @Sendable (String) -> Bool) {
    self.settings = settings
    self.canStart = canStart
  }

  deinit { close() }

  func nextNumber() -> Int { commands.nextNumber() }

  /// Takes a request, by whose number it can be cancelled.
  func begin(
    _ id: Int, _ request: FetchRequest, _ forward: BodySink.Forward?, _ tell: @escaping Fetcher.Tell
  ) {
    if let failure = commands.post(.begin(id, request, forward, tell), start: start) {
      tell(FetchAnswer(.failed(failure)))
    }
  }

  func cancel(_ id: Int) {
    commands.post(.cancel(id))
  }

  /// Ends the thread and waits for its end, unless the thread itself calls this.
  func close() {
    commands.close()
    if own.withLock({ $0 }) != pthread_self() { running.wait() }
  }

  /// Why it cannot be started.
  private func start() -> FetchFailure? {
    // From here on `close` waits for the thread, even before it runs.
    running.enter()
    do throws(FileError) {
      try OwnThread.start("sitegen.fetch") { [settings, canStart, commands, running, own] in
        own.withLock { $0 = pthread_self() }
        let multi = CurlMulti(settings, canStart: canStart)
        if commands.start(multi) { EngineLoop(settings, commands, multi).run() }
        for case .begin(_, _, _, let tell) in commands.end() {
          tell(FetchAnswer(.failed(.closed)))
        }
        running.leave()
      }
      return nil
    } catch {
      running.leave()
      return FetchFailure(.notStarted, "a thread to fetch with: \(error.explanation)")
    }
  }
}

/// The commands of other threads for the engine's thread.
final class CommandQueue: Sendable {
  enum Command: Sendable {
    case begin(Int, FetchRequest, BodySink.Forward?, Fetcher.Tell)
    case cancel(Int)
  }

  private struct State: Sendable {
    var commands: [Command] = []
    /// Woken by a command; nil before the thread starts and after it has ended.
    var multi: CurlMulti?
    var isSleeping = false
    var hasStarted = false
    var isClosed = false
    var last = 0

    mutating func takeAll() -> [Command] {
      defer { commands = [] }
      return commands
    }
  }

  private let state = Guarded(State())

  /// The number of the next request.
  func nextNumber() -> Int {
    state.withLock {
      $0.last += 1
      return $0.last
    }
  }

  /// Takes a command, and calls `start` for the first one; tells why it is not taken.
  @discardableResult
  func post(_ command: Command, start: () -> FetchFailure? = { nil }) -> FetchFailure? {
    state.withLock { state in
      if state.isClosed { return .closed }
      if !state.hasStarted, let failure = start() { return failure }
      state.hasStarted = true
      state.commands.append(command)
      // A thread that works looks here before it sleeps.
      if state.isSleeping { state.multi?.wake() }
      state.isSleeping = false
      return nil
    }
  }

  /// Tells the thread to end.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.multi?.wake()
    }
  }

  // MARK: - For the engine's thread

  /// False when the queue is closed already.
  func start(_ multi: CurlMulti) -> Bool {
    state.withLock { state in
      if !state.isClosed { state.multi = multi }
      return !state.isClosed
    }
  }

  /// The commands since the last call; nil when the queue is closed.
  func take() -> [Command]? {
    state.withLock { state in
      state.isSleeping = false
      return state.isClosed ? nil : state.takeAll()
    }
  }

  /// Whether there is no command, so that the thread may sleep; from now on `post` wakes it.
  func maySleep() -> Bool {
    state.withLock { state in
      state.isSleeping = state.commands.isEmpty && !state.isClosed
      return state.isSleeping
    }
  }

  /// Stops waking the thread, and returns the commands that it has not taken.
  func end() -> [Command] {
    state.withLock { state in
      state.multi = nil
      return state.takeAll()
    }
  }
}
