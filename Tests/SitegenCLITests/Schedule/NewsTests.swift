import TestSupport

struct NewsTests {
  private let site = SiteFolder()

  private func build(_ words: String...) throws -> RunningProgram.Ending {
    try site.run(["build", "--manifest", "content/manifest.json", "--quiet"] + words)
  }

  @Test func `only new and fixed problems are printed, but old ones also set the status`() throws {
    try site.write(picture: TestPicture.png(width: 2, height: 2) { _, _ in .red }, to: "good.png")
    func write(_ pictures: String...) throws { try site.write(users: pictures.map { ($0, [$0]) }) }
    func news(status: Int32) throws -> [String] {
      let run = try build("--new-problems")
      #expect(run.status == status)
      return run.err.split(separator: "\n").map(String.init)
        .filter { $0.contains("error:") || $0.contains("fixed:") }
    }
    let gone = "sitegen: fixed: cannot read gone.png: no such file or directory [source-unreadable]"
    try write("good.png")
    #expect(try news(status: 0) == [])
    try write("gone.png", "good.png")
    #expect(try news(status: 1).count == 1)
    // Another run or another position in the list does not make a problem new.
    #expect(try news(status: 1) == [])
    try write("good.png", "gone.png")
    #expect(try news(status: 1) == [])
    try write("good.png", "gone.png", "too.png")
    let more = try news(status: 1)
    #expect(more.count == 1 && more[0].contains("too.png"), "\(more)")
    try write("good.png", "too.png")
    #expect(try news(status: 1) == [gone])
    #expect(try news(status: 1) == [])
    // An unreadable manifest is also a new problem; other problems are then unknown.
    try site.write(manifest: "{")
    #expect(try news(status: 2).contains { $0.contains("error:") })
    #expect(try news(status: 2) == [])
    try write("good.png")
    #expect(try news(status: 0).count == 1)
    #expect(try news(status: 0) == [])
    // A normal build reports everything.
    try write("gone.png")
    #expect(try build().err.contains("gone.png"))
  }

  private struct Account: Decodable {
    var version: Int
    var exitStatus: Int
    var changed: [String]
    var removed: [String]
    var problems: [Problem]
    var newProblems: [Problem]?
    var healed: [String]?

    struct Problem: Decodable {
      var id: String
    }
  }

  @Test func `the JSON object lists changed files for incremental uploads`() throws {
    func account(_ words: String...) throws -> Account {
      let run = try site.run(["build", "--manifest", "content/manifest.json", "--json"] + words)
      #expect(run.out.split(separator: "\n").count == 1)
      return try JSONDecoder().decode(Account.self, from: Data(run.out.utf8))
    }
    try site.write(users: [("a", ["color:#ff0000"])])
    let first = try account()
    #expect(Set(first.changed) == Set(site.tree().files.keys.filter { !$0.hasPrefix(".") }))
    #expect(first.removed == [] && first.problems.isEmpty && first.newProblems == nil)
    #expect(try account().changed == [])
    try site.write(users: [("a", ["color:#00ff00"]), ("b", ["gone.png"])])
    let second = try account("--new-problems")
    #expect(second.changed.contains("assets.json") && !second.changed.contains("gallery.css"))
    #expect(second.removed.count == 1 && second.removed[0].hasSuffix(".png"))
    #expect(second.exitStatus == 1 && second.problems.map(\.id) == ["source-unreadable"])
    #expect(second.newProblems?.count == 1 && second.healed == [])
    #expect(try account("--new-problems").newProblems?.isEmpty == true)
    try site.write(manifest: "{")
    let broken = try account("--new-problems")
    #expect(broken.exitStatus == 2 && broken.changed == [] && !broken.problems.isEmpty)
  }
}
