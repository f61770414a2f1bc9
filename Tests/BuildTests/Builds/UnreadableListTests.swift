import Glibc
import SiteSupport

struct UnreadableListTests {
  private let site: TestSite

  init() throws {
    site = try TestSite()
    try site.paint("photos/cy.png", .red)
    for (folder, name) in [("a", "ada"), ("b", "ben")] {
      let page = "---\nname: \(name)\n---\n"
      try site.put(Array(page.utf8), at: "people/\(folder)/\(name).md")
      try site.put(Array(page.utf8), at: "bundles/\(folder)/index.md")
      try site.put(Array("name\n\(name)\n".utf8), at: "lists/\(folder).csv")
      try site.paint("photos/\(folder)/\(name).png", .red)
    }
  }

  private func write(from: String) throws {
    try site.folder.write(
      """
      version: 1
      avatars: [{ \(TestSite.small) }]
      users: { from: "\(from)" }
      fallback: [initials]
      notices: off

      """, to: site.manifest)
  }

  /// Runs a closure while a file next to the manifest is unreadable, even for root.
  private func closing<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    let path = site.folder.path(of: name)
    let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    try #require(unsafe chmod(path, 0) == 0)
    defer { _ = unsafe chmod(path, mode_t(rights ?? 0o755)) }
    return try withoutPower(body)
  }

  private func expectRefusal(_ id: String, _ adjust: (inout BuildOptions) -> Void = { _ in }) throws
  {
    let before = try site.snapshot()
    let failure = try site.failure(adjust)
    #expect(failure.exitStatus == 3)
    guard case .machine(let problem) = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(problem.id == id && problem.note == "permission denied")
    #expect(problem.help?.contains("allow-empty") == false)
    let namesFolders = problem.help?.contains("list only the folders that you want")
    #expect(namesFolders == (id == "users-unreadable"))
    #expect(try site.snapshot() == before)
  }

  /// F41: an unreadable list or folder is an error, and the site stays.
  @Test(arguments: [
    ("people/**/*.md", "people/b"), ("people/*/*.md", "people/b"), ("people/**", "people/b"),
    ("people/**/*.md", "people"), ("people/**/*.md", "people/b/ben.md"),
    ("bundles/*/index.md", "bundles/b"), ("bundles", "bundles/b"), ("photos/**", "photos/b"),
    ("photos", "photos"), ("lists/*.csv", "lists/b.csv"), ("lists/a.csv", "lists/a.csv"),
    ("lists/a.csv", "lists"),
  ])
  func `the site is kept if a list is unreadable`(from: String, closed: String) throws {
    try write(from: from)
    let people = try site.build().report.users.total
    #expect(people > 0)
    try closing("content/" + closed) {
      try expectRefusal("users-unreadable")
      try expectRefusal("users-unreadable") { $0.strict = true }
      try expectRefusal("users-unreadable") { $0.allowEmpty = true }
      try expectRefusal("users-unreadable") { $0.dryRun = true }
      let check = #expect(throws: BuildFailure.self) { try Build(site.options()).check() }
      #expect(check?.exitStatus == 3)
    }
    #expect(try site.build().report.users.total == people)
  }

  /// F41: folders that the file system creates for itself never contain people.
  @Test(arguments: ["lost+found", "System Volume Information"])
  func `glob patterns skip unreadable system folders`(folder: String) throws {
    try site.put(Array("---\nname: eve\n---\n".utf8), at: "people/\(folder)/eve.md")
    try write(from: "people/**/*.md")
    let result = try closing("content/people/\(folder)") { try Build(site.options()).check() }
    #expect(result.report.users.total == 2)
  }

  /// F41: in watch mode, the old site is also kept.
  @Test func `a rebuild keeps the site if a list is unreadable`() throws {
    try write(from: "people/**/*.md")
    let watch = Rebuilding(site)
    #expect(watch.rebuild()?.users.total == 2)
    let before = try site.snapshot()
    try closing("content/people/b") {
      guard case .failed(let failure) = watch.rebuilder.rebuild() else {
        Issue.record("expected the rebuild to fail")
        return
      }
      #expect(failure.exitStatus == 3)
    }
    #expect(try site.snapshot() == before)
    #expect(watch.rebuild()?.users.total == 2)
  }

  /// F41: an unreadable manifest is not treated as a manifest without people.
  @Test(arguments: ["content", "content/manifest.yaml"])
  func `the site is kept if the manifest cannot be read`(closed: String) throws {
    try write(from: "photos")
    try site.build()
    try closing(closed) {
      try expectRefusal("manifest-unreadable")
      try expectRefusal("manifest-unreadable") { $0.allowEmpty = true }
    }
  }

  /// A path that matches a pattern is skipped only if its file is missing.
  @Test func `a matching symlink that leads outside the folder is an error`() throws {
    try site.folder.write("---\nname: dan\n---\n", to: "outside/dan.md")
    try site.folder.write("", to: "content/people/c/x.txt")
    try site.folder.link("content/people/a/more", to: "../../../outside")
    try write(from: "people/*/more/*.md")
    let mistakes = try site.mistakes()
    #expect(mistakes.map(\.id) == ["users-unreadable"])
  }
}
