import Foundation
import TestSupport
import Testing

/// `sitegen explain` as it is typed.
struct ExplainCommandTests {
  private func built() throws -> SiteFolder {
    let site = SiteFolder()
    try site.write(picture: TestPicture.png(width: 8, height: 8) { _, _ in .red }, to: "a.png")
    try site.write(users: [("a", ["missing.png", "a.png", "initials"]), ("b", ["a.png"])])
    _ = try site.build()
    return site
  }

  @Test func `it tells of a person in words`() throws {
    let site = try built()
    let before = site.tree()
    let run = try site.run(["explain", "--user", "a"])
    #expect(run.status == 0 && run.err.isEmpty)
    let lines = run.out.split(separator: "\n").map(String.init)
    #expect(lines[0] == "a (a): ok")
    #expect(lines[1] == "  1. missing.png: failed, no such file or directory [source-unreadable]")
    #expect(lines[2] == "  2. a.png: shown, png of 8 × 8 pixels")
    #expect(lines[3].hasPrefix("     sha256 ") && lines[4] == "  3. initials: untried")
    #expect(lines[5] == "style s" && lines.contains("  Shape: square"))
    let image = try #require(try site.assets().users["a"]?.avatars["s"]?.first)
    #expect(lines.contains("  1x png: \(image.path)"))
    #expect(lines.contains { $0.hasPrefix("    key ") && $0.hasSuffix(", as in the last build") })
    #expect(lines.last == "  shown by assets.json, index.html, styles/index.html")
    #expect(site.tree().differences(from: before) == [])

    try site.write(picture: TestPicture.png(width: 8, height: 8) { _, _ in .blue }, to: "a.png")
    let changed = try site.run(["explain", "--user", "a", "--style", "s"]).out
    #expect(changed.contains(", another source than in the last build: "))
  }

  /// The sample site builds without a warning; docs/mistakes is for this page.
  @Test func `docs/verify.md shows the output for docs/mistakes`() throws {
    let docs = Checkout.root.appendingPathComponent("docs")
    let folder = TemporaryFolder()
    try FileManager.default.copyItem(
      at: docs.appendingPathComponent("mistakes"),
      to: URL(fileURLWithPath: folder.path(of: "docs")))
    let build = try Sitegen(["build", "docs"], in: folder)
    #expect(build.status == 1)
    for name in ["hedgehog-2019", "sorrel", "fennel"] {
      #expect(build.err.contains("cannot read avatars/\(name).jpg"), "\(build.err)")
    }
    let page = try String(contentsOf: docs.appendingPathComponent("verify.md"), encoding: .utf8)
    let shown = page.components(separatedBy: "```text\nhedgehog ").last?.components(
      separatedBy: "\n  …")
    let start = try #require(shown?.first)
    let run = try Sitegen(
      ["explain", "--user", "hedgehog", "--style", "round", "docs"], in: folder)
    #expect(run.out.hasPrefix("hedgehog \(start)\n"), "\(run.out)")
  }

  /// However the path is written.
  @Test(arguments: ["output/", "", "./output/../output/"])
  func `it tells whose a file is`(prefix: String) throws {
    let site = try built()
    let image = try #require(try site.assets().users["a"]?.avatars["s"]?.first)
    let run = try site.run(["explain", "--file", prefix + image.path])
    #expect(run.status == 0)
    let lines = run.out.split(separator: "\n").map(String.init)
    #expect(lines[0] == "\(image.path): \(image.bytes) bytes, sha256 \(image.sha256)")
    #expect(lines[1] == "  of user a in style s, 1x png")
    #expect(lines[2] == "  of user b in style s, 1x png")
    #expect(lines[3] == "  named by assets.json, index.html, styles/index.html")
    #expect(lines[4] == "a (a): ok")
    let page = try site.run(["explain", "--file", prefix + "index.html"]).out
    #expect(page.contains("  of the site, and of no person\n  named by "))
    try site.folder.write("mine", to: "output/mine.txt")
    let foreign = try site.run(["explain", "--file", prefix + "mine.txt"])
    #expect(foreign.out == "mine.txt: sitegen did not write it\n")
  }

  private struct Account: Decodable {
    struct File: Decodable {
      struct Owner: Decodable { var name: String }
      var path: String
      var isOurs: Bool
      var owners: [Owner]
    }
    struct Explanation: Decodable {
      struct Source: Decodable { var answer: String }
      var user: String
      var sources: [Source]
    }
    struct Problem: Decodable { var id: String }
    var version: Int
    var exitStatus: Int32
    var file: File?
    var explanation: Explanation?
    var problems: [Problem]
  }

  private func account(_ site: SiteFolder, _ words: String...) throws -> Account {
    let run = try site.run(["explain", "--json"] + words)
    #expect(run.out.last == "\n" && run.out.count { $0 == "\n" } == 1)
    let account = try JSONDecoder().decode(Account.self, from: Data(run.out.utf8))
    #expect(account.version == 1 && account.exitStatus == run.status)
    return account
  }

  @Test func `one object of JSON says the same`() throws {
    let site = try built()
    let person = try account(site, "--user", "a")
    #expect(person.explanation?.sources.map(\.answer) == ["failed", "shown", "untried"])
    #expect(person.file == nil && person.problems.isEmpty)
    let image = try #require(try site.assets().users["a"]?.avatars["s"]?.first)
    let file = try account(site, "--file", image.path)
    #expect(file.file?.isOurs == true && file.file?.owners.map(\.name) == ["a", "b"])
    #expect(file.explanation?.user == "a")
    let nobody = try account(site, "--user", "x")
    #expect(nobody.exitStatus == 2 && nobody.problems.map(\.id) == ["unknown-user"])
  }

  @Test(arguments: [["explain"], ["explain", "--user", "a", "--file", "index.html"]])
  func `one of both must be said`(words: [String]) throws {
    let run = try built().run(words)
    #expect(run.status == 2 && run.err.contains("--user or --file"))
  }
}
