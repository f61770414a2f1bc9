import Files
import Glibc
import TestSupport

struct FolderPlacingTests {
  let temporary = TemporaryFolder()
  let root: Folder

  init() throws {
    try temporary.makeFolder("root")
    root = try Folder(opening: temporary.path(of: "root"))
  }

  @Test func `writing a file creates its parent folders`() throws {
    try root.write(Data("one".utf8), to: "a/b/c.txt")
    #expect(temporary.list() == ["root", "root/a", "root/a/b", "root/a/b/c.txt"])
    #expect(try temporary.text(of: "root/a/b/c.txt") == "one")
    try root.write(Array("two".utf8), to: "a/b/c.txt")
    #expect(try temporary.text(of: "root/a/b/c.txt") == "two")
    try root.write(Data(), to: "empty")
    #expect(try temporary.read("root/empty").isEmpty)
  }

  @Test func `a large file is written completely`() throws {
    let bytes = [UInt8](repeating: 7, count: 5_000_001)
    try root.write(bytes, to: "big")
    #expect(try temporary.read("root/big") == Data(bytes))
  }

  @Test func `a staged file is invisible until it is published`() throws {
    try root.write(Array("old".utf8), to: "a/page.html")
    let staged = try root.stage(Data("new".utf8), to: "a/page.html")
    #expect(staged.path == "a/page.html")
    // The suffix is random, because a process on another machine may have the same ID.
    let name = try Regex("a/\\.sitegen-tmp-\(getpid())-[0-9a-f]{1,8}-2")
    #expect(staged.temporary.wholeMatch(of: name) != nil)
    #expect(try temporary.text(of: "root/a/page.html") == "old")
    #expect(try temporary.text(of: "root/" + staged.temporary) == "new")
    try root.place(staged)
    #expect(try temporary.text(of: "root/a/page.html") == "new")
    #expect(!temporary.exists("root/" + staged.temporary))
  }

  @Test func `discarding a staged file leaves no files behind`() throws {
    let staged = try root.stage(Data("new".utf8), to: "page.html")
    root.discard(staged)
    #expect(temporary.list() == ["root"])
  }

  @Test func `temporary names that already exist are skipped`() throws {
    let first = try root.stage(Data("new".utf8), to: "page.html")
    for number in 2...4 {
      try temporary.write("x", to: "root/" + first.temporary.dropLast() + "\(number)")
    }
    let staged = try root.stage(Data("new".utf8), to: "page.html")
    #expect(staged.temporary == first.temporary.dropLast() + "5")
  }

  @Test func `permissions follow the umask`() throws {
    try root.write(Data("x".utf8), to: "open")
    try root.write(Data("x".utf8), to: "closed", mode: 0o600)
    // `creat` shows how the umask changes 0666.
    #expect(unsafe close(creat(temporary.path(of: "root/plain"), 0o666)) == 0)
    #expect(try rights("root/open") == rights("root/plain"))
    #expect(try rights("root/closed") == rights("root/plain") & 0o600)
  }

  func rights(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: temporary.path(of: name))
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test func `files are never written through symlinks or outside the folder`() throws {
    try temporary.makeFolder("outside")
    try temporary.link("root/link", to: "../outside")
    try temporary.link("root/inner", to: "real")
    try temporary.makeFolder("root/real")
    for name in ["link/x", "link/a/b/x", "inner/x"] {
      let error = #expect(throws: FileError.self) { try root.write(Data("x".utf8), to: name) }
      #expect(error?.reason == .linked)
    }
    for name in ["../x", "/tmp/x", "real/../../x"] {
      let error = #expect(throws: FileError.self) { try root.write(Data("x".utf8), to: name) }
      #expect(error?.reason == .outside, "\(name)")
    }
    for name in ["", ".", "..", "real/", "real/..", "a\0b", "real/a\0b"] {
      let error = #expect(throws: FileError.self) { try root.write(Data("x".utf8), to: name) }
      #expect(error?.reason == .badName, "\(name)")
    }
    #expect(temporary.list() == ["outside", "root", "root/inner", "root/link", "root/real"])
  }

  @Test func `an existing symlink is replaced, not followed`() throws {
    try temporary.write("foreign", to: "outside/file")
    try temporary.link("root/page.html", to: "../outside/file")
    try root.write(Data("ours".utf8), to: "page.html")
    #expect(try temporary.text(of: "outside/file") == "foreign")
    #expect(try root.kind(of: "page.html") == .file)
  }

  @Test func `writing over a folder fails and leaves no temporary file`() throws {
    try temporary.write("x", to: "root/page.html/file")
    let before = temporary.list()
    let error = #expect(throws: FileError.self) { try root.write(Data("y".utf8), to: "page.html") }
    #expect(error?.code == EISDIR)
    #expect(temporary.list() == before)
  }

  @Test func `a full disk is reported as a distinct error`() {
    #expect(FileError("write", path: "x", code: ENOSPC).reason == .full)
    #expect(FileError("write", path: "x", code: EDQUOT).reason == .full)
  }

  @Test func `several threads can write to the same folder`() throws {
    let root = root
    let failures = Collected()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<100 {
        do throws(FileError) {
          try root.write(Data("\(round)".utf8), to: "shared/\(round % 10)/\(thread)-\(round)")
          try root.write(Data("\(thread)".utf8), to: "shared/same")
        } catch {
          failures.add("\(error)")
        }
      }
    }
    #expect(failures.all.isEmpty)
    #expect(temporary.list().count == 1 + 1 + 10 + 400 + 1)
  }

  @Test func `the folder's file system can be synced`() throws {
    try root.write(Data("x".utf8), to: "x")
    try root.sync()
  }
}
