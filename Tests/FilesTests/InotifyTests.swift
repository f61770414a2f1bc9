import Files
import Glibc
import TestSupport
import Testing

struct InotifyTests {
  let temporary = TemporaryFolder()
  let inotify: Inotify
  let watch: Int32

  init() throws {
    inotify = try Inotify()
    watch = try inotify.watch(temporary.path, for: .changes)
  }

  /// What was told of each name, all events of a name taken together.
  func told() throws -> [String: FolderEvent.Kinds] {
    var told: [String: FolderEvent.Kinds] = [:]
    for event in try inotify.read() where event.watch == watch {
      told[event.name, default: []].formUnion(event.kinds)
    }
    return told
  }

  @Test func `nothing has happened at first, and reading does not wait`() throws {
    #expect(try inotify.read() == [])
  }

  @Test func `what happens in a folder is told by name`() throws {
    try temporary.makeFolder("folder")
    let path = temporary.path(of: "file")
    let descriptor = unsafe creat(path, 0o600)
    #expect(try told() == ["folder": [.made, .isFolder], "file": .made])
    #expect(unsafe write(descriptor, path, 1) == 1)
    #expect(try told() == ["file": .written])
    close(descriptor)
    #expect(try told() == ["file": .closed])
    try temporary.setModified("file", to: 1)
    #expect(try told() == ["file": .touched])
    #expect(unsafe rename(path, temporary.path(of: "new")) == 0)
    #expect(try told() == ["file": .movedOut, "new": .movedIn])
    try temporary.remove("new")
    #expect(try told() == ["new": .removed])
  }

  @Test func `reading a file is no change`() throws {
    try temporary.write("x", to: "file")
    _ = try inotify.read()
    #expect(try temporary.text(of: "file") == "x")
    #expect(temporary.list() == ["file"])
    #expect(try inotify.read() == [])
  }

  @Test func `a folder that goes says so, and its watch ends`() throws {
    try temporary.makeFolder("folder")
    let inner = try inotify.watch(temporary.path(of: "folder"), for: .changes)
    try temporary.remove("folder")
    let events = try inotify.read().filter { $0.watch == inner }
    #expect(
      events == [
        FolderEvent(watch: inner, kinds: .folderRemoved, name: ""),
        FolderEvent(watch: inner, kinds: .ended, name: ""),
      ])
    inotify.end(inner)
    #expect(try inotify.read() == [])
  }

  @Test func `one folder has one number, and an ended watch is silent`() throws {
    try temporary.link("again", to: ".")
    _ = try inotify.read()
    #expect(try inotify.watch(temporary.path(of: "again"), for: .names) == watch)
    try temporary.makeFolder("again/folder")
    #expect(try told() == ["folder": [.made, .isFolder]])
    inotify.end(watch)
    try temporary.write("x", to: "file")
    #expect(try inotify.read().map(\.kinds) == [.ended])
  }

  @Test func `only folders are watched, and links only when asked`() throws {
    try temporary.write("x", to: "file")
    try temporary.link("link", to: ".")
    for path in ["file", "nothing", "a\0b"] {
      let error = #expect(throws: FileError.self) {
        try inotify.watch(temporary.path(of: path), for: .changes)
      }
      #expect(error?.reason == (path.contains("\0") ? .badName : .notFound))
    }
    #expect(throws: FileError.self) {
      try inotify.watch(temporary.path(of: "link"), for: .changes, followingLinks: false)
    }
  }

  @Test func `names of every length come through, and those that are no text do not`() throws {
    let names = (1...255).map { String(repeating: "n", count: $0) }
    for name in names { try temporary.write("", to: name) }
    let odd = temporary.path(of: "").utf8.map { CChar(bitPattern: $0) } + [-1, -2, 0]
    let descriptor = unsafe creat(odd, 0o600)
    #expect(descriptor >= 0)
    close(descriptor)
    try temporary.write("", to: "größe")
    var told: Set<String> = []
    while true {
      let events = try inotify.read()
      if events.isEmpty { break }
      told.formUnion(events.map(\.name))
    }
    #expect(told == Set(names + ["größe"]))
  }

  @Test func `a queue that nobody reads says that it has dropped something`() throws {
    let limit = try #require(
      Int(
        String(
          decoding: FileManager.default.contents(
            atPath: "/proc/sys/fs/inotify/max_queued_events") ?? Data(), as: UTF8.self
        ).trimmingCharacters(in: .whitespacesAndNewlines)))
    // Equal events in a row count once, so two files take turns.
    for name in ["a", "b"] { try temporary.write("", to: name) }
    for number in 0...limit / 2 {
      for name in ["a", "b"] { try temporary.setModified(name, to: number) }
    }
    var kinds: FolderEvent.Kinds = []
    while case let events = try inotify.read(), !events.isEmpty {
      for event in events { kinds.formUnion(event.kinds) }
    }
    #expect(kinds.contains(.missed))
    try temporary.remove("a")
    #expect(try told() == ["a": .removed])
  }

  @Test func `waiting ends with an event, and for ever once it is interrupted`() throws {
    let (inotify, temporary) = (inotify, temporary)
    try temporary.write("x", to: "file")
    inotify.wait()
    _ = try inotify.read()
    let waiting = DispatchGroup()
    DispatchQueue.global().async(group: waiting) { inotify.wait() }
    inotify.interrupt()
    try #require(waiting.wait(timeout: .now() + 60) == .success)
    inotify.wait()
    #expect(try inotify.read() == [])
  }
}

struct FolderMarkTests {
  let temporary = TemporaryFolder()
  let folder: Folder

  init() throws {
    folder = try Folder(opening: temporary.path)
    try temporary.write("one", to: "file")
    try temporary.write("three", to: "other")
    try temporary.link("link", to: "file")
    try temporary.link("loop", to: "loop")
  }

  @Test func `a link has two stamps, its own and that of the file at its end`() throws {
    let file = try #require(try folder.mark(of: "file"))
    #expect(file.kind == .file && file.stamp.size == 3 && file.target == nil)
    let link = try #require(try folder.mark(of: "link"))
    #expect(link.kind == .link && link.stamp.size == 4 && link.target == file.stamp)
    #expect(try folder.mark(of: "loop")?.kind == .link)
    #expect(try folder.mark(of: "loop")?.target == nil)
    #expect(try folder.mark(of: "nothing") == nil)
  }

  @Test func `a link says where it leads`() throws {
    #expect(try folder.destination(of: "link") == "file")
    #expect(try folder.destination(of: "file") == nil)
    #expect(try folder.destination(of: "nothing") == nil)
  }
}
