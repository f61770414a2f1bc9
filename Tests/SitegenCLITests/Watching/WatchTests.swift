import Files
import Glibc
import TestSupport

struct WatchTests {
  @Test func `the manifest and templates are watched, but generated files are not`() throws {
    let watched = try WatchedSite()
    let folder = watched.site.folder
    #expect(watched.waitForLines(1))
    try watched.site.write(users: [("a", ["a.png"])], more: #""site": {"title": "Another title"},"#)
    #expect(watched.waitFor("Another title"))
    try folder.write("body { color: red }", to: "templates/gallery.css")
    #expect(watched.waitFor("color: red", in: "gallery.css"))
    // Pages are published before their line is printed.
    #expect(watched.waitForLines(3))
    let count = watched.lines.count
    try folder.write("x", to: "output/foreign.txt")
    try folder.write("x", to: "content/.hidden")
    try watched.site.write(
      users: [("a", ["a.png"])], more: #""site": {"title": "The last title"},"#)
    #expect(watched.waitFor("The last title"))
    #expect(watched.waitForLines(count + 1))
    #expect(watched.lines.count == count + 1)
    #expect(watched.lines.last?.hasPrefix("content/manifest.json: ") == true)
  }

  /// C19: a signal drops pending changes and exits with 128 + n; the site stays complete.
  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal drops pending changes`(signal: Int32) throws {
    let watched = try WatchedSite()
    #expect(watched.waitForLines(1))
    let before = watched.files
    // Saves so often that the quiet period never ends.
    let busy = Cancelled()
    let saved = Locked(0)
    let folder = watched.site.folder
    Thread.detachNewThread {
      var number = 0
      while !busy.isSet {
        number += 1
        let color = TestPicture.Pixel(UInt8(number % 256), 5, 5)
        try? folder.write(WatchedSite.picture(color), to: "content/a.png")
        saved.withLock { $0 = number }
        usleep(5_000)
      }
      busy.end()
    }
    #expect(eventually { saved.withLock(\.self) >= 10 })
    watched.program.send(signal)
    let ending = try watched.program.ending()
    busy.set()
    #expect(ending.status == 128 + signal)
    #expect(watched.leftovers == [])
    #expect(watched.files == before)
    // The next start builds the changes that were dropped.
    let again = try WatchedSite(site: watched.site)
    #expect(again.waitForLines(1))
    _ = try again.interrupt()
    #expect(try again.files == again.coldFiles())
    #expect(again.files != before)
  }

  @Test func `only the picture folder is watched`() throws {
    let site = SiteFolder()
    try site.folder.write(WatchedSite.picture(.red), to: "photos/ada.png")
    let program = try site.start(["build", "--watch", "photos", "--jobs", "2"])
    let lines = { program.said.split(separator: "\n") }
    #expect(eventually { lines().count == 1 })
    try site.folder.write(WatchedSite.picture(.blue), to: "other/x.png")
    try site.folder.write(WatchedSite.picture(.blue), to: "photos/grace.png")
    #expect(eventually { lines().contains { $0.contains("grace.png") } })
    #expect(!lines().contains { $0.contains("other") })
    #expect(try site.folder.text(of: "photos-site/output/index.html").contains("Grace"))
    program.send(SIGTERM)
    #expect(try program.ending().status == 143)
  }

  /// Watching generated files would cause endless rebuilds.
  @Test func `generated files are not watched, even if the manifest is behind a symlink`()
    throws
  {
    let site = try WatchedSite.twoPeople()
    let folder = site.folder
    for name in ["manifest.json", "a.png", "b.png"] {
      try folder.write(folder.read("content/\(name)"), to: name)
    }
    let elsewhere = TemporaryFolder(inMemory: true)
    try elsewhere.link("linked", to: folder.path)
    let program = try site.start([
      "build", "--watch", "--manifest", elsewhere.path(of: "linked/manifest.json"),
      "--output", "output", "--cache", "cache",
    ])
    let lines = { program.said.split(separator: "\n") }
    #expect(eventually { lines().count == 1 })
    for round in 0..<3 {
      let color = TestPicture.Pixel(UInt8(round), 5, 5)
      try folder.write(WatchedSite.picture(color), to: "a.png")
      #expect(eventually { lines().count == round + 2 })
    }
    #expect(lines().allSatisfy { !$0.contains("superseded") })
    #expect(lines().dropFirst().allSatisfy { $0.contains("a.png: 1 image rendered") })
    program.send(SIGTERM)
    #expect(try program.ending().status == 143)
    #expect(lines().count == 4)
  }

  @Test func `the targets of symlinks and missing lists are watched`() throws {
    let site = try WatchedSite.twoPeople()
    let folder = site.folder
    try folder.write(folder.read("content/manifest.json"), to: "real/m.json")
    try folder.remove("content/manifest.json")
    try folder.link("content/manifest.json", to: "../real/m.json")
    let watched = try WatchedSite(site: site)
    #expect(watched.waitForLines(1))
    try folder.write(
      #"{"version": 1, "allowOutside": true, "users": {"from": "../lists/people.json"}}"#,
      to: "real/m.json")
    #expect(watched.waitForLines(2))
    #expect(watched.lines.last?.contains("not built") == true)
    try folder.write(#"[{"id": "x", "name": "From a list"}]"#, to: "lists/people.json")
    #expect(watched.waitFor("From a list"))
  }

  /// C7: the last check is made under the output's lock, so an outdated build publishes no page.
  @Test func `an outdated build is not published`() throws {
    let gate = ProgramGate("inside-publish")
    let watched = try WatchedSite(gate: gate)
    try gate.reached()
    try gate.forgetPassers()
    #expect(!watched.site.folder.exists("output/index.html"))
    try watched.site.write(users: [("a", ["a.png"])], more: #""site": {"title": "The newer one"},"#)
    // The second build reaches the gate at which the first build was cancelled.
    try gate.reached()
    #expect(!watched.site.folder.exists("output/index.html"))
    try gate.open()
    #expect(watched.waitFor("The newer one"))
    #expect(watched.waitForLines(1))
    #expect(watched.lines.count == 1)
    #expect(try watched.interrupt().status == 130)
    #expect(try watched.files == watched.coldFiles())
  }

  @Test(arguments: ["before-decode", "after-encode", "inside-publish"])
  func `a restart repairs a site whose rebuild was killed`(point: String) throws {
    let gate = ProgramGate(point)
    let site = try WatchedSite.twoPeople()
    #expect(try site.run(["build", "--quiet", "--manifest", "content/manifest.json"]).status == 0)
    try site.write(picture: WatchedSite.picture(.green), to: "a.png")
    let watched = try WatchedSite(gate: gate, site: site)
    try gate.reached()
    watched.program.send(SIGKILL)
    #expect(try watched.program.ending().signal == SIGKILL)
    let again = try WatchedSite(site: site)
    #expect(again.waitForLines(1))
    _ = try again.interrupt()
    #expect(try again.files == again.coldFiles())
    #expect(again.leftovers == [])
  }

  /// M23: a partial manifest is not built.
  @Test func `a broken manifest is reported once and built after it is fixed`() throws {
    let watched = try WatchedSite()
    #expect(watched.waitForLines(1))
    let before = watched.files
    try watched.site.write(manifest: "{ \"version\": 1,")
    #expect(watched.waitForLines(2))
    #expect(watched.lines.last == "content/manifest.json: not built; the site is unchanged")
    #expect(watched.files == before)
    try watched.site.folder.write("x", to: "content/notes.txt")
    #expect(watched.waitForLines(3))
    let reported = watched.program.complained.split(separator: "\n").filter {
      $0.contains("error:")
    }
    #expect(reported.count == 1)
    try watched.site.write(users: [("a", ["b.png"])])
    #expect(watched.waitForLines(4))
    _ = try watched.interrupt()
    #expect(try watched.files == watched.coldFiles())
  }

  /// M23: a manifest is saved in two pieces, by rename, and by delete and create.
  ///
  /// Every page is always complete, and the site is kept while the manifest is missing.
  @Test func `a partial site is never visible, however the manifest is saved`() throws {
    let watched = try WatchedSite()
    #expect(watched.waitForLines(1))
    let folder = watched.site.folder
    let file = URL(fileURLWithPath: folder.path(of: "content/manifest.json"))
    let pictures = Set(watched.files.keys.filter { $0.hasPrefix("assets/") })
    let rounds = Extent.isAll ? 200 : 60
    for round in 0..<rounds {
      let text = """
        {"version": 1, "site": {"title": "Round \(round)."}, "avatars": [\(WatchedSite.style)],
        "users": [{"id": "a", "avatar": ["a.png"]}, {"id": "b", "avatar": ["b.png"]}]}
        """
      switch round % 3 {
      case 0:
        try Data(text.utf8.prefix(round)).write(to: file)
        Thread.sleep(forTimeInterval: round % 30 == 0 ? 0.3 : 0.01)
        try Data(text.utf8).write(to: file)
      case 1: try Data(text.utf8).write(to: file, options: .atomic)
      default:
        try folder.remove("content/manifest.json")
        Thread.sleep(forTimeInterval: 0.01)
        try Data(text.utf8).write(to: file)
      }
      let page = try folder.text(of: "output/index.html")
      #expect(page.contains("</html>") && page.contains("person-a") && page.contains("person-b"))
      #expect(pictures.isSubset(of: watched.files.keys))
    }
    #expect(watched.waitFor("Round \(rounds - 1)."))
    #expect(eventually { watched.lines.last?.contains("not built") == false })
    let last = watched.files
    #expect(try last == watched.coldFiles())
    try folder.remove("content/manifest.json")
    #expect(eventually { watched.lines.last?.contains("not built") == true })
    #expect(watched.files == last)
    #expect(try watched.interrupt().status == 130)
    #expect(watched.leftovers == [])
  }

  @Test func `watch mode waits until another build has finished`() throws {
    let watched = try WatchedSite()
    #expect(watched.waitForLines(1))
    do {
      let output = try Folder(opening: watched.site.folder.path(of: "output"))
      guard case .acquired(let lock) = try FileLock.acquire(".sitegen-lock", in: output) else {
        Issue.record("nothing should be locked between rebuilds")
        return
      }
      try watched.site.write(users: [("a", ["a.png"])], more: #""site": {"title": "Late"},"#)
      #expect(eventually { watched.program.complained.contains("another build is running") })
      lock.release()
    }
    #expect(watched.waitFor("Late"))
    #expect(watched.program.complained.split(separator: "\n").count { $0.contains("error:") } == 1)
  }

  @Test func `--watch and --dry-run cannot be combined`() throws {
    for word in ["--dry-run", "--no-cache"] {
      let run = try sitegen(["build", "--watch", word])
      #expect(run.status == 2)
      #expect(run.err.contains("--watch and \(word) cannot be used together"))
    }
  }

  /// F16: the number of threads depends on the jobs, not on 2,000 people.
  @Test func `the number of threads is the number of jobs plus a few`() throws {
    let site = try WatchedSite.twoPeople()
    try site.write(users: (0..<2000).map { ("p\($0)", [$0 % 2 == 0 ? "a.png" : "b.png"]) })
    let watched = try WatchedSite(site: site)
    var most = 0
    #expect(
      eventually {
        let status = try? String(
          contentsOfFile: "/proc/\(watched.program.processID)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("Threads:") }
        most = max(most, line.flatMap { Int($0.split(separator: "\t")[1]) } ?? 0)
        return !watched.lines.isEmpty
      })
    #expect((1...24).contains(most))
  }

  private final class Cancelled: @unchecked Sendable {
    // Sendable, because all access is under the lock.
    private let lock = NSLock()
    private let ended = DispatchSemaphore(value: 0)
    private var value = false

    var isSet: Bool { lock.withLock { value } }

    func set() {
      lock.withLock { value = true }
      ended.wait()
    }

    func end() { ended.signal() }
  }
}
