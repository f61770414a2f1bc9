import Preview
import TestSupport

@Suite(.timeLimit(.minutes(15))) struct IgnoringTests {
  @Test(arguments: [
    ".git", ".sitegen", ".sitegen-tmp-12-3", ".a.txt.swp", ".a.txt.kate-swp", ".#a.txt",
    ".goutputstream-AB12", ".a.jpg.Xy12Zz", "a.txt~", "a~", "#a.txt#", "a.swp", "a.swx", "a.swo",
  ])
  func `hidden files and editors' temporary files are ignored`(name: String) {
    #expect(WatchedPath.ignores(name, isFolder: false))
  }

  @Test(arguments: [
    "a.jpg", "4913", "photo.tmp", "photo.bak", "photo.old", "photo", "#1.png", "a#", "##", "~a",
    "a~.png", "swp", "a.swp.png", "größe", "a b", "[0]", "@file", "-", "a.jpg.part",
  ])
  func `names that only resemble temporary files are not ignored`(name: String) {
    #expect(!WatchedPath.ignores(name, isFolder: false))
  }

  @Test func `only hidden folders are ignored`() {
    for name in [".git", ".cache"] { #expect(WatchedPath.ignores(name, isFolder: true)) }
    for name in ["old~", "#team#", "a.swp"] { #expect(!WatchedPath.ignores(name, isFolder: true)) }
  }

  /// C16: ignored paths cause no rebuild.
  @Test func `events in ignored folders are dropped`() throws {
    let folder = TemporaryFolder(inMemory: true)
    for name in ["output/index.html", ".git/HEAD", "a/.cache/x", "a/b.txt"] {
      try folder.write("x", to: name)
    }
    let site = WatchedFolder(folder, ignoring: ["output", "a/later"])
    let nothing = try site.batch {
      try folder.write("new", to: "output/index.html")
      try folder.write("new", to: "output/assets/ab/c.png")
      try folder.write("new", to: ".git/HEAD")
      try folder.write("new", to: "a/.cache/x")
      try folder.write("new", to: "a/later/x")
      try folder.write("new", to: "a/.b.txt.swp")
      try folder.remove("output")
      try folder.write("new", to: "output/index.html")
      try Doing.rename(folder, "output", to: ".trash")
      try folder.write("new", to: ".trash/x")
    }
    #expect(nothing == [])
    // A hidden folder that is renamed to a visible name is reported.
    #expect(
      try site.batch { try Doing.rename(folder, ".trash", to: "found") }
        == ["found", "found/index.html", "found/x"])
    #expect(
      try site.batch { try Doing.rename(folder, "found", to: "output") }
        == ["found", "found/index.html", "found/x"])
    #expect(try site.batch { try folder.write("new", to: "output/index.html") } == [])
  }

  @Test func `an explicitly given path is watched, whatever its name`() throws {
    let folder = TemporaryFolder(inMemory: true)
    try folder.write("x", to: ".site/.users.csv")
    try folder.write("x", to: ".site/pictures/a.png")
    let site = WatchedFolder(
      folder, [".site/.users.csv", ".site/pictures/"], ignoring: [".site/pictures/out/"])
    #expect(
      try site.batch {
        try folder.write("y", to: ".site/.users.csv")
        try folder.write("y", to: ".site/pictures/a.png")
        try folder.write("y", to: ".site/pictures/out/a.png")
      } == [".site/.users.csv", ".site/pictures/a.png"])
  }
}
