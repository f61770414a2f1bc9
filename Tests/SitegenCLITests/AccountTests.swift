import TestSupport

/// `--json` prints one object to standard output, as described in docs/reference/json-output.md.
struct AccountTests {
  let site = SiteFolder()

  /// Compares the object with a snapshot, one member per line.
  private func expectAccount(_ words: [String], status: Int32, _ name: String) throws {
    let run = try site.run(words)
    #expect(run.status == status, "\(run.err)")
    #expect(run.out.last == "\n" && run.out.count { $0 == "\n" } == 1)
    try expectSnapshot(run.out.replacing(",\"", with: ",\n\""), name)
  }

  @Test func `the check command counts users and shows the locations of problems`() throws {
    let words = ["check", "-m", "content/manifest.json", "--json"]
    try site.write(users: [("a", ["color:#ff0000"]), ("b", ["gone.png"])])
    try expectAccount(words, status: 1, "check.json")
    try site.write(manifest: #"{"version": 1, "users": [], "page": 1}"#)
    try expectAccount(words, status: 2, "check-invalid.json")
  }

  @Test func `the diff command counts differences`() throws {
    try site.write(users: [("a", ["color:#ff0000"]), ("b", ["color:#ff0000"])])
    #expect(try site.build().status == 0)
    try site.write(users: [("a", ["color:#00ff00"])])
    #expect(try site.build("-o", "later", "--cache", "cache2").status == 0)
    try expectAccount(["diff", "output", "later", "--json"], status: 0, "diff.json")
    let same = ["diff", "output", "output", "--to", "same", "--json"]
    try expectAccount(same, status: 0, "diff-equal.json")
    try expectAccount(["diff", "output", "gone", "--json"], status: 2, "diff-unreadable.json")
  }

  @Test func `the verify command lists damaged files`() throws {
    try site.write(users: [("a", ["color:#ff0000"])])
    #expect(try site.build().status == 0)
    try site.folder.remove("output/index.html")
    let words = ["verify", "--json", "--sample", "5"]
    try expectAccount(words, status: 1, "verify.json")
  }
}
