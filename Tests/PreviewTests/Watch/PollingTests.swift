import Glibc
import Preview
import TestSupport
import Testing

/// Where the system lends no watches, or too few.
@Suite(.timeLimit(.minutes(15))) struct PollingTests {
  let folder = TemporaryFolder(inMemory: true)

  private func polled(limit: Int, _ places: [String] = [""]) -> WatchedFolder {
    var options = WatchTestOptions()
    options.limit = limit
    let site = WatchedFolder(folder, places, ignoring: ["output"], options: options)
    // Files that were written just now are looked at twice.
    _ = site.union {}
    return site
  }

  /// F36: folders without a watch are looked at now and then.
  @Test(arguments: [0, 1, 3])
  func `a limit of watches is told, and everything is still found`(limit: Int) throws {
    try folder.write("x", to: "a/file")
    try folder.write("x", to: "a/gone")
    try folder.write("x", to: "b/c/file")
    let site = polled(limit: limit, ["", "b/c/file", "later/file"])
    #expect(site.notices.all.count == 1)
    #expect(site.notices.all.first?.contains("fs.inotify.max_user_watches") == true)
    #expect(try site.union { try Doing.write(folder, "y", to: "a/file") } == ["a/file"])
    #expect(try site.union { try folder.setModified("a/file", to: 1) } == ["a/file"])
    #expect(try site.union { try folder.write("x", to: "b/new/file") } == ["b/new", "b/new/file"])
    #expect(try site.union { try folder.remove("a/gone") } == ["a/gone"])
    #expect(
      try site.union { try Doing.rename(folder, "b/c", to: "b/d") }
        == ["b/c", "b/c/file", "b/d", "b/d/file"])
    #expect(try site.union { try folder.write("x", to: "later/file") } == ["later", "later/file"])
    #expect(try site.union { try folder.write("x", to: "output/file") } == [])
    #expect(try site.union { try folder.write("x", to: ".hidden/file") } == [])
    #expect(try site.union { _ = try folder.text(of: "a/file") } == [])
    #expect(try site.union { try folder.link("link", to: "a/file") } == ["link"])
    #expect(
      try site.union { try Doing.write(folder, "z", to: "a/file") } == ["a/file", "link"])
    #expect(site.notices.all.count == 1)
  }

  @Test func `the limit may be reached later, and what happened meanwhile is anything`() throws {
    try folder.write("x", to: "a/file")
    // The way to the folder, itself, and `a`.
    var options = WatchTestOptions()
    options.limit = folder.path.split(separator: "/").count + 2
    let site = WatchedFolder(folder, options: options)
    #expect(try site.batch { try folder.write("y", to: "a/file") } == ["a/file"])
    #expect(site.notices.all == [])
    #expect(try site.union { try folder.write("x", to: "b/file") }.contains("*"))
    #expect(site.notices.all.count == 1)
    #expect(try site.union { try folder.write("y", to: "b/file") } == ["b/file"])
    #expect(try site.union { try folder.write("y", to: "a/file") } == ["a/file"])
  }

  @Test func `other places can be swept, and those that stay miss nothing`() throws {
    for name in ["a/file", "b/file", "c/file"] { try folder.write("x", to: name) }
    let site = polled(limit: 0, ["a", "b"])
    let changed = try site.union {
      try folder.write("y", to: "b/file")
      site.watch(["b", "c"])
      try folder.write("y", to: "a/file")
    }
    // `c` is new, and may have been written just before it was looked at.
    #expect(changed.subtracting(["c/file"]) == ["b/file"])
    #expect(try site.union { try folder.write("z", to: "c/file") } == ["c/file"])
  }

  @Test func `a limit that new places reach does not bring old ones back`() throws {
    for name in ["a/file", "b/c/d/file"] { try folder.write("x", to: name) }
    var options = WatchTestOptions()
    options.limit = folder.path.split(separator: "/").count + 3
    let site = WatchedFolder(folder, ["a"], options: options)
    #expect(site.notices.all == [])
    #expect(site.union { site.watch(["b"]) }.contains("*"))
    #expect(site.notices.all.count == 1)
    #expect(try site.union { try folder.write("y", to: "a/file") } == [])
    #expect(try site.union { try folder.write("y", to: "b/c/d/file") } == ["b/c/d/file"])
  }

  @Test func `a place that becomes something else is seen`() throws {
    try folder.write("1", to: "one/a")
    try folder.write("2", to: "two/b")
    try folder.link("content", to: "one")
    let site = polled(limit: 0, ["content"])
    #expect(try site.union { try folder.write("3", to: "one/a") } == ["content/a"])
    let turned = try site.union {
      try folder.remove("content")
      try folder.link("content", to: "two")
    }
    #expect(turned == ["content", "content/a", "content/b"])
    #expect(try site.union { try folder.remove("two") } == ["content/b"])
  }

  /// In real time: nobody but the watcher's own thread looks.
  @Test func `looking goes on by itself`() throws {
    var options = WatchTestOptions()
    options.limit = 0
    options.pause = .milliseconds(5)
    let coalescer = Coalescer()
    let watcher = Watcher([WatchedPath(folder.path)], into: coalescer, options: options)
    for number in 0..<5 {
      let path = FileChange.path(folder.path(of: "\(number)"))
      try folder.write("x", to: "\(number)")
      while let batch = coalescer.next(), !batch.contains(path) {}
    }
    watcher.stop()
  }

  /// With `EMFILE` not even a file can be opened; it does not mean that all files are gone.
  @Test func `a process without descriptors looks again when it has some`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder(inMemory: true)
      try folder.write("x", to: "file")
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var some = rlimit()
      _ = unsafe getrlimit(files, &some)
      var none = rlimit(rlim_cur: 3, rlim_max: some.rlim_max)
      guard unsafe setrlimit(files, &none) == 0 else { exit(1) }
      let site = WatchedFolder(folder)
      let blind = site.union {}
      _ = unsafe setrlimit(files, &some)
      guard site.notices.all.count == 1, site.notices.all[0].contains("too many open files"),
        blind.isEmpty
      else { exit(2) }
      guard site.union({}).contains("*") else { exit(3) }
      let seen = try site.union { try folder.write("y", to: "file") }
      guard seen == ["file"] else { exit(4) }
      // And later, when everything is known.
      guard unsafe setrlimit(files, &none) == 0, site.union({}).isEmpty else { exit(5) }
      _ = unsafe setrlimit(files, &some)
      guard site.union({}).isEmpty else { exit(6) }
      site.watcher.stop()
    }
  }
}
