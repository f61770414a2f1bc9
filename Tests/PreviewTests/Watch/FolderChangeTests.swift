import Glibc
import TestSupport

@Suite(.timeLimit(.minutes(15))) struct FolderChangeTests {
  let folder = TemporaryFolder(inMemory: true)

  /// C20: a file is detected even if its folder was created just before.
  @Test func `files in a new folder are reported and then watched`() throws {
    let site = WatchedFolder(folder)
    let batch = try site.batch {
      try folder.write("x", to: "a/b/c/one")
      try folder.write("x", to: "a/two")
    }
    #expect(batch == ["a", "a/b", "a/b/c", "a/b/c/one", "a/two"])
    #expect(try site.batch { try folder.write("y", to: "a/b/c/one") } == ["a/b/c/one"])
  }

  /// A running build may have read such a file.
  @Test func `a file created and deleted between two reads is reported`() throws {
    let site = WatchedFolder(folder)
    let batch = try site.batch {
      try folder.write("x", to: "gone")
      try folder.remove("gone")
    }
    #expect(batch == ["gone"])
  }

  @Test func `a tree of 500 folders that is moved in is reported and then watched`() throws {
    try folder.makeFolder("site")
    for number in 0..<500 { try folder.write("x", to: "tree/\(number % 20)/\(number)/file") }
    let all = ["site/tree"] + folder.list().filter { $0.hasPrefix("tree/") }.map { "site/\($0)" }
    let site = WatchedFolder(folder, ["site"])
    #expect(try site.batch { try Doing.rename(folder, "tree", to: "site/tree") } == all)
    #expect(
      try site.batch {
        for number in 0..<500 {
          try folder.write("y", to: "site/tree/\(number % 20)/\(number)/file")
        }
      } == all.filter { $0.hasSuffix("/file") })
    // When the tree is moved out again, each file is reported as missing.
    #expect(try site.batch { try Doing.rename(folder, "site/tree", to: "tree") } == all)
    #expect(try site.batch { try folder.write("z", to: "tree/0/0/file") } == [])
  }

  @Test func `2,000 changed files form one batch`() throws {
    for number in 0..<2000 { try folder.write("x", to: "\(number % 10)/\(number)") }
    let files = folder.list().filter { $0.contains("/") }
    let site = WatchedFolder(folder)
    #expect(try site.batch { for file in files { try folder.write("y", to: file) } } == files)
  }

  @Test func `a renamed folder is reported with its files under both names`() throws {
    try folder.write("x", to: "a/in/file")
    let site = WatchedFolder(folder)
    #expect(
      try site.batch { try Doing.rename(folder, "a", to: "b") }
        == ["a", "a/in", "a/in/file", "b", "b/in", "b/in/file"])
    #expect(try site.batch { try folder.write("y", to: "b/in/file") } == ["b/in/file"])
    #expect(try site.batch { try folder.write("y", to: "a/in/file") }.contains("a/in/file"))
  }

  @Test func `folders that swap names are watched under their new names`() throws {
    try folder.write("1", to: "a/one")
    try folder.write("2", to: "b/two")
    try folder.write("3", to: "b/a/three")
    let site = WatchedFolder(folder)
    let batch = try site.batch {
      try Doing.rename(folder, "a", to: "t")
      try Doing.rename(folder, "b", to: "a")
      try Doing.rename(folder, "t", to: "b")
      try Doing.rename(folder, "a/a", to: "c")
    }
    #expect(
      Set(batch).isSuperset(of: ["a/one", "a/two", "b/one", "b/two", "b/a/three", "c/three"]))
    for name in ["a/two", "b/one", "c/three"] {
      #expect(try site.batch { try folder.write("new", to: name) } == [name])
    }
  }

  @Test func `a deleted folder is watched again after it is recreated`() throws {
    try folder.write("x", to: "a/in/file")
    let site = WatchedFolder(folder)
    for _ in 0..<3 {
      #expect(try site.batch { try folder.remove("a") } == ["a", "a/in", "a/in/file"])
      #expect(
        try site.batch { try folder.write("x", to: "a/in/file") } == ["a", "a/in", "a/in/file"])
      #expect(
        try site.batch {
          try folder.remove("a")
          try folder.write("x", to: "a/other")
        } == ["a", "a/in", "a/in/file", "a/other"])
      #expect(try site.batch { try folder.write("y", to: "a/other") } == ["a/other"])
      try folder.remove("a")
      try folder.write("x", to: "a/in/file")
      _ = site.batch {}
    }
  }

  @Test func `a folder can be replaced by a file, and a file by a folder`() throws {
    try folder.write("x", to: "a/file")
    try folder.write("x", to: "b")
    let site = WatchedFolder(folder)
    let batch = try site.batch {
      try folder.remove("a")
      try folder.write("x", to: "a")
      try folder.remove("b")
      try folder.write("x", to: "b/file")
    }
    #expect(batch == ["a", "a/file", "b", "b/file"])
    #expect(try site.batch { try folder.write("y", to: "a") } == ["a"])
    #expect(try site.batch { try folder.write("y", to: "b/file") } == ["b/file"])
  }

  @Test func `a symlink to a folder is reported but not followed`() throws {
    try folder.write("x", to: "elsewhere/file")
    try folder.makeFolder("site")
    let site = WatchedFolder(folder, ["site"])
    #expect(try site.batch { try folder.link("site/link", to: "../elsewhere") } == ["site/link"])
    #expect(try site.batch { try folder.write("y", to: "elsewhere/file") } == [])
    #expect(try site.batch { try folder.remove("site/link") } == ["site/link"])
  }

  @Test(.needs(.noRoot))
  func `a folder is watched as soon as it becomes readable`() throws {
    try folder.write("x", to: "a/file")
    try #require(unsafe chmod(folder.path(of: "a"), 0) == 0)
    let site = WatchedFolder(folder)
    #expect(
      try site.batch { try #require(unsafe chmod(folder.path(of: "a"), 0o700) == 0) }
        == ["a/file"])
    #expect(try site.batch { try folder.write("y", to: "a/file") } == ["a/file"])
  }
}
