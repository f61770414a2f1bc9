import Files
import Glibc
import TestSupport

enum Opened: Hashable {
  case bytes(String)
  case refused(FileError.Reason)
}

struct OpenFileTests {
  let temporary = TemporaryFolder()
  let root: Folder

  init() throws {
    try temporary.write("canary", to: "outside/canary")
    try temporary.write("ada", to: "root/a.png")
    root = try Folder(opening: temporary.path(of: "root"))
  }

  func open(_ name: String, allowOutside: Bool = false) -> Opened {
    do throws(FileError) {
      let file = try root.open(beneath: name, allowOutside: allowOutside)
      return .bytes(String(decoding: try file.read(upTo: 1000), as: UTF8.self))
    } catch {
      return .refused(error.reason)
    }
  }

  /// M11: paths that leave the root are rejected, and the canary outside is never opened.
  @Test func `paths that leave the folder are rejected`() throws {
    let canary = OpenWatch(temporary.path(of: "outside/canary"))
    let absolute = temporary.path(of: "outside/canary")
    let refused: [FileError.Reason] = [
      "../outside/canary", "../../etc/passwd", "/etc/passwd", absolute, "a/../../outside/canary",
      "./../outside/canary", "../root/../outside/canary", "..", "/",
    ].map { name in
      guard case .refused(let reason) = open(name) else { return .other }
      return reason
    }
    // `a` is missing, so the lookup fails before it leaves the folder.
    #expect(
      refused == [
        .outside, .outside, .outside, .outside, .notFound, .outside, .outside, .outside, .outside,
      ])
    for name in ["~/x", "file:///etc/passwd", "%2e%2e/outside/canary", "..%2foutside/canary"] {
      #expect(open(name) == .refused(.notFound))
    }
    #expect(open("./a.png") == .bytes("ada"))
    #expect(!canary.wasOpened())
    #expect(open(absolute, allowOutside: true) == .bytes("canary"))
    #expect(canary.wasOpened(), "the watch works")
  }

  /// M12: symlinks are followed only inside the root; chains, loops and dangling links fail.
  @Test func `symlinks are followed only inside the folder`() throws {
    try temporary.write("deep", to: "root/sub/deep.png")
    try temporary.link("root/out.png", to: "../outside/canary")
    try temporary.link("root/absolute.png", to: temporary.path(of: "outside/canary"))
    try temporary.link("root/chain1.png", to: "chain2.png")
    try temporary.link("root/chain2.png", to: "out.png")
    try temporary.link("root/dangling.png", to: "nothing.png")
    try temporary.link("root/loop1.png", to: "loop2.png")
    try temporary.link("root/loop2.png", to: "loop1.png")
    try temporary.link("root/folder", to: "../outside")
    try temporary.link("root/back", to: "../root")
    try temporary.link("root/inside.png", to: "sub/../a.png")
    try temporary.link("root/way", to: "sub")
    try temporary.link("root/proc.png", to: "/proc/self/environ")
    let canary = OpenWatch(temporary.path(of: "outside/canary"))
    for name in [
      "out.png", "absolute.png", "chain1.png", "folder/canary", "back/a.png", "proc.png",
    ] {
      #expect(open(name) == .refused(.outside), "\(name)")
    }
    #expect(open("dangling.png") == .refused(.notFound))
    #expect(open("loop1.png") == .refused(.linked))
    #expect(open("inside.png") == .bytes("ada"))
    #expect(open("way/deep.png") == .bytes("deep"))
    #expect(!canary.wasOpened())
    // A hard link cannot be distinguished from the file's other names.
    #expect(unsafe Glibc.link(temporary.path(of: "root/a.png"), temporary.path(of: "root/b")) == 0)
    #expect(open("b") == .bytes("ada"))
    #expect(open("out.png", allowOutside: true) == .bytes("canary"))
  }

  /// M13: swapping a file and a symlink never returns bytes from a file outside.
  @Test func `a symlink swapped in during open cannot lead outside the folder`() throws {
    let canary = OpenWatch(temporary.path(of: "outside/canary"))
    try temporary.makeFolder("swap")
    let (folder, root) = (temporary, root)
    // One thread renames and the other one opens, for a fixed number of rounds.
    let results = Collected()
    DispatchQueue.concurrentPerform(iterations: 2) { side in
      for round in 0..<5000 {
        if side == 0 {
          let next = folder.path(of: "swap/\(round)")
          if round % 2 == 0 {
            unsafe symlink("../outside/canary", next)
          } else {
            unsafe Glibc.link(folder.path(of: "root/a.png"), next)
          }
          unsafe Glibc.rename(next, folder.path(of: "root/s.png"))
        } else if let file = try? root.open(beneath: "s.png"),
          let bytes = try? file.read(upTo: 100)
        {
          results.add(String(decoding: bytes, as: UTF8.self))
        }
      }
    }
    #expect(Set(results.all).isSubset(of: ["ada"]))
    #expect(!canary.wasOpened())
  }

  /// M14: a pipe, a device, a socket, a folder and files in `/proc` are rejected immediately.
  @Test func `only regular files are opened`() throws {
    #expect(unsafe mkfifo(temporary.path(of: "root/pipe"), 0o600) == 0)
    try temporary.makeFolder("root/folder")
    let socket = try Socket(at: temporary.path(of: "root/socket"))
    // Opening without O_NONBLOCK would wait forever for a writer.
    for name in ["pipe", "socket", "folder", "."] {
      #expect(open(name) == .refused(.notRegular), "\(name)")
      #expect(open(name, allowOutside: true) == .refused(.notRegular), "\(name)")
    }
    for name in [
      "/dev/zero", "/dev/random", "/dev/null", "/dev/tty", "/proc/self/environ", "/proc/self/mem",
      "/proc/version", "/sys/kernel/uevent_seqnum", "/proc/self/fd/0",
    ] {
      #expect(open(name) == .refused(.outside), "\(name)")
      guard case .refused = open(name, allowOutside: true) else {
        Issue.record("\(name) was opened")
        continue
      }
    }
    #expect(open("/dev/zero", allowOutside: true) == .refused(.notRegular))
    #expect(open("/proc/self/environ", allowOutside: true) == .refused(.notRegular))
    let process = try Folder(opening: "/proc/self")
    #expect(throws: FileError.self) { _ = try process.open(beneath: "environ") }
    withExtendedLifetime(socket) {}
  }

  /// M16: names that other programs parse as commands or options are taken literally.
  @Test(arguments: [
    "@file", "|cmd", "-", "a.png[0]", "a.png[9999x9999]", "a%d.png", "*.png", "?", "{a,b}",
    "%[fx:1]", ":", "msl:x", "~", "a b", "a\nb", "\u{1F642}.png", "--help", "a\\b", "png:a.png",
  ])
  func `unusual names are taken literally`(name: String) throws {
    #expect(open(name) == .refused(.notFound))
    try temporary.write("odd", to: "root/" + name)
    #expect(open(name) == .bytes("odd"))
  }

  @Test func `invalid file names are rejected`() {
    #expect(open("a.png\0.jpg") == .refused(.badName))
    #expect(open("a.png\0") == .refused(.badName))
    #expect(open("") == .refused(.notFound))
    #expect(open("a.png/") == .refused(.notFound))
    #expect(open("a.png/b") == .refused(.notFound))
    #expect(open(String(repeating: "x", count: 300)) == .refused(.badName))
  }

  @Test func `a file without read permission cannot be opened`() throws {
    #expect(unsafe chmod(temporary.path(of: "root/a.png"), 0) == 0)
    withoutPower { #expect(open("a.png") == .refused(.denied)) }
  }

  @Test func `a file is read completely`() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try temporary.write(bytes, to: "root/big")
    let file = try root.open(beneath: "big")
    #expect(file.size == 100_000)
    #expect(try file.read(upTo: 100_000) == Data(bytes))
    #expect(try file.readBytes(upTo: 100_000) == bytes)
    var collected: [UInt8] = []
    while true {
      let chunk = try file.readChunk(at: Int64(collected.count), count: 999)
      if chunk.isEmpty { break }
      collected += chunk
    }
    #expect(collected == bytes)
  }

  @Test func `an empty file can be read`() throws {
    try temporary.write("", to: "root/empty")
    let file = try root.open(beneath: "empty")
    #expect(try file.read(upTo: 0).isEmpty)
    #expect(try file.readBytes(upTo: 0).isEmpty)
  }

  @Test func `a file over the size limit is rejected`() throws {
    let file = try root.open(beneath: "a.png")
    #expect(throws: FileError("read", path: file.path, code: EFBIG)) { try file.read(upTo: 2) }
    #expect(throws: FileError("read", path: file.path, code: EFBIG)) {
      try file.readBytes(upTo: 2)
    }
    #expect(try file.read(upTo: 3).count == 3)
  }

  /// Checks for integer overflow; not every file system supports files of this size.
  @Test func `a file of the largest possible size is rejected without an overflow`() throws {
    let memory = TemporaryFolder(inMemory: true)
    try memory.write("", to: "large")
    let path = memory.path(of: "large")
    let size = [Int64.max, 1 << 40].first { unsafe truncate(path, off_t($0)) == 0 }
    let file = try Folder(opening: memory.path).open(beneath: "large")
    #expect(file.size == size)
    #expect(throws: FileError("read", path: file.path, code: EFBIG)) {
      try file.readBytes(upTo: 1 << 20)
    }
  }

  @Test func `a file that grows after opening is read in full or rejected`() throws {
    let file = try root.open(beneath: "a.png")
    try temporary.write(String(repeating: "ada", count: 1000), to: "grown")
    let handle = try #require(FileHandle(forWritingAtPath: temporary.path(of: "root/a.png")))
    try handle.write(contentsOf: temporary.read("grown"))
    #expect(file.size == 3)
    #expect(try file.read(upTo: 3000).count == 3000)
    #expect(try file.readBytes(upTo: 3000).count == 3000)
    #expect(throws: FileError.self) { try file.read(upTo: 2999) }
    #expect(throws: FileError.self) { try file.readBytes(upTo: 2999) }
  }

  @Test func `the stamp describes the opened file`() throws {
    try temporary.setModified("root/a.png", to: 1_000_000_000, nanoseconds: 5)
    let file = try root.open(beneath: "a.png")
    #expect(file.stamp.modified == 1_000_000_000_000_000_005)
    #expect(file.stamp.size == 3)
    #expect(try root.stamp(of: "a.png") == file.stamp)
  }
}
