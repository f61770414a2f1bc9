import Dispatch
import Files
import Synchronization

/// Test-only switches.
package struct WatchTestOptions: Sendable {
  /// How many folders can be watched at most, as if the system lent no more.
  package var limit = Int.max
  /// The time between two looks where folders cannot be watched.
  package var pause = Duration.seconds(1)
  /// Called by the thread that reads events, before it reads.
  package var beforeReading: @Sendable () -> Void = {}

  package init() {}
}

/// Commits the changes of files, and of folders with all beneath them, to a coalescer.
///
/// A folder that comes, goes or moves is named, and so is every file in it. What is not readable is
/// not watched. Changes that another machine makes on a network file system are not seen.
package final class Watcher: Sendable {
  private let loop: WatchLoop

  /// Watches when this returns, so no later change is missed; paths may overlap.
  ///
  /// `polls` gets the reason why folders can no longer be watched and are looked at again and again.
  /// It is called now, or later on any thread, and must not call `stop`.
  package init(
    _ paths: [WatchedPath], into coalescer: Coalescer,
    options: WatchTestOptions = WatchTestOptions(),
    polls: @escaping @Sendable (_ reason: String) -> Void = { _ in }
  ) {
    loop = WatchLoop(paths.map(\.tidy), coalescer, options, polls)
    loop.start()
  }

  deinit { loop.stop() }

  /// Watches these from now on, and no others; paths that stay miss nothing.
  package func watch(_ paths: [WatchedPath]) {
    loop.watch(paths.map(\.tidy))
  }

  /// Commits everything that happened before, without waiting for the watcher's own thread.
  package func catchUp() {
    loop.catchUp()
  }

  /// Waits until the thread has ended; from then on nothing is committed.
  package func stop() {
    loop.stop()
  }
}

/// The thread of a watcher, which must not keep the watcher itself.
private final class WatchLoop: Sendable {
  private let coalescer: Coalescer
  private let options: WatchTestOptions
  private let polls: @Sendable (String) -> Void
  private let state: Locked<State>
  private let isStopping = Atomic(false)
  /// Ends the pause between two looks.
  private let wakeUp = DispatchSemaphore(value: 0)
  private let running = DispatchGroup()

  /// One of the two, or none after the end.
  private struct State: Sendable {
    var inotify: InotifyWatcher?
    var polling: PollingWatcher?
  }

  init(
    _ paths: [WatchedPath], _ coalescer: Coalescer, _ options: WatchTestOptions,
    _ polls: @escaping @Sendable (String) -> Void
  ) {
    self.coalescer = coalescer
    self.options = options
    self.polls = polls
    do throws(FileError) {
      var watcher = try InotifyWatcher(limit: options.limit) { coalescer.commit(.path($0)) }
      try watcher.watch(paths)
      state = Locked(State(inotify: watcher))
    } catch {
      state = Locked(State(polling: PollingWatcher(paths)))
      polls(Self.reason(error))
    }
  }

  /// On a queue of its own, since a thread that waits for ever must not be one of the shared ones.
  func start() {
    let queue = DispatchQueue(label: "sitegen.watch", qos: .userInitiated)
    queue.async(group: running) { self.run() }
  }

  func watch(_ paths: [WatchedPath]) {
    update { watcher throws(FileError) in
      try watcher.watch(paths)
    } orPolling: { watcher in
      watcher.watch(paths)
      return []
    }
    // If the system has refused just now, the polling watcher still has the old paths.
    state.withLock { $0.polling?.watch(paths) }
  }

  func catchUp() {
    update { watcher throws(FileError) in
      // The kernel keeps 16384 events unless told otherwise, and a round reads 240 at least. Bounded,
      // since others may add events faster than we read them.
      for _ in 0..<256 where !isStopping.load(ordering: .relaxed) {
        guard try watcher.handleEvents(onOverflow: { coalescer.commit(.anything) }) else { return }
      }
    } orPolling: { watcher in
      watcher.look()
    }
  }

  func stop() {
    isStopping.store(true, ordering: .relaxed)
    state.withLock { $0.inotify?.inotify.interrupt() }
    wakeUp.signal()
    running.wait()
    state.withLock { $0 = State() }
  }

  private func run() {
    while !isStopping.load(ordering: .relaxed) {
      let (inotify, pause) = state.withLock {
        ($0.inotify?.inotify, $0.polling?.pause ?? .zero)
      }
      if let inotify {
        inotify.wait()
        options.beforeReading()
      } else {
        _ = wakeUp.wait(timeout: .now() + max(pause, options.pause).dispatchInterval)
      }
      if isStopping.load(ordering: .relaxed) { return }
      update { watcher throws(FileError) in
        _ = try watcher.handleEvents(onOverflow: { coalescer.commit(.anything) })
      } orPolling: { watcher in
        watcher.look()
      }
    }
  }

  /// Uses the watcher that there is, and goes over to polling when the system refuses a watch.
  private func update(
    _ body: (inout InotifyWatcher) throws(FileError) -> Void,
    orPolling: (inout PollingWatcher) -> [FileChange]
  ) {
    let reason: String? = state.withLock { state in
      if var watcher = state.inotify.take() {
        do throws(FileError) {
          try body(&watcher)
          state.inotify = watcher
        } catch {
          state.polling = PollingWatcher(watcher.watched)
          // What happened between the failure and the first look is unknown.
          coalescer.commit(.anything)
          watcher.inotify.interrupt()
          return Self.reason(error)
        }
      } else if var watcher = state.polling.take() {
        for change in orPolling(&watcher) { coalescer.commit(change) }
        state.polling = watcher
      }
      return nil
    }
    if let reason { polls(reason) }
  }

  private static func reason(_ error: FileError) -> String {
    switch error.reason {
    case .full: "all watches that the system lends are in use (fs.inotify.max_user_watches)"
    default: "cannot \(error.operation) \(error.path): \(error.explanation)"
    }
  }
}
