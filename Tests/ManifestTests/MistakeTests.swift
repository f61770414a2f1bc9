import SiteSupport

struct MistakeTests {
  @Test func `errors about common mistakes suggest a correct line`() throws {
    var text = ""
    for mistake in Mistakes.all {
      let users = mistake.contains("users:") ? "" : "users: [{ id: a }]\n"
      text += mistake
      do {
        let manifest = ManifestText(text: "version: 1\n" + mistake + users)
        for line in try manifest.read().diagnostics.sorted.flatMap(\.lines) {
          text += "> \(line)\n"
        }
      } catch let problem as Diagnostic {
        for line in problem.lines { text += "> \(line)\n" }
      }
      text += "\n"
    }
    try expectSnapshot(text, "mistakes.txt")
  }
}
