import Dispatch
import Files

/// A watcher that reports changes to files and folders to a coalescer.
///
/// The watcher scans all paths repeatedly and compares snapshots. inotify only triggers scans, and
/// reports files that are written again within a clock tick. The next scan finds the changes that
/// inotify misses, such as those in folders beyond the watch limit or at symlink targets.
///
/// A folder that is added, removed or moved is reported along with every file in it.
package final class Watcher: Sendable {
  private struct State {
    /// The last snapshot of each path; nil for a path that could not be scanned.
    var seen: [WatchedPath: Snapshot?] = [:]
    var watches: [Int32: Set<String>] = [:]
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
  // A dedicated queue gets a thread even if all shared threads are busy.
  private let queue = DispatchQueue(label: "sitegen.watch", qos: .userInitiated)
  private let source = Locked<(any DispatchSourceRead)?>(nil)

  /// Starts watching before it returns; paths may overlap.
  ///
  /// If some folders cannot be watched, `polls` is called once, on any thread. It must not call
  /// `stop`. `limit` is the maximum number of watches, and `pause` is the time between scans.
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

  /// Replaces the watched paths, without missing changes to paths that remain watched.
  ///
  /// Existing files in new paths are not reported.
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

  package func look() {
    state.withLock { state in
      guard !state.isStopped else { return }
      var written: Set<String> = []
      // The loop is bounded, because other processes may cause events faster than it reads them.
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

  /// Stops watching; changes are not reported after this method returns.
  package func stop() {
    state.withLock { $0 = State(isStopped: true) }
    source.withLock { $0.take()?.cancel() }
  }

  private func lookLater(after pause: Duration) {
    queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in
      guard let self, !state.withLock(\.isStopped) else { return }
      let start = ContinuousClock.now
      look()
      // This limits scanning to a fiftieth of a core.
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
        // The next scan tries again.
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
        ? "all inotify watches are in use (see fs.inotify.max_user_watches)"
        : "cannot \(failure.operation) \(failure.path): \(failure.explanation)")
  }
}
