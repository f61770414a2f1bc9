import Files
import Glibc

/// What is at a watched path and beneath it.
struct Snapshot: Sendable {
  private var entries: [String: Entry] = [:]

  private struct Entry {
    let mark: FileMark
    /// Written just before the look: a later write within the same tick of the clock would leave the
    /// same stamp.
    let isYoung: Bool

    /// In nanoseconds: the kernel's own ticks last up to 10 ms.
    private static let tick: Int64 = 20_000_000

    init(_ mark: FileMark) {
      self.mark = mark
      let changed = max(mark.stamp.changed, mark.target?.changed ?? .min)
      isYoung = FileStamp.now() - changed < Self.tick
    }
  }

  /// `visit` is called with each folder before it is listed, so no change is missed in between.
  ///
  /// - Throws: If the look fails, for example without descriptors; the files may still be there.
  init(of watched: WatchedPath, visit: (String) -> Void) throws(FileError) {
    let mark = try Folder(opening: "/").mark(of: watched.path)
    // A folder says itself that it was moved or removed; the one above may be `/tmp`.
    if mark?.kind != .folder { visit(watched.parent) }
    guard let mark else { return }
    entries[watched.path] = Entry(mark)
    if mark.kind == .folder || (mark.kind == .link && mark.target == nil) {
      try look(at: watched.path, of: watched, visit)
    }
  }

  /// A folder that was removed, or that cannot be read, has nothing in it.
  private mutating func look(
    at path: String, of watched: WatchedPath, _ visit: (String) -> Void
  ) throws(FileError) {
    visit(path)
    do throws(FileError) {
      let folder = try Folder(opening: path)
      for entry in try folder.entries() {
        let child = WatchedPath.join(path, entry.path)
        let isFolder = entry.kind == .folder
        if watched.ignores(entry.path, at: child, isFolder: isFolder) { continue }
        guard let mark = try folder.mark(of: entry.path) else { continue }
        entries[child] = Entry(mark)
        if isFolder { try look(at: child, of: watched, visit) }
      }
    } catch  where ![EMFILE, ENFILE, ENOMEM].contains(error.code) {
      return
    }
  }

  /// The paths that differ, or that were `written`.
  ///
  /// A written path counts even if it is in neither look: a build may have read what came and went. Young files
  /// count as written if some folders are not watched.
  func changes(
    of watched: WatchedPath, since old: Snapshot, isBlind: Bool, written: Set<String>
  ) -> [FileChange] {
    var changes: [FileChange] = []
    for (path, entry) in entries {
      let earlier = old.entries[path]
      let isRewritten = isBlind && earlier?.isYoung == true || written.contains(path)
      if earlier?.mark != entry.mark || entry.mark.kind != .folder && isRewritten {
        changes.append(.path(path))
      }
    }
    for path in old.entries.keys where entries[path] == nil { changes.append(.path(path)) }
    for path in written where entries[path] == nil && old.entries[path] == nil {
      if watched.holds(path) { changes.append(.path(path)) }
    }
    return changes
  }
}
