import Files
import Glibc
import Preview
import TestSupport

/// A watched folder with a virtual clock, so that changes form a batch immediately.
final class WatchedFolder {
  let folder: TemporaryFolder
  let time = VirtualClock()
  let ready = Counter()
  let notices = Log()
  let coalescer: Coalescer
  private(set) var watcher: Watcher
  private var taken = 0

  /// Watches paths relative to the folder; an empty path is the folder itself.
  init(
    _ folder: TemporaryFolder = TemporaryFolder(inMemory: true), _ places: [String] = [""],
    ignoring: Set<String> = [], limit: Int = .max
  ) {
    self.folder = folder
    let (ready, notices) = (ready, notices)
    coalescer = Coalescer(clock: time.clock) { ready.add(1) }
    watcher = Watcher(
      Self.places(folder, places, ignoring), into: coalescer, limit: limit
    ) { notice in
      notices.add("\(notice)")
    }
  }

  func watch(_ places: [String], ignoring: Set<String> = []) {
    watcher.watch(Self.places(folder, places, ignoring))
  }

  private static func places(
    _ folder: TemporaryFolder, _ places: [String], _ ignoring: Set<String>
  ) -> [WatchedPath] {
    places.map { place in
      WatchedPath(
        place.isEmpty ? folder.path : folder.path(of: place),
        ignoring: Set(ignoring.map(folder.path(of:))))
    }
  }

  /// Runs `body` and returns its only batch.
  ///
  /// - Returns: Sorted relative paths (`.` is the folder, `*` is anything); empty without a batch.
  func batch(_ body: () throws -> Void) rethrows -> [String] {
    try body()
    watcher.look()
    time.pass(.seconds(1))
    guard ready.value > taken else { return [] }
    let batch = coalescer.next() ?? []
    watcher.look()
    time.pass(.seconds(1))
    taken += 1
    #expect(ready.value == taken, "more than one batch")
    return batch.map(shown)
  }

  /// Runs `body` and returns the paths of all batches, because polling may report a new file twice.
  func union(_ body: () throws -> Void) rethrows -> Set<String> {
    try body()
    var union: Set<String> = []
    while true {
      watcher.look()
      time.pass(.seconds(1))
      guard ready.value > taken else { return union }
      taken += 1
      union.formUnion((coalescer.next() ?? []).map(shown))
    }
  }

  private func shown(_ change: FileChange) -> String {
    switch change {
    case .anything: "*"
    case .path(folder.path): "."
    case .path(let path):
      path.hasPrefix(folder.path + "/") ? String(path.dropFirst(folder.path.count + 1)) : path
    }
  }
}

enum Doing {
  static func rename(_ folder: TemporaryFolder, _ old: String, to new: String) throws {
    try check(unsafe Glibc.rename(folder.path(of: old), folder.path(of: new)) == 0, old)
  }

  static func write(
    _ folder: TemporaryFolder, _ text: String, to name: String,
    _ flags: Int32 = O_WRONLY | O_CREAT | O_TRUNC
  ) throws {
    let descriptor = unsafe open(folder.path(of: name), flags, 0o644)
    try check(descriptor >= 0, name)
    defer { close(descriptor) }
    try put(text, into: descriptor)
  }

  static func put(_ text: String, into descriptor: Int32) throws {
    let count = unsafe Glibc.write(descriptor, text, text.utf8.count)
    try check(count == text.utf8.count, text)
  }

  static func remove(_ folder: TemporaryFolder, _ name: String) throws {
    try check(unsafe unlink(folder.path(of: name)) == 0, name)
  }

  private static func check(_ isDone: Bool, _ path: String) throws {
    if !isDone { throw FileError("do", path: path, code: errno) }
  }
}
