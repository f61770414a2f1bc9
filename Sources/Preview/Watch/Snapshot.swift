import Files
import Glibc

struct Snapshot: Sendable {
  private var entries: [String: Entry] = [:]

  private struct Entry {
    let mark: FileMark
    /// Whether the file changed so soon before the scan that a new write may not change its stamp.
    let isYoung: Bool

    /// Twice the longest kernel tick (10 ms), in nanoseconds.
    private static let tick: Int64 = 20_000_000

    init(_ mark: FileMark) {
      self.mark = mark
      let changed = max(mark.stamp.changed, mark.target?.changed ?? .min)
      isYoung = FileStamp.now() - changed < Self.tick
    }
  }

  /// Scans the path, and calls `visit` before listing each folder so that changes are not missed.
  ///
  /// - Throws: `FileError` if the scan fails; the files may still exist.
  init(of watched: WatchedPath, visit: (String) -> Void) throws(FileError) {
    let mark = try Folder(opening: "/").mark(of: watched.path)
    // Do not watch a folder's parent, which may be busy: a folder reports its own move or removal.
    if mark?.kind != .folder { visit(watched.parent) }
    guard let mark else { return }
    entries[watched.path] = Entry(mark)
    if mark.kind == .folder || (mark.kind == .link && mark.target == nil) {
      try look(at: watched.path, of: watched, visit)
    }
  }

  /// Adds a folder's entries; a removed or unreadable folder is treated as empty.
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

  /// Returns the paths that differ between the snapshots or are in `written`.
  ///
  /// A written path is included even if neither snapshot contains it: a build may have read the
  /// file before it was removed. If `isBlind` is true, young files are treated as written.
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
