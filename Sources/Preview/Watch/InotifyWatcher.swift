import Files

/// Finds changes by the kernel's events about folders.
///
/// An event only says where to look: what we know of a folder is then made to agree with the disk, and
/// a folder is watched before it is listed. So it does not matter that the disk has moved on since.
struct InotifyWatcher: Sendable {
  let inotify: Inotify
  private let root: Folder
  /// How many folders may be watched; less than the system lends only in tests.
  private let limit: Int
  private let commit: @Sendable (String) -> Void
  /// Off while things are looked at for the first time.
  private var isReporting = false

  /// By numbers, which are never used twice.
  private var paths: [Int: WatchedPath] = [:]
  private var lastNumber = 0
  /// The names on the way to each path, and the watches that tell of them.
  private var steps: [Int: Set<Step>] = [:]
  /// Paths whose way may lead elsewhere now.
  private var unresolved: Set<Int> = []
  /// What each watch is for, never empty; one folder may be part of several paths.
  private var purposes: [Int32: Set<Purpose>] = [:]
  /// What was seen in each folder, so that it can be named when the folder has gone.
  private var folders: [FolderKey: Contents] = [:]

  private struct Step: Hashable {
    let watch: Int32
    let name: String
  }

  /// A folder at or beneath the watched path of that number.
  private struct FolderKey: Hashable {
    let number: Int
    let path: String
  }

  private enum Purpose: Hashable {
    /// Only this name matters: the way to a watched path goes through it.
    case step(number: Int, name: String)
    case folder(FolderKey)
  }

  private struct Contents {
    let watch: Int32
    /// Whether each name is a folder.
    var names: [String: Bool] = [:]
  }

  init(limit: Int, commit: @escaping @Sendable (String) -> Void) throws(FileError) {
    inotify = try Inotify()
    root = try Folder(opening: "/")
    self.limit = limit
    self.commit = commit
  }

  var watched: [WatchedPath] { Array(paths.values) }

  private func report(_ path: String) {
    if isReporting { commit(path) }
  }

  // MARK: - What to watch

  /// Watches these and no others; what is at new paths is no change.
  mutating func watch(_ wanted: [WatchedPath]) throws(FileError) {
    let wanted = Set(wanted)
    let old = paths
    isReporting = false
    // First the new ones, so that a folder that stays does not lose its watch for a moment.
    for path in wanted.subtracting(old.values) {
      lastNumber += 1
      paths[lastNumber] = path
      try resolve(lastNumber)
    }
    for (number, path) in old where !wanted.contains(path) {
      for step in steps.removeValue(forKey: number) ?? [] {
        drop(.step(number: number, name: step.name), of: step.watch)
      }
      forget(FolderKey(number: number, path: path.path))
      paths[number] = nil
    }
    isReporting = true
  }

  /// Watches a folder for one more purpose; nil when there is no folder that we may read.
  private mutating func add(
    _ purpose: Purpose, _ path: String, for kinds: FolderEvent.Kinds, followingLinks: Bool
  ) throws(FileError) -> Int32? {
    let watch: Int32
    do throws(FileError) {
      watch = try inotify.watch(path, for: kinds, followingLinks: followingLinks)
    } catch  where [.notFound, .denied, .linked, .badName].contains(error.reason) {
      return nil
    }
    if purposes[watch] == nil, purposes.count >= limit {
      inotify.end(watch)
      throw FileError("watch", path: path, code: 28, reason: .full)
    }
    purposes[watch, default: []].insert(purpose)
    return watch
  }

  private mutating func drop(_ purpose: Purpose, of watch: Int32) {
    guard purposes[watch]?.remove(purpose) != nil, purposes[watch]?.isEmpty == true else { return }
    purposes[watch] = nil
    inotify.end(watch)
  }

  // MARK: - The way to a path

  /// Follows the way to a watched path anew, and reports that something else may be there.
  private mutating func resolve(_ number: Int) throws(FileError) {
    guard let path = paths[number]?.path else { return }
    let old = steps[number] ?? []
    steps[number] = []
    let kind = try walk(to: path, number)
    for step in old.subtracting(steps[number] ?? []) {
      drop(.step(number: number, name: step.name), of: step.watch)
    }
    report(path)
    let key = FolderKey(number: number, path: path)
    if kind == .folder {
      try update(key)
    } else {
      forget(key)
    }
  }

