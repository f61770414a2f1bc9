import Foundation
import TestSupport
import Testing

/// `sitegen verify` as it is typed.
struct VerifyCommandTests {
  private func built() throws -> SiteFolder {
    let site = SiteFolder()
    try site.write(picture: TestPicture.png(width: 8, height: 8) { _, _ in .red }, to: "a.png")
    try site.write(users: [("a", ["a.png"])])
    #expect(try site.build().status == 0)
    return site
  }

  private struct Account: Decodable {
    struct Problem: Decodable {
      struct Location: Decodable { var file: String }
      var id: String
      var location: Location
    }
    var version: Int
    var exitStatus: Int32
    var counts: [String: Int]
    var problems: [Problem]
  }

  @Test func `the exit status tells whether there are problems, and names are printed`() throws {
    let site = try built()
    let before = site.tree()
    let sound = try site.run(["verify", "--sample", "1"])
    #expect(sound.status == 0 && sound.err.isEmpty)
    #expect(sound.out.hasPrefix("output: \(before.files.count - 2) files, "))
    #expect(sound.out.hasSuffix(", 1 picture verified; no problems\n"))

    try site.folder.write("cut", to: "output/index.html")
    let wrong = try site.run(["verify"])
    #expect(wrong.status == 1)
    #expect(wrong.err.hasPrefix("output/index.html: error: it has 3 bytes instead of "))
    #expect(wrong.err.contains("[file-changed]"))
    #expect(
      wrong.out.hasSuffix(
        "verified; 1 problem\nto repair the site, run `sitegen build --no-cache`\n"))
    #expect(try site.run(["verify", "--quiet"]).out.isEmpty)
    #expect(try site.build("--no-cache").status == 0)
    #expect(try site.run(["verify"]).status == 0)
    #expect(site.tree().differences(from: before) == [])
  }

  @Test func `one object of JSON has the same`() throws {
    let site = try built()
    try site.folder.remove("output/index.html")
    let run = try site.run(["verify", "--json", "--sample", "5"])
    #expect(run.out.last == "\n" && run.out.count { $0 == "\n" } == 1)
    let account = try JSONDecoder().decode(Account.self, from: Data(run.out.utf8))
    #expect(account.version == 1 && account.exitStatus == 1 && run.status == 1)
    #expect(account.counts["pictures"] == 1)
    #expect(account.problems.map(\.id) == ["file-missing"])
    #expect(account.problems.map(\.location.file) == ["output/index.html"])
  }

  @Test func `without a site nothing is made`() throws {
    let site = try built()
    for name in ["output", ".sitegen"] { try site.folder.remove(name) }
    let run = try site.run(["verify"])
    #expect(run.status == 1 && run.err.contains("[ledger-wrong]"))
    #expect(!site.folder.exists("output") && !site.folder.exists(".sitegen"))
  }
}
