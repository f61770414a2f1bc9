import Files

/// Follows places by the events of their folders.
///
/// An event only says where to look: what a folder is watched for is made to agree with what the
/// disk has at that moment, and a watch stands before its folder is listed. So it does not matter
/// that the disk is always further than the events are.
struct Lookout: Sendable {
  let inotify: Inotify
  let root: Folder
  /// How many folders may be watched; less than the system lends only in tests.
  private let limit: Int
  private let commit: @Sendable (String) -> Void
  /// Off while things are looked at for the first time.
  var isTelling = false

  /// By numbers, which are never used twice.
  var places: [Int: WatchedPlace] = [:]
  private var lastPlace = 0
  /// The names on the way to each place, and the watches that tell of them.
  var steps: [Int: Set<Step>] = [:]
  /// Places whose way may lead elsewhere now.
  private var stale: Set<Int> = []
  /// What each watch is for, never empty; one folder may lie in several places.
  private var roles: [Int32: Set<Role>] = [:]
  /// The folders of places: what was seen in them, so that it can be named when they have gone.
  private var trees: [Spot: Tree] = [:]

  struct Step: Hashable {
    let watch: Int32
    let name: String
  }

  /// A folder as a place shows it.
  struct Spot: Hashable {
    let place: Int
    let path: String
  }

  enum Role: Hashable {
    /// Only this name matters: the way to a place goes through it.
    case step(place: Int, name: String)
    case tree(Spot)
  }

  private struct Tree {
    let watch: Int32
    var files: Set<String> = []
    var folders: Set<String> = []
  }

  init(limit: Int, commit: @escaping @Sendable (String) -> Void) throws(FileError) {
    inotify = try Inotify()
    root = try Folder(opening: "/")
    self.limit = limit
    self.commit = commit
  }

  var watched: [WatchedPlace] { Array(places.values) }

  func tell(_ path: String) {
    if isTelling { commit(path) }
  }

  // MARK: - What to watch

  /// Watches these and no others; what is in new ones is no change.
  mutating func watch(_ wanted: [WatchedPlace]) throws(FileError) {
    let wanted = Set(wanted)
    let old = places
    // First the new ones, so that a folder that stays does not lose its watch for a moment.
    let added = wanted.subtracting(old.values).map { place in
      lastPlace += 1
      places[lastPlace] = place
      return lastPlace
    }
    isTelling = false
    for number in added { try resolve(number) }
    for (number, place) in old where !wanted.contains(place) {
      for step in steps.removeValue(forKey: number) ?? [] {
        drop(.step(place: number, name: step.name), of: step.watch)
      }
      depart(Spot(place: number, path: place.path))
      places[number] = nil
    }
    isTelling = true
  }

  /// Watches one folder for one more thing; nil when there is no folder that we may read.
  mutating func add(
    _ role: Role, _ path: String, for kinds: FolderEvent.Kinds, followingLinks: Bool
  ) throws(FileError) -> Int32? {
    let watch: Int32
    do throws(FileError) {
      watch = try inotify.watch(path, for: kinds, followingLinks: followingLinks)
    } catch  where [.notFound, .denied, .linked, .badName].contains(error.reason) {
      return nil
    }
    if roles[watch] == nil, roles.count >= limit {
      inotify.end(watch)
      throw FileError("watch", path: path, code: 28, reason: .full)
    }
    roles[watch, default: []].insert(role)
    return watch
  }

  mutating func drop(_ role: Role, of watch: Int32) {
    guard roles[watch]?.remove(role) != nil, roles[watch]?.isEmpty == true else { return }
    roles[watch] = nil
    inotify.end(watch)
  }

  // MARK: - Folders

  /// Makes what is known of a folder agree with the disk, and tells what that changes.
  mutating func reconcile(_ spot: Spot) throws(FileError) {
    guard let place = places[spot.place] else { return }
    // The new watch first: when the old folder was dropped, that could end the very same one.
    let watch = try add(
      .tree(spot), spot.path, for: .changes, followingLinks: spot.path == place.path)
    if let watch, watch == trees[spot]?.watch { return }
    depart(spot)
    guard let watch else { return }
    trees[spot] = Tree(watch: watch)
    // Gone again, or not to be listed: an event says so, or nothing can be done.
    guard let entries = try? Folder(opening: spot.path).entries() else { return }
    for entry in entries {
      let child = WatchedPlace.join(spot.path, entry.path)
      let isFolder = entry.kind == .folder
      if place.ignores(entry.path, at: child, isFolder: isFolder) { continue }
      tell(child)
      if isFolder {
        trees[spot]?.folders.insert(entry.path)
        try reconcile(Spot(place: spot.place, path: child))
      } else {
        trees[spot]?.files.insert(entry.path)
      }
    }
  }

