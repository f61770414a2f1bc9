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
    var repaired: [Problem]?
  }

  @Test func `the exit status tells whether all is well, and names are printed`() throws {
    let site = try built()
    let before = site.tree()
    let sound = try site.run(["verify", "--sample", "1"])
    #expect(sound.status == 0 && sound.err.isEmpty)
    #expect(sound.out.hasPrefix("output: \(before.files.count - 2) files, "))
    #expect(sound.out.hasSuffix(", 1 picture verified; all is well\n"))

    try site.folder.write("cut", to: "output/index.html")
    let wrong = try site.run(["verify"])
    #expect(wrong.status == 1)
    #expect(wrong.err.hasPrefix("output/index.html: error: it has 3 bytes instead of "))
    #expect(wrong.err.contains("[file-changed]") && wrong.out.hasSuffix("verified; 1 problem\n"))
    #expect(try site.run(["verify", "--quiet"]).out.isEmpty)

    let repaired = try site.run(["verify", "--repair"])
    #expect(repaired.status == 0 && repaired.err.isEmpty)
    #expect(repaired.out.hasSuffix("all is well\nrepaired: 1 problem\n"))
    #expect(site.tree().differences(from: before) == [])
  }

  @Test func `one object of JSON says the same`() throws {
    let site = try built()
    try site.folder.remove("output/index.html")
    func account(_ words: String...) throws -> Account {
      let run = try site.run(["verify", "--json"] + words)
      #expect(run.out.last == "\n" && run.out.count { $0 == "\n" } == 1)
      let account = try JSONDecoder().decode(Account.self, from: Data(run.out.utf8))
      #expect(account.version == 1 && account.exitStatus == run.status)
      return account
    }
    let wrong = try account("--sample", "5")
    #expect(wrong.exitStatus == 1 && wrong.counts["pictures"] == 1 && wrong.repaired == nil)
    #expect(wrong.problems.map(\.id) == ["file-missing"])
    #expect(wrong.problems.map(\.location.file) == ["output/index.html"])
    let repaired = try account("--repair")
    #expect(repaired.exitStatus == 0 && repaired.problems.isEmpty)
    #expect(repaired.repaired?.map(\.id) == ["file-missing"])
  }

  @Test func `where there is no site, nothing is made but by a repair`() throws {
    let site = try built()
    for name in ["output", ".sitegen"] { try site.folder.remove(name) }
    let run = try site.run(["verify"])
    #expect(run.status == 1 && run.err.contains("[ledger-wrong]"))
    #expect(!site.folder.exists("output") && !site.folder.exists(".sitegen"))
    #expect(try site.run(["verify", "--repair"]).status == 0)
    #expect(site.folder.exists("output/index.html"))
  }

  @Test func `a repair takes over no folder of somebody else`() throws {
    let site = try built()
    try site.folder.write("mine", to: "elsewhere/index.html")
    let run = try site.run(["verify", "--repair", "--output", "elsewhere"])
    #expect(run.status == 3 && run.err.contains("[output-not-ours]"))
    #expect(try site.folder.text(of: "elsewhere/index.html") == "mine")
  }
}
