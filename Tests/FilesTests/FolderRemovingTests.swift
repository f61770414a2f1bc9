import Files
import Glibc
import TestSupport

struct FolderRemovingTests {
  let temporary = TemporaryFolder()
  let root: Folder

  init() throws {
    try temporary.write("x", to: "root/a/b/one")
    try temporary.write("x", to: "root/a/b/c/two")
    try temporary.write("canary", to: "outside/canary")
    try temporary.link("root/a/link", to: "../../outside")
    root = try Folder(opening: temporary.path(of: "root"))
  }

  @Test func `removing a file twice is not an error`() throws {
    #expect(try root.remove("a/b/one"))
    #expect(try !root.remove("a/b/one"))
    #expect(try !root.remove("nowhere/one"))
    #expect(temporary.list().contains("root/a/b/c/two"))
  }

  @Test func `a folder cannot be removed as a file`() {
    #expect(throws: FileError.self) { try root.remove("a") }
  }

  @Test func `removing a symlink keeps its target`() throws {
    let error = #expect(throws: FileError.self) { try root.remove("a/link/canary") }
    #expect(error?.reason == .linked)
    #expect(try root.remove("a/link"))
    #expect(temporary.exists("outside/canary"))
  }

  @Test func `only empty parent folders are removed`() throws {
    // Folders behind a symlink do not count as parents.
    try root.removeEmptyParents(of: "a/link/gone/already")
    try root.remove("a/b/c/two")
    try root.removeEmptyParents(of: "a/b/c/two")
    #expect(!temporary.exists("root/a/b/c"))
    #expect(temporary.exists("root/a/b/one"))
    try root.remove("a/b/one")
    try root.remove("a/link")
    try root.removeEmptyParents(of: "a/b/c/gone/already")
    #expect(temporary.list() == ["outside", "outside/canary", "root"])
  }

  @Test func `a tree with symlinks and unusual names is removed`() throws {
    try temporary.write("x", to: "root/a/@file")
    let odd = temporary.path(of: "root/a/").utf8.map { CChar(bitPattern: $0) } + [-1, -2, 0]
    let descriptor = unsafe creat(odd, 0o600)
    #expect(descriptor >= 0)
    close(descriptor)
    try root.removeTree("a")
    try root.removeTree("a")
    try root.removeTree("nowhere/a")
    #expect(temporary.list() == ["outside", "outside/canary", "root"])
  }

  @Test func `EPERM and EACCES are both reported as denied`() throws {
    // Files in `/proc` cannot be removed: EPERM for root, EACCES for other users.
    let kernel = try Folder(opening: "/proc/self")
    let error = #expect(throws: FileError.self) { try kernel.removeTree("environ") }
    #expect(error?.reason == .denied)
    let parent = #expect(throws: FileError.self) { try root.removeTree("a/b/one/x") }
    #expect(parent?.code == ENOTDIR)
  }

  @Test func `a deeply nested tree is removed`() throws {
    try root.write(Data(), to: Array(repeating: "d", count: 200).joined(separator: "/") + "/f")
    try root.removeTree("d")
    #expect(try root.kind(of: "d") == nil)
  }

  @Test func `removing a tree also works on a single file`() throws {
    try root.removeTree("a/b/one")
    #expect(!temporary.exists("root/a/b/one"))
    #expect(temporary.exists("root/a/b/c"))
  }

  @Test func `a retired folder disappears immediately and is deleted later`() throws {
    let name = try #require(try root.retire("a"))
    #expect(name.hasPrefix(".sitegen-tmp-"))
    #expect(try root.kind(of: "a") == nil)
    #expect(try root.kind(of: name) == .folder)
    #expect(try root.retire("a") == nil)
    #expect(try root.sweepTemporaries() == 1)
    #expect(temporary.list() == ["outside", "outside/canary", "root"])
  }

  @Test func `sweeping removes only sitegen's temporary files`() throws {
    try temporary.write("x", to: "root/.sitegen-tmp-1-1")
    try temporary.write("x", to: "root/a/b/.sitegen-tmp-999-3")
    try temporary.write("x", to: "root/a/b/.sitegen-files")
    try temporary.write("x", to: "outside/.sitegen-tmp-1-1")
    try temporary.write("x", to: "root/a/x.sitegen-tmp-1-1")
    #expect(try root.sweepTemporaries() == 2)
    #expect(
      try root.walkAll() == [
        "a", "a/b", "a/b/.sitegen-files", "a/b/c", "a/b/c/two", "a/b/one", "a/link",
        "a/x.sitegen-tmp-1-1",
      ])
    #expect(temporary.exists("outside/.sitegen-tmp-1-1"))
  }

  @Test func `sweeping skips the given files`() throws {
    try temporary.write("x", to: "root/.sitegen-tmp-1-1")
    try temporary.write("x", to: "root/b/.sitegen-tmp-1-1")
    try temporary.write("x", to: "root/a/.sitegen-tmp-1-2")
    let name = try #require(try root.retire("a"))
    #expect(try root.retired() == [name])
    #expect(try root.sweepTemporaries(sparing: [name]) == 2)
    #expect(try root.retired() == [name])
    #expect(temporary.exists("root/\(name)/.sitegen-tmp-1-2"))
    #expect(!temporary.exists("root/b/.sitegen-tmp-1-1"))
  }

  /// A late deletion must never remove a file that is being staged.
  @Test func `names of retired files are not reused`() throws {
    var names: Set<String> = []
    for _ in 0..<100 {
      try root.write(Data(), to: "f")
      let name = try #require(try root.retire("f"))
      try root.removeTree(name)
      #expect(names.insert(name).inserted)
      let staged = try root.stage(Data(), to: "f")
      #expect(!names.contains(staged.temporary))
      root.discard(staged)
    }
    #expect(try root.retired() == [])
  }

  @Test func `walking a tree does not follow symlinks`() throws {
    var kinds: [String: FileKind] = [:]
    try root.walk { entry in kinds[entry.path] = entry.kind }
    #expect(
      kinds == [
        "a": .folder, "a/b": .folder, "a/b/one": .file, "a/b/c": .folder, "a/b/c/two": .file,
        "a/link": .link,
      ])
    #expect(try root.entries(of: "a/b").map(\.path) == ["a/b/c", "a/b/one"])
    #expect(try root.entries(of: "a/b").map(\.name) == ["c", "one"])
    #expect(try root.entries(of: "nowhere") == [])
    #expect(throws: FileError.self) { try root.entries(of: "a/link") }
  }
}

extension Folder {
  fileprivate func walkAll() throws -> [String] {
    var paths: [String] = []
    try walk { entry in paths.append(entry.path) }
    return paths
  }
}
