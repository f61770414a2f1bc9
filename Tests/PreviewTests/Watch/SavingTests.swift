import Glibc
import Preview
import TestSupport

@Suite(.timeLimit(.minutes(15))) struct SavingTests {
  /// A way to save `site/a.txt`, and the other files that it touches.
  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var besides: [String] = []
    let save: @Sendable (TemporaryFolder) throws -> Void
  }

  static let ways = [
    Way(testDescription: "in place, truncated first") { folder in
      try Doing.write(folder, "new", to: "site/a.txt")
    },
    Way(testDescription: "in place, without truncating") { folder in
      try Doing.write(folder, "new", to: "site/a.txt", O_WRONLY)
    },
    Way(testDescription: "appended, as the shell's >> does") { folder in
      try Doing.write(folder, "new", to: "site/a.txt", O_WRONLY | O_APPEND)
    },
    Way(testDescription: "emptied first, then written") { folder in
      try #require(unsafe truncate(folder.path(of: "site/a.txt"), 0) == 0)
      try Doing.write(folder, "new", to: "site/a.txt", O_WRONLY)
    },
    Way(testDescription: "a hidden file renamed over") { folder in
      try Doing.write(folder, "new", to: "site/.a.txt.XYZ")
      try Doing.rename(folder, "site/.a.txt.XYZ", to: "site/a.txt")
    },
    Way(testDescription: "a file of another name renamed over", besides: ["a.txt.tmp"]) { folder in
      try Doing.write(folder, "new", to: "site/a.txt.tmp")
      try Doing.rename(folder, "site/a.txt.tmp", to: "site/a.txt")
    },
    Way(testDescription: "a file from elsewhere renamed over") { folder in
      try Doing.write(folder, "new", to: "elsewhere")
      try Doing.rename(folder, "elsewhere", to: "site/a.txt")
    },
    Way(testDescription: "vim: backed up by renaming, written anew", besides: ["4913"]) { folder in
      try Doing.write(folder, "swap", to: "site/.a.txt.swp")
      try Doing.write(folder, "", to: "site/4913")
      try Doing.remove(folder, "site/4913")
      try Doing.rename(folder, "site/a.txt", to: "site/a.txt~")
      try Doing.write(folder, "new", to: "site/a.txt")
      try Doing.remove(folder, "site/a.txt~")
      try Doing.remove(folder, "site/.a.txt.swp")
    },
    Way(testDescription: "vim, backup kept under another name", besides: ["a.txt.bak"]) { folder in
      try Doing.rename(folder, "site/a.txt", to: "site/a.txt.bak")
      try Doing.write(folder, "new", to: "site/a.txt")
    },
    Way(testDescription: "emacs: a lock, its own saving, a backup") { folder in
      try folder.link("site/.#a.txt", to: "me@here.1")
      try Doing.write(folder, "unsaved", to: "site/#a.txt#")
      try Doing.write(folder, "old", to: "site/a.txt~")
      try Doing.write(folder, "new", to: "site/a.txt")
      try Doing.remove(folder, "site/#a.txt#")
      try folder.remove("site/.#a.txt")
    },
    Way(testDescription: "removed, then made") { folder in
      try Doing.remove(folder, "site/a.txt")
      try Doing.write(folder, "new", to: "site/a.txt")
    },
    Way(testDescription: "touched") { folder in
      try folder.setModified("site/a.txt", to: 1)
    },
    Way(testDescription: "rights changed") { folder in
      try #require(unsafe chmod(folder.path(of: "site/a.txt"), 0o600) == 0)
    },
    Way(testDescription: "removed") { folder in
      try Doing.remove(folder, "site/a.txt")
    },
    Way(testDescription: "moved away") { folder in
      try Doing.rename(folder, "site/a.txt", to: "gone")
    },
    Way(testDescription: "a link to another file put in its place", besides: ["new.txt"]) {
      folder in
      try folder.link("site/new.txt", to: "b.txt")
      try Doing.rename(folder, "site/new.txt", to: "site/a.txt")
    },
    Way(testDescription: "a hard link of another file put in its place") { folder in
      try Doing.remove(folder, "site/a.txt")
      try #require(unsafe link(folder.path(of: "outside.txt"), folder.path(of: "site/a.txt")) == 0)
    },
  ]

  private func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder(inMemory: true)
    for name in ["site/a.txt", "site/b.txt", "outside.txt"] { try folder.write("old", to: name) }
    return folder
  }

  /// C20: each way of saving causes one rebuild.
  @Test(arguments: ways)
  func `each way of saving a file in a folder produces one batch`(way: Way) throws {
    let site = WatchedFolder(try folder(), ["site"])
    let batch = try site.batch { try way.save(site.folder) }
    // Temporary files may also be reported.
    #expect(Set(batch).subtracting(way.besides.map { "site/\($0)" }) == ["site/a.txt"])
    #expect(site.batch {} == [])
  }

  /// C20: a save is also detected if only the file is watched, such as a manifest.
  @Test(arguments: ways)
  func `each way of saving a watched file produces one batch with only that file`(way: Way) throws {
    let site = WatchedFolder(try folder(), ["site/a.txt"])
    #expect(try site.batch { try way.save(site.folder) } == ["site/a.txt"])
    #expect(site.batch {} == [])
    // The file is still watched after it was saved.
    _ = try site.batch {
      _ = try? site.folder.remove("site/a.txt")
      for name in ["site/a.txt", "outside.txt"] { try site.folder.write("old", to: name) }
    }
    #expect(try site.batch { try way.save(site.folder) } == ["site/a.txt"])
  }

  /// C20: some editors keep the file open.
  @Test func `writes are reported before the file is closed`() throws {
    let site = WatchedFolder(try folder(), ["site"])
    let descriptor = unsafe open(site.folder.path(of: "site/a.txt"), O_WRONLY | O_APPEND)
    defer { close(descriptor) }
    for _ in 0..<3 {
      #expect(try site.batch { try Doing.put("more", into: descriptor) } == ["site/a.txt"])
    }
  }

  /// C16: reading a file causes no rebuild.
  @Test func `reading a file is not a change`() throws {
    let site = WatchedFolder(try folder(), ["site", "site/a.txt"])
    let batch = try site.batch {
      _ = try site.folder.text(of: "site/a.txt")
      _ = site.folder.list()
    }
    #expect(batch == [])
  }

  /// C20: runs in real time, with the watcher's thread.
  @Test func `a save wakes a thread that is waiting for a batch`() throws {
    let folder = try folder()
    let coalescer = Coalescer()
    let watcher = Watcher([WatchedPath(folder.path(of: "site"))], into: coalescer)
    let path = FileChange.path(folder.path(of: "site/a.txt"))
    for _ in 0..<20 {
      try Doing.write(folder, "new", to: "site/a.txt")
      var seen: Set<FileChange> = []
      while !seen.contains(path), let batch = coalescer.next() { seen.formUnion(batch) }
      #expect(seen == [path])
    }
    watcher.stop()
  }
}
