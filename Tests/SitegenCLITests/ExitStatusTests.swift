import TestSupport

struct ExitStatusTests {
  private let folder = TemporaryFolder()

  private func manifest(_ users: String) throws {
    try folder.write("version: 1\nusers:\n\(users)\n", to: "content/manifest.yaml")
  }

  private var hasPage: Bool {
    FileManager.default.fileExists(atPath: folder.path(of: "output/index.html"))
  }

  @Test func `a colour mistaken for a file name gets a hint about the syntax`() throws {
    try manifest("  - { id: a, name: A, avatar: \"#f00\" }")
    let run = try sitegen(["check"], in: folder)
    #expect(run.status == 1)
    #expect(run.err.contains("write `color:#f00` for the colour"))
  }

  /// The status is the same for a check and for a build without changes.
  @Test func `if an icon fails, a build publishes the site and exits with 1`() throws {
    try folder.write("version: 1\nicons: { from: none.png }\n", to: "content/manifest.yaml")
    let message = "icons.from: error: cannot use none.png for the icons [source-unreadable]"
    for command in ["check", "build", "build"] {
      let run = try sitegen([command], in: folder)
      #expect(run.status == 1, "\(command)")
      #expect(run.err.contains(message))
      #expect(hasPage == (command == "build"))
    }
  }

  @Test func `a build that uses a fallback exits with 0, or with 1 in strict mode`() throws {
    try manifest("  - { id: a, name: A, avatar: none.jpg, background: red }")
    let strict = try sitegen(["build", "--strict"], in: folder)
    #expect(strict.status == 1)
    #expect(strict.err.contains("[strict]"))
    #expect(!hasPage)
    let lenient = try sitegen(["build"], in: folder)
    #expect(lenient.status == 0)
    #expect(lenient.err.contains(": warning: "))
    #expect(hasPage)
  }

  @Test func `if samples cannot be written, init exits with 3`() throws {
    try folder.write("a file", to: "taken")
    let run = try sitegen(["init", "taken/site"], in: folder)
    #expect(run.status == 3)
    #expect(run.err.contains("[samples-unwritable]"))
  }

  @Test func `control characters in the manifest are escaped`() throws {
    try manifest(#"  - { id: a, name: A, avatar: "x\e]0;y\a\e[2J\r\n##[error].jpg" }"#)
    let run = try sitegen(["build"], in: folder)
    #expect(run.err.contains("users[0].avatar: warning: "), "\(run.err)")
    #expect(!run.err.hasControls && !run.out.hasControls)
    #expect(!run.err.contains("##["))
  }
}