  /// Watches every name from `/` on and through every link, since renaming a folder on the way or
  /// turning a link changes what is at the path.
  ///
  /// Returns what is at the end, nil if the way ends before.
  private mutating func walk(to path: String, _ number: Int) throws(FileError) -> FileKind? {
    // Without links, and empty for `/`.
    var folder = ""
    var ahead = Array(path.split(separator: "/").map(String.init).reversed())
    var links = 0
    while let name = ahead.popLast() {
      if name == "." { continue }
      if name == ".." {
        folder = folder.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(folder[..<$0]) } ?? ""
        continue
      }
      let isLast = ahead.isEmpty
      // Before the look at what the name stands for, so that no change between is missed.
      let watch = try add(
        .step(number: number, name: name), folder.isEmpty ? "/" : folder,
        for: isLast ? .changes : .names, followingLinks: false)
      if let watch { steps[number, default: []].insert(Step(watch: watch, name: name)) }
      let path = folder + "/" + name
      // A path that we may not look at counts as missing.
      switch try? root.kind(of: path) {
      case .folder:
        folder = path
      case .link:
        links += 1
        // As many as the kernel follows.
        guard links <= 40, let target = try? root.destination(of: path) else { return nil }
        if target.utf8.first == UInt8(ascii: "/") { folder = "" }
        ahead += target.split(separator: "/").map(String.init).reversed()
      case .file, .other:
        return isLast ? .file : nil
      case nil:
        return nil
      }
    }
    return .folder
  }

  // MARK: - Folders

  /// Lists a folder anew, and reports everything that was or is in it.
  ///
  /// Also if it is the same one: when it was away for a moment, we could not look into it.
  private mutating func update(_ key: FolderKey) throws(FileError) {
    guard let watched = paths[key.number] else { return }
    forget(key)
    let watch = try add(
      .folder(key), key.path, for: .changes, followingLinks: key.path == watched.path)
    guard let watch else { return }
    folders[key] = Contents(watch: watch)
    // A folder that cannot be listed has gone, and an event will say so, or it is not readable.
    guard let entries = try? Folder(opening: key.path).entries() else { return }
    for entry in entries {
      let child = WatchedPath.join(key.path, entry.path)
      let isFolder = entry.kind == .folder
      if watched.ignores(entry.path, at: child, isFolder: isFolder) { continue }
      report(child)
      folders[key]?.names[entry.path] = isFolder
      if isFolder { try update(FolderKey(number: key.number, path: child)) }
    }
  }

  /// Forgets a folder, and reports everything that was in it.
  private mutating func forget(_ key: FolderKey) {
    guard let contents = folders.removeValue(forKey: key) else { return }
    drop(.folder(key), of: contents.watch)
    for (name, isFolder) in contents.names {
      let child = WatchedPath.join(key.path, name)
      report(child)
      if isFolder { forget(FolderKey(number: key.number, path: child)) }
    }
  }

  // MARK: - Events

  /// Acts on the events that can be read now; false when there are none.
  ///
  /// When events were dropped, it looks at everything anew and calls `onOverflow`.
  mutating func handleEvents(onOverflow: () -> Void) throws(FileError) -> Bool {
    let events = try inotify.read()
    for event in events {
      if event.kinds.contains(.missed) {
        try startAnew()
        onOverflow()
      } else {
        try handle(event)
      }
    }
    while let number = unresolved.popFirst() { try resolve(number) }
    return !events.isEmpty
  }

  private mutating func handle(_ event: FolderEvent) throws(FileError) {
    let hasEnded = event.kinds.contains(.ended)
    let found = hasEnded ? purposes.removeValue(forKey: event.watch) : purposes[event.watch]
    for purpose in found ?? [] {
      switch purpose {
      case .step(let number, let name):
        guard hasEnded || event.name == name else { continue }
        if !event.kinds.isDisjoint(with: [.names, .ended]) {
          unresolved.insert(number)
        } else if !event.kinds.contains(.isFolder), let path = paths[number]?.path {
          report(path)
        }
      case .folder(let key):
        if hasEnded {
          // The folder or its file system has gone; another one may be at the path.
          if paths[key.number]?.path == key.path {
            unresolved.insert(key.number)
          } else if folders[key]?.watch == event.watch {
            try update(key)
          }
        } else if !event.name.isEmpty {
          try handle(event, in: key)
        }
      }
    }
  }

  private mutating func handle(_ event: FolderEvent, in key: FolderKey) throws(FileError) {
    let path = WatchedPath.join(key.path, event.name)
    let isFolder = event.kinds.contains(.isFolder)
    guard let watched = paths[key.number], folders[key] != nil,
      !watched.ignores(event.name, at: path, isFolder: isFolder)
    else { return }
    let child = FolderKey(number: key.number, path: path)
    // New times or rights of a watched folder change nothing that is shown.
    if isFolder, event.kinds.isDisjoint(with: .names), folders[child] != nil { return }
    report(path)
    if isFolder { try update(child) }
    // What is there by now may be something else than what the event is about.
    if folders[child] != nil {
      folders[key]?.names[event.name] = true
    } else if isFolder || !event.kinds.isDisjoint(with: [.removed, .movedOut]) {
      folders[key]?.names[event.name] = nil
    } else {
      folders[key]?.names[event.name] = false
    }
  }

  /// Looks at everything as if for the first time; watches that are still wanted never end.
  private mutating func startAnew() throws(FileError) {
    let old = purposes.keys
    purposes = [:]
    folders = [:]
    steps = [:]
    unresolved = []
    isReporting = false
    for number in paths.keys { try resolve(number) }
    isReporting = true
    for watch in old where purposes[watch] == nil { inotify.end(watch) }
  }
}
