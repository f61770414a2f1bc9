import Files

/// Finds changes by looking at everything again and again, where folders cannot be watched.
struct PollingWatcher: Sendable {
  /// What was at each path at the last look; nil when it could not be looked at.
  private var seen: [WatchedPath: [String: Seen]?] = [:]
  /// How long to wait before the next look, so that looking takes a twentieth of one core at most.
  private(set) var pause = Duration.zero

  private struct Seen: Equatable {
    var mark: FileMark?
    /// Written just before the look, so it counts as changed at the next one.
    ///
    /// A later write within the same tick of the clock would leave the same stamp.
    var isYoung = false

    init(_ mark: FileMark? = nil) {
      // A folder's own stamp changes with every name in it, also with the ignored ones.
      guard let mark, mark.kind != .folder else { return }
      self.mark = mark
      let changed = max(mark.stamp.changed, mark.target?.changed ?? .min)
      isYoung = FileStamp.now() - changed < PollingWatcher.tick
    }
  }

  /// In nanoseconds: the kernel's own ticks last up to 10 ms.
  private static let tick: Int64 = 20_000_000

  /// What there is now is no change.
  init(_ paths: [WatchedPath]) {
    watch(paths)
  }

  mutating func watch(_ paths: [WatchedPath]) {
    let old = seen
    seen = [:]
    for path in paths { seen.updateValue(old[path] ?? Self.look(at: path), forKey: path) }
  }

  /// What has changed since the last look.
  mutating func look() -> [FileChange] {
    let start = ContinuousClock.now
    var changes: [FileChange] = []
    for (path, old) in seen {
      // A look can fail for want of descriptors; then the files have not gone.
      guard let new = Self.look(at: path) else { continue }
      seen.updateValue(new, forKey: path)
      guard let old else {
        changes.append(.anything)
        continue
      }
      for (path, now) in new where old[path]?.isYoung != false || old[path]?.mark != now.mark {
        changes.append(.path(path))
      }
      for path in old.keys where new[path] == nil { changes.append(.path(path)) }
    }
    pause = (ContinuousClock.now - start) * 20
    return changes
  }

  private static func look(at watched: WatchedPath) -> [String: Seen]? {
    var seen: [String: Seen] = [:]
    do throws(FileError) {
      let mark = try Folder(opening: "/").mark(of: watched.path)
      if let mark { seen[watched.path] = Seen(mark) }
      if mark?.kind == .folder || (mark?.kind == .link && mark?.target == nil) {
        try look(at: watched.path, of: watched, into: &seen)
      }
      return seen
    } catch {
      return nil
    }
  }

  /// A folder that has gone, or that is not readable, has nothing in it.
  private static func look(
    at path: String, of watched: WatchedPath, into seen: inout [String: Seen]
  ) throws(FileError) {
    do throws(FileError) {
      let folder = try Folder(opening: path)
      for entry in try folder.entries() {
        let child = WatchedPath.join(path, entry.path)
        let isFolder = entry.kind == .folder
        if watched.ignores(entry.path, at: child, isFolder: isFolder) { continue }
        if isFolder {
          seen[child] = Seen()
          try look(at: child, of: watched, into: &seen)
        } else if let mark = try folder.mark(of: entry.path) {
          seen[child] = Seen(mark)
        }
      }
    } catch  where [.notFound, .denied, .linked].contains(error.reason) {
      return
    }
  }
}
