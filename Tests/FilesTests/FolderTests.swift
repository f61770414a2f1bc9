import Files
import Glibc
import TestSupport

struct FolderTests {
  @Test func `a folder's identity does not depend on its path`() throws {
    let temporary = TemporaryFolder()
    try temporary.makeFolder("a")
    try temporary.makeFolder("b")
    try temporary.link("link", to: "a")
    let folder = try Folder(opening: temporary.path(of: "a"))
    #expect(try folder.isSame(as: Folder(opening: temporary.path(of: "link"))))
    #expect(try folder.isSame(as: Folder(opening: temporary.path(of: "b/../a/"))))
    #expect(try !folder.isSame(as: Folder(opening: temporary.path(of: "b"))))
  }

  let temporary = TemporaryFolder()

  @Test func `opening a missing folder fails unless creation is requested`() throws {
    let path = temporary.path(of: "a/b//c")
    let error = #expect(throws: FileError.self) { try Folder(opening: path) }
    #expect(error == FileError("open", path: path, code: ENOENT))
    #expect(error?.explanation == "no such file or directory")
    _ = try Folder(making: path)
    _ = try Folder(making: path)
    _ = try Folder(making: temporary.path(of: "d/"))
    #expect(temporary.list() == ["a", "a/b", "a/b/c", "d"])
  }

  @Test func `the deepest existing folder in a path is found`() throws {
    try temporary.makeFolder("a/b")
    try temporary.write("x", to: "a/file")
    try temporary.link("link", to: "a/b")
    let table: [(path: String, existing: String, missing: [String])] = [
      ("a/b", "a/b", []), ("a/b/", "a/b", []), ("a/b/c", "a/b", ["c"]),
      ("a//c/d//", "a", ["c", "d"]), ("link/c", "a/b", ["c"]), ("a/file", "a", ["file"]),
      ("c/../a", "", ["c", "..", "a"]), ("c/./d", "", ["c", "d"]), ("a/b/../c", "a", ["c"]),
    ]
    for (path, existing, missing) in table {
      let found = try Folder.nearest(to: temporary.path(of: path))
      #expect(try found.folder.isSame(as: Folder(opening: temporary.path(of: existing))), "\(path)")
      #expect(found.missing == missing, "\(path)")
    }
    #expect(try Folder.nearest(to: "/sitegen-nowhere").folder.isSame(as: Folder(opening: "/")))
    let relative = try Folder.nearest(to: "sitegen-nowhere/a")
    #expect(try relative.folder.isSame(as: Folder(opening: ".")))
    #expect(relative.missing == ["sitegen-nowhere", "a"])
  }

  @Test func `a file cannot be opened as a folder`() throws {
    try temporary.write("x", to: "file")
    for path in ["file", "file/a"] {
      #expect(throws: FileError.self) { try Folder(opening: temporary.path(of: path)) }
      #expect(throws: FileError.self) { try Folder(making: temporary.path(of: path)) }
    }
  }

  @Test func `a folder cannot be opened through symlinks`() throws {
    try temporary.makeFolder("root/real")
    try temporary.makeFolder("outside")
    try temporary.link("root/link", to: "real")
    try temporary.link("root/out", to: "../outside")
    let root = try Folder(opening: temporary.path(of: "root"))
    #expect(try root.folder("real").path == temporary.path(of: "root/real"))
    #expect(try root.folder("new/er", making: true).path == temporary.path(of: "root/new/er"))
    for name in ["link", "out", "link/x", "out/x"] {
      let error = #expect(throws: FileError.self) { try root.folder(name, making: true) }
      #expect(error?.reason == .linked, "\(name)")
    }
    let error = #expect(throws: FileError.self) { try root.folder("..") }
    #expect(error?.reason == .outside)
  }

  @Test func `an open folder keeps its identity when renamed`() throws {
    try temporary.write("x", to: "old/file")
    let folder = try Folder(opening: temporary.path(of: "old"))
    try FileManager.default.moveItem(
      atPath: temporary.path(of: "old"), toPath: temporary.path(of: "new"))
    #expect(try folder.kind(of: "file") == .file)
  }

  @Test func `only the owner can access a private folder`() throws {
    let folder = try Folder(making: temporary.path(of: "cache"), mode: 0o777)
    try folder.makePrivate()
    let attributes = try FileManager.default.attributesOfItem(atPath: temporary.path(of: "cache"))
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test(.needs(.root)) func `a folder owned by another user cannot be made private`() throws {
    try temporary.makeFolder("cache")
    #expect(unsafe chown(temporary.path(of: "cache"), 12345, 12345) == 0)
    let folder = try Folder(opening: temporary.path(of: "cache"))
    let error = #expect(throws: FileError.self) { try folder.makePrivate() }
    #expect(error?.reason == .foreign)
  }
}
