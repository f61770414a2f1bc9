import Dispatch
import Files

/// Commits the changes of files, and of folders with all beneath them, to a coalescer.
///
/// It looks at everything again and again, and compares. inotify only says when to look, and which
/// files were written within one tick of the clock. If the kernel drops events, or has no watches
/// left, the next look finds the changes; so does a change behind a link, or of a folder above.
///
/// A folder that comes, goes or moves is named, and so is every file in it.
package final class Watcher: Sendable {
  private struct State {
    /// Nil for a path that could not be looked at.
    var seen: [WatchedPath: Snapshot?] = [:]
    /// The paths of each watched folder.
    var watches: [Int32: Set<String>] = [:]
    /// Why not every folder is watched.
    var failure: FileError?
    var hasReported = false
    var isStopped = false
  }

  private let coalescer: Coalescer
  private let limit: Int
  private let pause: Duration
  private let polls: @Sendable (String) -> Void
  private let state: Locked<State>
  private let inotify: Inotify?
  // A queue for this alone has a thread even while all shared ones are busy.
  private let queue = DispatchQueue(label: "sitegen.watch", qos: .userInitiated)
  private let source = Locked<(any DispatchSourceRead)?>(nil)

  /// Watches when this returns, so no later change is missed; paths may overlap.
  ///
  /// `polls` gets the reason why folders cannot be watched, once. It is called on any thread, and must
  /// not call `stop`. Tests choose how many folders are watched at most, and the pause between looks.
  package init(
    _ paths: [WatchedPath], into coalescer: Coalescer, limit: Int = .max,
    pause: Duration = .seconds(1),
    polls: @escaping @Sendable (_ reason: String) -> Void = { _ in }
  ) {
    (self.coalescer, self.limit, self.pause, self.polls) = (coalescer, limit, pause, polls)
    var state = State()
    do throws(FileError) {
      inotify = try Inotify()
    } catch {
      inotify = nil
      state.failure = error
    }
    self.state = Locked(state)
    watch(paths)
    let source = inotify?.source(on: queue) { [weak self] in self?.look() }
    self.source.withLock { $0 = source }
    lookLater(after: pause)
  }

  deinit { stop() }

  /// Watches these from now on, and no others; paths that stay miss nothing.
  ///
  /// Files that are already at new paths are not reported.
  package func watch(_ paths: [WatchedPath]) {
    state.withLock { state in
      guard !state.isStopped else { return }
      let old = state.seen
      state.seen = [:]
      for path in paths.map(\.tidy) {
        state.seen.updateValue(old[path] ?? snapshot(of: path, &state), forKey: path)
      }
    }
    report()
  }

  /// Commits everything that has changed since the last look.
  package func look() {
    state.withLock { state in
      guard !state.isStopped else { return }
      var written: Set<String> = []
      // Bounded, since others may add events faster than we read them.
      for _ in 0..<256 {
        guard let events = try? inotify?.read(), !events.isEmpty else { break }
        for event in events where !event.name.isEmpty {
          for path in state.watches[event.watch] ?? [] {
            written.insert(WatchedPath.join(path, event.name))
          }
        }
      }
      let watches = state.watches
      state.watches = [:]
      if inotify != nil { state.failure = nil }
      var isComplete = true
      for (path, old) in state.seen {
        guard let new = snapshot(of: path, &state) else {
          isComplete = false
          continue
        }
        state.seen.updateValue(new, forKey: path)
        let changes = old.map { old in
          new.changes(of: path, since: old, isBlind: state.failure != nil, written: written)
        }
        for change in changes ?? [.anything] { coalescer.commit(change) }
      }
      for (watch, paths) in watches where state.watches[watch] == nil {
        if isComplete { inotify?.end(watch) } else { state.watches[watch] = paths }
      }
    }
    report()
  }

  /// From the end of this call on, nothing is committed.
  package func stop() {
    state.withLock { $0 = State(isStopped: true) }
    source.withLock { $0.take()?.cancel() }
  }

  private func lookLater(after pause: Duration) {
    queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in
      guard let self, !state.withLock(\.isStopped) else { return }
      let start = ContinuousClock.now
      look()
      // So looking takes a fiftieth of one core at most.
      lookLater(after: max(self.pause, (ContinuousClock.now - start) * 50))
    }
  }

  private func snapshot(of path: WatchedPath, _ state: inout State) -> Snapshot? {
    try? Snapshot(of: path) { folder in
      guard let inotify else { return }
      do throws(FileError) {
        let watch = try inotify.watch(folder)
        if state.watches[watch] == nil, state.watches.count >= limit {
          inotify.end(watch)
          throw FileError("watch", path: folder, code: 28, reason: .full)
        }
        state.watches[watch, default: []].insert(folder)
      } catch  where [.notFound, .denied, .linked, .badName].contains(error.reason) {
        // Looked at after each pause.
      } catch {
        state.failure = error
      }
    }
  }

  private func report() {
    let failure: FileError? = state.withLock { state in
      guard !state.hasReported, let failure = state.failure else { return nil }
      state.hasReported = true
      return failure
    }
    guard let failure else { return }
    polls(
      failure.reason == .full
        ? "all watches that the system lends are in use (fs.inotify.max_user_watches)"
        : "cannot \(failure.operation) \(failure.path): \(failure.explanation)")
  }
}
