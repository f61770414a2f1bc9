import Files
import Glibc
import TestSupport

struct InotifyTests {
  let temporary = TemporaryFolder()
  let inotify: Inotify
  let watch: Int32

  init() throws {
    inotify = try Inotify()
    watch = try inotify.watch(temporary.path)
  }

  func names() throws -> Set<String> { Set(try inotify.read().map(\.name)) }

  @Test func `changes in a folder are reported with the file name`() throws {
    #expect(try inotify.read() == [])
    try temporary.makeFolder("folder")
    let path = temporary.path(of: "file")
    let descriptor = unsafe creat(path, 0o600)
    #expect(try names() == ["folder", "file"])
    #expect(unsafe write(descriptor, path, 1) == 1)
    #expect(try names() == ["file"])
    close(descriptor)
    #expect(try names() == ["file"])
    try temporary.setModified("file", to: 1)
    #expect(try names() == ["file"])
    #expect(unsafe rename(path, temporary.path(of: "new")) == 0)
    #expect(try names() == ["file", "new"])
    try temporary.remove("new")
    #expect(try names() == ["new"])
  }

  @Test func `reading a file is not reported as a change`() throws {
    try temporary.write("x", to: "file")
    _ = try inotify.read()
    #expect(try temporary.text(of: "file") == "x")
    #expect(temporary.list() == ["file"])
    #expect(try inotify.read() == [])
  }

  @Test func `a folder has only one watch, and removing the watch stops the reports`() throws {
    try temporary.link("again", to: ".")
    _ = try inotify.read()
    #expect(try inotify.watch(temporary.path(of: "again")) == watch)
    try temporary.makeFolder("again/folder")
    #expect(try names() == ["folder"])
    inotify.end(watch)
    try temporary.write("x", to: "file")
    #expect(try names() == [""])
  }

  @Test func `only folders can be watched`() throws {
    try temporary.write("x", to: "file")
    for path in ["file", "nothing", "a\0b"] {
      let error = #expect(throws: FileError.self) {
        try inotify.watch(temporary.path(of: path))
      }
      #expect(error?.reason == (path.contains("\0") ? .badName : .notFound))
    }
  }

  @Test func `names of any length are reported unless they are invalid UTF-8`() throws {
    let names = (1...255).map { String(repeating: "n", count: $0) }
    for name in names { try temporary.write("", to: name) }
    let odd = temporary.path(of: "").utf8.map { CChar(bitPattern: $0) } + [-1, -2, 0]
    let descriptor = unsafe creat(odd, 0o600)
    #expect(descriptor >= 0)
    close(descriptor)
    try temporary.write("", to: "größe")
    var reported: Set<String> = []
    while case let events = try inotify.read(), !events.isEmpty {
      reported.formUnion(events.map(\.name))
    }
    #expect(reported == Set(names + ["größe"]))
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

  @Test func `the mark for a symlink includes its target's stamp`() throws {
    let file = try #require(try folder.mark(of: "file"))
    #expect(file.kind == .file && file.stamp.size == 3 && file.target == nil)
    let link = try #require(try folder.mark(of: "link"))
    #expect(link.kind == .link && link.stamp.size == 4 && link.target == file.stamp)
    #expect(try folder.mark(of: "loop")?.kind == .link)
    #expect(try folder.mark(of: "loop")?.target == nil)
    #expect(try folder.mark(of: "nothing") == nil)
  }
}
