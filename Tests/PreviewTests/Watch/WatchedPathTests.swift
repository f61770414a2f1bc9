import Glibc
import TestSupport

@Suite(.timeLimit(.minutes(15))) struct WatchedPathTests {
  let folder = TemporaryFolder(inMemory: true)

  @Test func `a missing file is reported once it is created`() throws {
    let site = WatchedFolder(folder, ["manifest.yaml"])
    #expect(try site.batch { try folder.write("x", to: "other.yaml") } == [])
    #expect(try site.batch { try folder.write("x", to: "manifest.yaml") } == ["manifest.yaml"])
    #expect(try site.batch { try folder.write("y", to: "manifest.yaml") } == ["manifest.yaml"])
    #expect(try site.batch { try folder.remove("manifest.yaml") } == ["manifest.yaml"])
  }

  @Test func `a file in missing folders is reported once it is created`() throws {
    let site = WatchedFolder(folder, ["a/b/c/file"])
    #expect(try site.batch { try folder.write("x", to: "other/b/c/file") } == [])
    #expect(try site.batch { try folder.write("x", to: "a/b/c/file") } == ["a/b/c/file"])
    #expect(try site.batch { try folder.write("y", to: "a/b/c/file") } == ["a/b/c/file"])
    #expect(try site.batch { try folder.write("y", to: "a/b/c/other") } == [])
    // The file is also watched if its folders are created one by one.
    #expect(try site.batch { try folder.remove("a") } == ["a/b/c/file"])
    for step in ["a", "a/b", "a/b/c"] { _ = try site.batch { try folder.makeFolder(step) } }
    #expect(try site.batch { try folder.write("x", to: "a/b/c/file") } == ["a/b/c/file"])
  }

  @Test func `a missing folder is watched once it is created`() throws {
    let site = WatchedFolder(folder, ["content/pictures"])
    #expect(
      try site.batch { try folder.write("x", to: "content/pictures/in/a.png") }
        == ["content/pictures", "content/pictures/in", "content/pictures/in/a.png"])
    #expect(
      try site.batch { try folder.write("y", to: "content/pictures/in/a.png") }
        == ["content/pictures/in/a.png"])
    #expect(try site.batch { try folder.write("y", to: "content/other") } == [])
  }

  @Test func `renaming and replacing a parent folder is detected`() throws {
    try folder.write("1", to: "site/content/a.png")
    try folder.write("2", to: "new/content/b.png")
    let site = WatchedFolder(folder, ["site/content"])
    let swapped = try site.batch {
      try Doing.rename(folder, "site", to: "old")
      try Doing.rename(folder, "new", to: "site")
    }
    #expect(swapped == ["site/content", "site/content/a.png", "site/content/b.png"])
    #expect(try site.batch { try folder.write("3", to: "old/content/a.png") } == [])
    #expect(
      try site.batch { try folder.write("3", to: "site/content/b.png") } == ["site/content/b.png"])
  }

  @Test func `recreating or replacing a watched folder is detected`() throws {
    try folder.write("1", to: "content/a.png")
    let site = WatchedFolder(folder, ["content"])
    #expect(try site.batch { try folder.remove("content") } == ["content", "content/a.png"])
    #expect(
      try site.batch { try folder.write("1", to: "content/a.png") }
        == ["content", "content/a.png"])
    try folder.write("2", to: "next/b.png")
    #expect(
      try site.batch {
        try Doing.rename(folder, "content", to: "before")
        try Doing.rename(folder, "next", to: "content")
      } == ["content", "content/a.png", "content/b.png"])
    #expect(try site.batch { try folder.write("3", to: "content/b.png") } == ["content/b.png"])
    #expect(try site.batch { try folder.write("3", to: "before/a.png") } == [])
  }

  /// If a process has the folder as its working folder, the deletion causes no event.
  @Test func `deleting a folder that a process has open is detected`() throws {
    try folder.write("1", to: "content/in/a.png")
    let site = WatchedFolder(folder, ["content"])
    for name in ["content", "content/in"] {
      let descriptor = unsafe open(folder.path(of: name), O_RDONLY | O_DIRECTORY)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let batch = try site.batch {
        try folder.remove(name)
        try folder.write("1", to: "content/in/a.png")
      }
      #expect(batch.contains("content/in/a.png"))
      #expect(
        try site.batch { try folder.write("2", to: "content/in/a.png") } == ["content/in/a.png"])
    }
  }

  @Test func `changes are reported under the watched path, whatever its symlinks`() throws {
    try folder.write("1", to: "data/one/a.png")
    try folder.write("2", to: "data/two/b.png")
    try folder.link("content", to: "current")
    try folder.link("current", to: "data/../data/one")
    let site = WatchedFolder(folder, ["content", "content/a.png"])
    #expect(try site.batch { try folder.write("3", to: "data/one/a.png") } == ["content/a.png"])
    let turned = try site.batch {
      try folder.link("next", to: folder.path(of: "data/two"))
      try Doing.rename(folder, "next", to: "current")
    }
    #expect(turned == ["content/a.png", "content/b.png"])
    #expect(try site.batch { try folder.write("3", to: "data/one/a.png") } == [])
    #expect(try site.batch { try folder.write("3", to: "data/two/b.png") } == ["content/b.png"])
    // The targets of the symlinks may also be replaced.
    let replaced = try site.batch {
      try Doing.rename(folder, "data", to: "old")
      try folder.write("4", to: "data/two/c.png")
    }
    #expect(Set(replaced).isSuperset(of: ["content/b.png", "content/c.png"]))
    #expect(try site.batch { try folder.write("5", to: "data/two/c.png") } == ["content/c.png"])
  }

  @Test func `a symlink to a watched file is followed`() throws {
    try folder.write("1", to: "data/real.yaml")
    try folder.link("manifest.yaml", to: "data/real.yaml")
    let site = WatchedFolder(folder, ["manifest.yaml"])
    #expect(
      try site.batch { try Doing.write(folder, "2", to: "data/real.yaml") }
        == ["manifest.yaml"])
    #expect(
      try site.batch {
        try Doing.write(folder, "3", to: "data/new")
        try Doing.rename(folder, "data/new", to: "data/real.yaml")
      } == ["manifest.yaml"])
  }

  @Test func `a symlink loop is treated as a missing file`() throws {
    try folder.link("a", to: "b")
    try folder.link("b", to: "a")
    let site = WatchedFolder(folder, ["a"])
    #expect(
      try site.batch {
        try folder.remove("b")
        try folder.write("x", to: "b")
      } == ["a"])
    #expect(try site.batch { try Doing.write(folder, "y", to: "b") } == ["a"])
  }

  @Test func `overlapping watched paths are reported separately`() throws {
    try folder.write("x", to: "site/in/a.txt")
    let site = WatchedFolder(folder, ["site", "site/in", "site/in/a.txt", "site"])
    #expect(
      try site.batch { try Doing.write(folder, "y", to: "site/in/a.txt") }
        == ["site/in/a.txt"])
    // Each path reports the deletion, and the batch contains it once.
    #expect(try site.batch { try folder.remove("site/in") } == ["site/in", "site/in/a.txt"])
  }

  @Test func `changing the watched paths does not lose events for the remaining paths`() throws {
    for name in ["a/file", "b/file", "c/file"] { try folder.write("x", to: name) }
    let site = WatchedFolder(folder, ["a", "b"])
    // A newly watched path is not a change.
    #expect(site.batch { site.watch(["b", "c"]) } == [])
    let batch = try site.batch {
      for name in ["a/file", "b/file", "c/file"] { try folder.write("y", to: name) }
    }
    #expect(batch == ["b/file", "c/file"])
    let round = try site.batch {
      for number in 0..<50 {
        site.watch(number % 2 == 0 ? ["b"] : ["a", "b", "c"])
        try folder.write("z", to: "b/\(number)")
      }
    }
    #expect(round == (0..<50).map { "b/\($0)" }.sorted())
    #expect(site.batch { site.watch([]) } == [])
    #expect(try site.batch { try folder.write("z", to: "b/file") } == [])
  }
}
