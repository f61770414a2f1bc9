import Files

/// Finds changes by looking at everything every so often, where folders cannot be watched.
struct Sweep: Sendable {
  /// What each place had at the last look; nil when it could not be looked at.
  private var seen: [WatchedPlace: [String: Seen]?] = [:]
  /// How long to wait before the next look, so that looking takes a twentieth of one core at most.
  private(set) var pause = Duration.zero

  private struct Seen: Equatable {
    var mark: FileMark?
    /// Written just before the look, so it counts as changed at the next one.
    ///
    /// A later write within the same tick of the clock would leave the same stamp.
    var isYoung = false
  }

  /// In nanoseconds: the kernel's own ticks last up to 10 ms.
  private static let tick: Int64 = 20_000_000

  /// What there is now is known and not a change.
  init(_ places: [WatchedPlace]) {
    watch(places)
  }

  mutating func watch(_ places: [WatchedPlace]) {
    let old = seen
    seen = [:]
    for place in places { seen.updateValue(old[place] ?? Self.look(at: place), forKey: place) }
  }

  /// What has changed since the last look.
  mutating func look() -> [FileChange] {
    let start = ContinuousClock.now
    var changes: [FileChange] = []
    for (place, old) in seen {
      // When files cannot be opened just now, nothing is known; it does not mean that all is gone.
      guard let new = Self.look(at: place) else { continue }
      seen.updateValue(new, forKey: place)
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

  // MARK: - Looking

  private static func look(at place: WatchedPlace) -> [String: Seen]? {
    var seen: [String: Seen] = [:]
    do throws(FileError) {
      let root = try Folder(opening: "/")
      let mark = try root.mark(of: place.path)
      let isFolder = mark?.kind == .folder || (mark?.kind == .link && mark?.target == nil)
      if let mark { seen[place.path] = self.seen(mark, FileStamp.now()) }
      if isFolder { try look(at: place.path, of: place, into: &seen) }
      return seen
    } catch {
      return nil
    }
  }

  /// A folder that is gone, or that may not be read, has nothing in it.
  private static func look(
    at path: String, of place: WatchedPlace, into seen: inout [String: Seen]
  ) throws(FileError) {
    do throws(FileError) {
      let folder = try Folder(opening: path)
      for entry in try folder.entries() {
        let child = WatchedPlace.join(path, entry.path)
        let isFolder = entry.kind == .folder
        if place.ignores(entry.path, at: child, isFolder: isFolder) { continue }
        if isFolder {
          seen[child] = Seen()
          try look(at: child, of: place, into: &seen)
        } else if let mark = try folder.mark(of: entry.path) {
          seen[child] = self.seen(mark, FileStamp.now())
        }
      }
    } catch  where [.notFound, .denied, .linked].contains(error.reason) {
      return
    }
  }

  private static func seen(_ mark: FileMark, _ now: Int64) -> Seen {
    // A folder's own stamp changes with every name in it, also with the ignored ones.
    if mark.kind == .folder { return Seen() }
    let changed = max(mark.stamp.changed, mark.target?.changed ?? .min)
    return Seen(mark: mark, isYoung: now - changed < tick)
  }
}
