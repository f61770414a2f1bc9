import Dispatch
import Files
import Synchronization

/// The thread of a watcher, and what it shares with those who call the watcher.
final class WatchLoop: Sendable {
  private let coalescer: Coalescer
  private let seams: WatchSeams
  private let tell: @Sendable (WatchNotice) -> Void
  private let state: Guarded<State>
  private let isStopping = Atomic(false)
  /// Rung when a thread that sleeps between two looks shall wake.
  private let bell = DispatchSemaphore(value: 0)
  private let running = DispatchGroup()

  /// One of the two, or, after the end, none.
  private struct State: Sendable {
    var lookout: Lookout?
    var sweep: Sweep?
  }

  init(
    _ places: [WatchedPlace], _ coalescer: Coalescer, _ seams: WatchSeams,
    _ tell: @escaping @Sendable (WatchNotice) -> Void
  ) {
    self.coalescer = coalescer
    self.seams = seams
    self.tell = tell
    do throws(FileError) {
      var lookout = try Lookout(limit: seams.limit) { coalescer.commit(.path($0)) }
      try lookout.watch(places)
      state = Guarded(State(lookout: lookout))
    } catch {
      state = Guarded(State(sweep: Sweep(places)))
      tell(.polling(reason: Self.reason(error)))
    }
  }

  /// A queue of its own, since a thread that waits for ever must not be one of the shared ones.
  func start() {
    let queue = DispatchQueue(label: "sitegen.watch", qos: .userInitiated)
    queue.async(group: running) { self.run() }
  }

  func watch(_ places: [WatchedPlace]) {
    attend { lookout throws(FileError) in
      try lookout.watch(places)
    } orElse: { sweep in
      sweep.watch(places)
      return []
    }
    // Where the system refused just now, old places are swept too.
    state.withLock { $0.sweep?.watch(places) }
  }

  func catchUp() {
    attend { lookout throws(FileError) in
      // The kernel keeps 16384 events unless told otherwise, and a round reads 240 at least. An
      // end, since others may add to them faster than we read.
      for _ in 0..<256 where !isStopping.load(ordering: .relaxed) {
        guard try lookout.follow(ifMissed: { coalescer.commit(.anything) }) else { return }
      }
    } orElse: { sweep in
      sweep.look()
    }
  }

  func stop() {
    isStopping.store(true, ordering: .relaxed)
    state.withLock { $0.lookout?.inotify.interrupt() }
    bell.signal()
    running.wait()
    state.withLock { $0 = State() }
  }

  // MARK: - The thread

  private func run() {
    while !isStopping.load(ordering: .relaxed) {
      let (inotify, pause) = state.withLock { ($0.lookout?.inotify, $0.sweep?.pause ?? .zero) }
      if let inotify {
        inotify.wait()
        seams.beforeReading()
      } else {
        _ = bell.wait(timeout: .now() + max(pause, seams.pause).dispatchInterval)
      }
      if isStopping.load(ordering: .relaxed) { return }
      attend { lookout throws(FileError) in
        _ = try lookout.follow(ifMissed: { coalescer.commit(.anything) })
      } orElse: { sweep in
        sweep.look()
      }
    }
  }

  /// Works with what there is, and goes over to sweeping when the system refuses a watch.
  private func attend(
    _ body: (inout Lookout) throws(FileError) -> Void, orElse: (inout Sweep) -> [FileChange]
  ) {
    let notice: WatchNotice? = state.withLock { state in
      if var lookout = state.lookout.take() {
        do throws(FileError) {
          try body(&lookout)
          state.lookout = lookout
        } catch {
          state.sweep = Sweep(lookout.watched)
          // What happened between the failure and the first look is not known.
          coalescer.commit(.anything)
          lookout.inotify.interrupt()
          return .polling(reason: Self.reason(error))
        }
      } else if var sweep = state.sweep.take() {
        for change in orElse(&sweep) { coalescer.commit(change) }
        state.sweep = sweep
      }
      return nil
    }
    if let notice { tell(notice) }
  }

  private static func reason(_ error: FileError) -> String {
    switch error.reason {
    case .full: "all watches that the system lends are in use (fs.inotify.max_user_watches)"
    default: "cannot \(error.operation) \(error.path): \(error.explanation)"
    }
  }
}