  /// Forgets a folder, and names everything that was in it.
  mutating func depart(_ spot: Spot) {
    guard let tree = trees.removeValue(forKey: spot) else { return }
    drop(.tree(spot), of: tree.watch)
    for name in tree.files { tell(WatchedPlace.join(spot.path, name)) }
    for name in tree.folders {
      let child = WatchedPlace.join(spot.path, name)
      tell(child)
      depart(Spot(place: spot.place, path: child))
    }
  }
}

// MARK: - Events

extension Lookout {
  /// Acts on what can be read now.
  ///
  /// - Parameter ifMissed: Called when events were dropped; then everything is looked at anew.
  /// - Throws: When something must be watched and the system refuses.
  /// - Returns: False when there was nothing to read.
  mutating func follow(ifMissed: () -> Void) throws(FileError) -> Bool {
    let events = try inotify.read()
    for event in events {
      if event.kinds.contains(.missed) {
        try lookAnew()
        ifMissed()
      } else {
        try follow(event)
      }
    }
    while let place = stale.popFirst() { try resolve(place) }
    return !events.isEmpty
  }

  private mutating func follow(_ event: FolderEvent) throws(FileError) {
    let hasEnded = event.kinds.contains(.ended)
    let roles = hasEnded ? self.roles.removeValue(forKey: event.watch) : self.roles[event.watch]
    for role in roles ?? [] {
      switch role {
      case .step(let place, let name):
        if hasEnded || event.name == name { follow(event, onTheWayTo: place) }
      case .tree(let spot):
        if hasEnded {
          try end(spot, event.watch)
        } else if !event.name.isEmpty {
          try follow(event, in: spot)
        }
      }
    }
  }

  private mutating func follow(_ event: FolderEvent, onTheWayTo place: Int) {
    if !event.kinds.isDisjoint(with: [.names, .ended]) {
      stale.insert(place)
    } else if !event.kinds.contains(.isFolder), let path = places[place]?.path {
      tell(path)
    }
  }

  /// A folder has gone, or its file system; there may be another one by that path.
  private mutating func end(_ spot: Spot, _ watch: Int32) throws(FileError) {
    if places[spot.place]?.path == spot.path {
      stale.insert(spot.place)
    } else if trees[spot]?.watch == watch {
      try reconcile(spot)
    }
  }

  private mutating func follow(_ event: FolderEvent, in spot: Spot) throws(FileError) {
    let path = WatchedPlace.join(spot.path, event.name)
    let isFolder = event.kinds.contains(.isFolder)
    guard let place = places[spot.place], trees[spot] != nil,
      !place.ignores(event.name, at: path, isFolder: isFolder)
    else { return }
    let child = Spot(place: spot.place, path: path)
    if isFolder {
      // Of a folder that is watched, times and rights are nothing to tell.
      if event.kinds.isDisjoint(with: .names), trees[child] != nil { return }
      tell(path)
      try reconcile(child)
      trees[spot]?.files.remove(event.name)
      if trees[child] == nil {
        trees[spot]?.folders.remove(event.name)
      } else {
        trees[spot]?.folders.insert(event.name)
      }
    } else {
      tell(path)
      if event.kinds.isDisjoint(with: [.removed, .movedOut]) {
        trees[spot]?.files.insert(event.name)
      } else {
        trees[spot]?.files.remove(event.name)
      }
    }
  }

  /// Looks at everything as if for the first time; watches that are still wanted never end.
  private mutating func lookAnew() throws(FileError) {
    let old = roles.keys
    roles = [:]
    trees = [:]
    steps = [:]
    stale = []
    isTelling = false
    for place in places.keys { try resolve(place) }
    isTelling = true
    for watch in old where roles[watch] == nil { inotify.end(watch) }
  }
}
