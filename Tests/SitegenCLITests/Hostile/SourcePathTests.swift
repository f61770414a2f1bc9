import Glibc
import TestSupport

struct SourcePathTests {
  private let site = SiteFolder()
  private let picture = TestPicture.png(width: 3, height: 3) { _, _ in .red }

  init() throws {
    try site.write(picture: picture, to: "in/a.png")
    try site.folder.write(picture, to: "canary/secret.png")
    try site.folder.link("content/file-link.png", to: "../canary/secret.png")
    try site.folder.link("content/absolute.png", to: site.folder.path(of: "canary/secret.png"))
    try site.folder.link("content/chain.png", to: "file-link.png")
    try site.folder.link("content/folder", to: "../canary")
    try site.folder.link("content/up", to: "..")
    try site.folder.link("content/loop.png", to: "loop.png")
    try site.folder.link("content/dangling.png", to: "nowhere.png")
    try site.folder.link("content/inside.png", to: "in/a.png")
    try site.folder.link("content/in/back.png", to: "../in/./a.png")
  }

  private func reasons(_ sources: [String], _ more: String = "") throws -> [String: String] {
    try site.write(users: sources.map { ($0, [$0]) }, more: more)
    let run = try site.start(SiteFolder.buildWords).ending()
    #expect([0, 1].contains(run.status), "\(run.err)")
    return try site.assets().reasons
  }

  /// M11: paths that leave the manifest's folder are rejected, and their files are not opened.
  @Test func `a path that leaves the folder is rejected`() throws {
    let outside = [
      "../canary/secret.png", "/etc/passwd", site.folder.path(of: "canary/secret.png"),
      "in/../../canary/secret.png", "../content/../canary/secret.png", "..", "../content/in/a.png",
    ]
    let missing = [
      "~/x", "~root/x", "%2e%2e/canary/secret.png", "..\\canary\\secret.png",
      "$HOME/x", "....//canary/secret.png", "in/a.png/", "in/a.png/..", "in//b.png",
    ]
    let fine = ["in/a.png", "in/./a.png", "./in/a.png", "in//a.png", "in/../in/a.png"]
    let reasons = try reasons(outside + missing + fine + ["file:///etc/passwd"])
    #expect(reasons["file:///etc/passwd"] == "bad-address")
    for source in outside { #expect(reasons[source] == "path-outside-root", "\(source)") }
    for source in missing { #expect(reasons[source] == "source-unreadable", "\(source)") }
    for source in fine { #expect(reasons[source] == nil, "\(source)") }
  }

  /// M12: symlinks inside the folder are followed, but loops and outside targets are rejected.
  @Test func `a symlink that leaves the folder is rejected`() throws {
    let outside = [
      "file-link.png", "absolute.png", "chain.png", "folder/secret.png", "up/canary/secret.png",
      "up/content/in/a.png",
    ]
    let unreadable = ["loop.png", "dangling.png"]
    let fine = ["inside.png", "in/back.png"]
    let reasons = try reasons(outside + unreadable + fine)
    for source in outside { #expect(reasons[source] == "path-outside-root", "\(source)") }
    for source in unreadable { #expect(reasons[source] == "source-unreadable", "\(source)") }
    for source in fine { #expect(reasons[source] == nil, "\(source)") }

    let allowed = try self.reasons(outside + ["../canary/secret.png"], #""allowOutside": true,"#)
    #expect(allowed == [:])
  }

  /// M30: sitegen does not search the home folder for photos missing from a list's folder.
  @Test(arguments: [("home", 0), ("elsewhere", 2)])
  func `the home folder is not searched`(home: String, count: Int) throws {
    let folder = TemporaryFolder()
    try folder.write("name,photo\nAda Sample,a.png\nBob Sample,b.png\n", to: "home/team/team.csv")
    for name in ["a", "b"] { try folder.write(picture, to: "home/\(name).png") }
    var variables = RunningProgram.usualEnvironment
    variables["HOME"] = folder.path(of: home)
    let run = try RunningProgram(
      sitegen: ["check", "team.csv"], in: folder.path(of: "home/team"), environment: variables
    ).ending()
    #expect(run.out.contains("pictures: \(count) with their own picture"), "\(run.err)")
  }

  /// M11: files outside the folder are not opened under any name.
  @Test(.needs(Strace.need)) func `files outside the folder are not opened`() throws {
    try site.write(
      users: [
        "../canary/secret.png", "file-link.png", "chain.png", "folder/secret.png", "/etc/passwd",
        "up/canary/secret.png", site.folder.path(of: "canary/secret.png"), "in/a.png",
      ].map { ($0, [$0]) })
    let log = site.folder.path(of: "log")
    let run = try site.build(through: Strace.logging("openat,openat2,open", to: log))
    #expect(run.status == 1)
    let opened = try Audit(log: log).opened
    #expect(opened.contains { $0.contains("in/a.png") })
    for name in ["secret.png", "passwd", "canary", "link.png", "chain.png"] {
      #expect(opened.filter { $0.contains(name) } == [])
    }
  }

  /// M14: anything but a regular file is refused, even if outside paths are allowed.
  @Test func `a source that is not a regular file is rejected immediately`() throws {
    try site.makePipe("content/pipe.png")
    let socket = try Socket(at: site.folder.path(of: "content/socket.png"))
    defer { withExtendedLifetime(socket) {} }
    let sources = [
      "pipe.png", "socket.png", "in", ".", "/dev/zero", "/dev/random", "/dev/stdin", "/dev/fd/0",
      "/proc/self/environ", "/proc/self/mem", "/sys/kernel/uevent_seqnum", "/proc/self/exe", "/",
    ]
    let reasons = try reasons(sources, #""allowOutside": true,"#)
    for source in sources {
      let expected = source == "/proc/self/exe" ? "unsupported-format" : "not-a-regular-file"
      #expect([expected, "source-unreadable"].contains(reasons[source]), "\(source)")
    }
    for source in ["pipe.png", "in", "/dev/zero", "/proc/self/environ"] {
      #expect(reasons[source] == "not-a-regular-file", "\(source)")
    }
  }
}

private struct Socket: ~Copyable {
  private let number: Int32

  init(at path: String) throws {
    number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    // The socket is bound by a relative path, because an address has space for only 107 bytes.
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      for (index, byte) in path.utf8.prefix(room.count - 1).enumerated() {
        unsafe room[index] = byte
      }
    }
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(number, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw POSIXError(.EINVAL) }
  }

  deinit { close(number) }
}
