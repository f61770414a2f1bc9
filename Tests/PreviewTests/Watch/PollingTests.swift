import Dispatch
import Glibc
import Preview
import TestSupport

@Suite(.timeLimit(.minutes(15))) struct PollingTests {
  let folder = TemporaryFolder(inMemory: true)

  private func polled(limit: Int, _ places: [String] = [""]) -> WatchedFolder {
    let site = WatchedFolder(folder, places, ignoring: ["output"], limit: limit)
    // Files that were just written are reported twice.
    _ = site.union {}
    return site
  }

  /// F36: folders without a watch are polled.
  @Test(arguments: [0, 1, 3])
  func `reaching the watch limit is reported, and all changes are still found`(limit: Int) throws {
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
    #expect(try site.union { try Doing.write(folder, "z", to: "a/file") } == ["a/file", "link"])
    #expect(site.notices.all.count == 1)
  }

  @Test func `the watch limit may be reached after watching has started`() throws {
    try folder.write("x", to: "a/file")
    // One watch is for the folder, and the other one for `a`.
    let site = WatchedFolder(folder, limit: 2)
    #expect(try site.batch { try folder.write("y", to: "a/file") } == ["a/file"])
    #expect(site.notices.all == [])
    // The other file was just written, so it is also reported.
    #expect(try site.union { try folder.write("x", to: "b/file") }.isSuperset(of: ["b", "b/file"]))
    #expect(site.notices.all.count == 1)
    #expect(try site.union { try folder.write("y", to: "b/file") } == ["b/file"])
    #expect(try site.union { try folder.write("y", to: "a/file") } == ["a/file"])
  }

  /// Uses the watcher's thread in real time.
  @Test func `polling continues in the background`() throws {
    let coalescer = Coalescer()
    let watcher = Watcher(
      [WatchedPath(folder.path)], into: coalescer, limit: 0, pause: .milliseconds(5))
    for number in 0..<5 {
      let path = FileChange.path(folder.path(of: "\(number)"))
      try folder.write("x", to: "\(number)")
      while let batch = coalescer.next(), !batch.contains(path) {}
    }
    watcher.stop()
  }

  /// EMFILE while opening a file does not mean that all files were deleted.
  @Test func `polling resumes after the process has run out of descriptors`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder(inMemory: true)
      try folder.write("x", to: "file")
      // Dispatch needs descriptors for its threads.
      let fired = DispatchSemaphore(value: 0)
      DispatchQueue.global().asyncAfter(deadline: .now()) { fired.signal() }
      fired.wait()
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
      // Repeats the check after the first complete scan.
      guard unsafe setrlimit(files, &none) == 0, site.union({}).isEmpty else { exit(5) }
      _ = unsafe setrlimit(files, &some)
      guard site.union({}).isEmpty else { exit(6) }
      site.watcher.stop()
    }
  }
}
