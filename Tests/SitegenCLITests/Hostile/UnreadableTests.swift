import Glibc
import TestSupport

/// Runs the real program as a user who lacks permission to read some files.
struct UnreadableTests {
  private let site = SiteFolder()
  /// A wrapper that drops root's right to read all files.
  private let asUser =
    geteuid() == 0
    ? ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []

  private func close(_ name: String) throws {
    try #require(unsafe chmod(site.folder.path(of: name), 0) == 0)
  }

  /// Returns the differences, except for a note that a failed build may leave in the lock file.
  private func changes(of tree: Tree, since before: Tree) -> [String] {
    tree.differences(from: before).filter {
      !$0.hasPrefix("site/.sitegen/") && !$0.hasSuffix(".sitegen-lock")
    }
  }

  private func open(_ name: String) { _ = unsafe chmod(site.folder.path(of: name), 0o755) }

  /// F41: the real program reports unreadable files.
  @Test(arguments: [
    ["build"], ["build", "."], ["build", "../site"], ["build", "--strict"],
    ["build", ".", "--allow-empty"], ["check", "."], ["build", "--dry-run", "."],
    ["build", "content/manifest.json"],
  ])
  func `the site is kept if its content is unreadable`(words: [String]) throws {
    try site.folder.write(
      #"{"version": 1, "users": [{"id": "a"}], "fallback": ["initials"]}"#,
      to: "site/content/manifest.json")
    let folder = site.folder.path(of: "site")
    #expect(try RunningProgram(sitegen: ["build"], in: folder).ending().status == 0)
    let before = site.tree("")
    try close("site/content")
    defer { open("site/content") }
    let run = try RunningProgram(sitegen: words, in: folder, through: asUser).ending()
    #expect(run.status == 3, "\(run.err)")
    #expect(run.err.contains("[manifest-unreadable]\n  note: permission denied"), "\(run.err)")
    #expect(!run.err.contains("allow-empty"))
    open("site/content")
    #expect(changes(of: site.tree(""), since: before) == [])
  }

  @Test(arguments: [
    ("photos", "photos"), ("photos/**", "photos/b"), ("photos", "photos/cyd"),
    ("in/team.csv", "in"),
  ])
  func `an unreadable list is not treated as empty`(path: String, closed: String) throws {
    try site.folder.write(WatchedSite.picture(.red), to: "photos/ada.png")
    try site.folder.write(WatchedSite.picture(.red), to: "photos/b/ben.png")
    try site.folder.write(WatchedSite.picture(.red), to: "photos/cyd")
    try site.folder.write("name\nAda\n", to: "in/team.csv")
    #expect(try site.run(["build", path]).status == 0)
    let names = site.folder.list()
    try close(closed)
    defer { open(closed) }
    for more in [[], ["--allow-empty"]] {
      let run = try site.run(["build", path] + more, through: asUser)
      #expect(run.status == 3, "\(run.err)")
      #expect(run.err.contains("[users-unreadable]\n  note: permission denied"), "\(run.err)")
      #expect(!run.err.contains("allow-empty"))
    }
    open(closed)
    #expect(site.folder.list() == names)
  }

  /// F41: people are kept, but they may lose their photos.
  @Test(arguments: [
    ("name\nAda\nBen\n", "note"), ("name,photo\nAda,ada.png\nBen,ben.png\n", "warning"),
  ])
  func `an unreadable folder that may contain a list's photos is reported`(
    list: String, severity: String
  ) throws {
    for name in ["ada", "ben"] {
      try site.folder.write(WatchedSite.picture(.red), to: "faces/\(name).png")
    }
    try site.folder.write(list, to: "team.csv")
    let words = ["build", "team.csv", "--strict"]
    #expect(try site.run(words).status == 0)
    try close("faces")
    defer { open("faces") }
    let run = try site.run(words, through: asUser)
    // If the list lacks a photo column, the folder may be irrelevant, so this is only a note.
    #expect(run.status == (severity == "note" ? 0 : 1), "\(run.err)")
    #expect(
      run.err.contains("\(severity): cannot read faces/, which may contain photos"), "\(run.err)")
  }

  @Test func `watch mode keeps the site and shows the error`() throws {
    try site.write(
      manifest: #"{"version": 1, "users": {"from": "p/**/*.md"}, "fallback": ["initials"]}"#)
    for name in ["a", "b"] {
      try site.folder.write("---\nname: \(name)\n---\n", to: "content/p/\(name)/\(name).md")
    }
    let program = try site.start(
      ["build", "--watch", "--manifest", "content/manifest.json"], through: asUser)
    #expect(eventually { program.said.contains("2 users") })
    let before = site.tree()
    try close("content/p/b")
    defer { open("content/p/b") }
    try site.folder.write("---\nname: other\n---\n", to: "content/p/a/a.md")
    #expect(eventually { program.said.contains("the site is unchanged") })
    #expect(program.complained.contains("[users-unreadable]"))
    #expect(changes(of: site.tree(), since: before) == [])
    program.send(SIGINT)
    #expect(try program.ending().status == 130)
  }
}
