import Glibc
import TestSupport

@Suite(.needs(Strace.need))
struct DisturbedCallTests {
  private static let step = Extent.isAll ? 1 : 4

  /// I19: if a build is killed at a rename or link, files are complete and the next build succeeds.
  ///
  /// F24: the n-th call fails, for every n; CI tries every fourth n.
  @Test func `a build survives the failure of any rename or link`() throws {
    let sites = try TwoSites()
    var deaths = 0
    for calls in ["rename,renameat,renameat2", "linkat"] {
      for number in stride(from: 1, through: 40, by: Self.step) {
        try sites.reset()
        let strace = Strace.disturbing(calls, "signal=SIGKILL:when=\(number)")
        let run = try sites.site.build("--jobs", "1", through: strace)
        #expect(sites.flaws == [], "\(calls) \(number)")
        guard run.status != 0 else { break }
        deaths += 1
        let differences = try sites.differencesAfterNextBuild()
        #expect(differences == [], "\(calls) \(number)")
      }
    }
    #expect(deaths >= 10 / Self.step)
    #expect(deaths < 40)
  }

  /// F21: the disk is full at the n-th write, for every n.
  @Test func `if the disk is full, a build exits with 3 and keeps the site intact`() throws {
    // With a warm store, no worker runs, whose messages would also be writes.
    let sites = try TwoSites(warm: true)
    var full = 0
    for number in stride(from: 1, through: 24, by: Self.step) {
      try sites.reset()
      let strace = Strace.disturbing("write,pwrite64", "error=ENOSPC:when=\(number)")
      let run = try sites.site.build("--jobs", "1", through: strace)
      #expect(sites.flaws == [], "write \(number)")
      // The failed write may have been a thread's wake-up or the message itself.
      if run.status == 0 { continue }
      full += 1
      #expect(run.status == 3 && run.signal == nil, "write \(number): \(run.err)")
      #expect(
        run.err.isEmpty || run.err.contains("no space left on device")
          || run.err.contains("disk is full"),
        "write \(number): \(run.err)")
      let differences = try sites.differencesAfterNextBuild()
      #expect(differences == [], "write \(number)")
    }
    #expect(full >= 5 / Self.step)
  }

  @Test func `the next build removes files left behind when descriptors ran out`() throws {
    // With a warm store, images are staged in the output.
    let sites = try TwoSites(warm: true)
    var left = 0
    for number in stride(from: 30, to: 80, by: 5) {
      try sites.reset()
      // Staged files are removed through open folders, so `unlinkat` must also fail.
      let strace =
        Strace.disturbing("openat2,unlinkat", "error=EMFILE:when=\(number)+")
        + ["-e", "inject=unlinkat:error=EMFILE"]
      let run = try sites.site.build("--jobs", "1", through: strace)
      guard run.status != 0 else { break }
      // The manifest was unreadable, so nothing was staged.
      guard run.status != 2 else { continue }
      #expect(run.status == 3 && run.err.contains("too many open files"), "\(run.err)")
      left += sites.site.tree().unfinished.count + sites.site.tree(".sitegen").unfinished.count
      let differences = try sites.differencesAfterNextBuild()
      #expect(differences == [], "openat2 \(number)")
    }
    #expect(left > 0)
  }

  /// F25: without the marker file, the folder is treated as foreign, and later builds reject it.
  @Test func `the marker file in a new cache is synced to disk before other files`() throws {
    let sites = try TwoSites()
    try sites.reset()
    try sites.site.folder.remove(".sitegen")
    let log = sites.site.folder.path(of: "calls")
    #expect(try sites.site.build(through: Strace.logging("syncfs,mkdirat", to: log)).status == 0)
    let lines = try Audit(log: log).lines
    let sync = try #require(lines.firstIndex { $0.contains(" syncfs(") })
    let store = try #require(lines.firstIndex { $0.contains("\"store\"") })
    #expect(sync < store)
  }

  @Test func `an ImageMagick module that fails to load does not affect the next build`() throws {
    let sites = try TwoSites()
    try sites.reset()
    try sites.site.folder.remove(".sitegen")
    let folder = "/usr/lib/x86_64-linux-gnu/ImageMagick-6.9.11/modules-Q16/coders/"
    for name in ["webp.la", "webp.so"] where FileManager.default.fileExists(atPath: folder + name) {
      // Disturbs both paths to the file, in every thread.
      let strace = Strace.disturbing("openat", "error=EMFILE", on: folder + name)
      let run = try sites.site.build(through: strace)
      #expect([0, 3].contains(run.status), "\(run.err)")
      #expect(try sites.differencesAfterNextBuild() == [], "\(name)")
    }
  }

  @Test func `clean reports files that it cannot delete, and the next clean succeeds`() throws {
    let sites = try TwoSites()
    try sites.reset()
    // The output is missing, so the cache is the only folder to delete.
    let words = ["clean", "--quiet", "--output", "none"]
    let run = try sites.site.run(words, through: Strace.disturbing("unlinkat", "error=EROFS"))
    #expect(run.status == 3)
    #expect(run.err.contains("cannot remove .sitegen/.sitegen-tmp-gone-"), "\(run.err)")
    #expect(run.err.contains("read-only file system"), "\(run.err)")
    #expect(!sites.site.tree(".sitegen").unfinished.isEmpty)
    #expect(try sites.site.run(words).status == 0)
    #expect(sites.site.tree(".sitegen").unfinished == [])
  }

  /// I17: a read error in a source is reported as that user's failure, without a crash.
  ///
  /// F22: the error occurs in the middle of the file.
  @Test func `a read error in a picture affects only its user`() throws {
    let site = SiteFolder()
    for name in ["a", "b"] {
      try site.write(
        picture: TestPicture.png(
          width: 8, height: 8, pixel: TestPicture.gradient(width: 8, height: 8)),
        to: "\(name).png")
    }
    try site.write(users: [("a", ["a.png"]), ("b", ["b.png"])])
    let strace = Strace.disturbing(
      "pread64", "error=EIO", on: site.folder.path(of: "content/b.png"))
    let run = try site.build(through: strace)
    #expect(run.status == 1, "\(run.err)")
    #expect(run.err.contains("cannot read b.png [source-unreadable]\n  note: input/output error"))
    #expect(try site.assets().reasons == ["b": "source-unreadable"])
    // The picture itself is valid.
    #expect(try site.build().status == 0)
  }
}
