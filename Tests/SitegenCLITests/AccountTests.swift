import Foundation
import TestSupport
import Testing

/// `--json`: one object on standard output for scripts, in the shapes of docs/report.md.
struct AccountTests {
  let site = SiteFolder()

  private struct Problem: Decodable, Equatable {
    var severity: String
    var id: String
    var path: String?
    var location: Location?

    struct Location: Decodable, Equatable {
      var file: String
      var position: Position?

      struct Position: Decodable, Equatable {
        var line: Int
        var column: Int
      }
    }
  }

  private func account<Shape: Decodable>(
    _ words: [String], status: Int32, as shape: Shape.Type
  ) throws -> Shape {
    let run = try site.run(words)
    #expect(run.status == status, "\(run.err)")
    #expect(run.out.split(separator: "\n").count == 1)
    return try JSONDecoder().decode(shape, from: Data(run.out.utf8))
  }

  private struct Check: Decodable {
    var version: Int
    var exitStatus: Int32
    var manifest: String
    var users: [String: Int]?
    var pictures: [String: Int]?
    var problems: [Problem]
  }

  @Test func `check counts users, and tells problems where they are`() throws {
    let words = ["check", "-m", "content/manifest.json", "--json"]
    try site.write(users: [("a", ["color:#ff0000"]), ("b", ["gone.png"])])
    let some = try account(words, status: 1, as: Check.self)
    #expect(some.version == 1 && some.exitStatus == 1)
    #expect(some.manifest == "content/manifest.json")
    #expect(some.users == ["ok": 1, "fallback": 0, "stale": 0, "skipped": 0, "failed": 1])
    #expect(some.pictures == ["own": 0, "initials": 0, "without": 2])
    #expect(some.problems.map(\.id) == ["source-unreadable"])
    #expect(some.problems.map(\.path) == ["users[1].avatar"])
    try site.write(manifest: #"{"version": 1, "users": [], "page": 1}"#)
    let none = try account(words, status: 2, as: Check.self)
    #expect(none.exitStatus == 2 && none.users == nil)
    let position = Problem.Location.Position(line: 1, column: 29)
    #expect(
      none.problems.contains(
        Problem(
          severity: "error", id: "unknown-key", path: "page",
          location: .init(file: "content/manifest.json", position: position))))
  }

  private struct Diff: Decodable {
    var version: Int
    var exitStatus: Int32
    var equal: Bool?
    var counts: [String: Int]?
    var page: String?
    var problems: [Problem]
  }

  @Test func `diff counts what is different`() throws {
    try site.write(users: [("a", ["color:#ff0000"]), ("b", ["color:#ff0000"])])
    #expect(try site.build().status == 0)
    try site.write(users: [("a", ["color:#00ff00"])])
    #expect(try site.build("-o", "later", "--cache", "cache2").status == 0)
    let words = ["diff", "output", "later", "--json"]
    let different = try account(words, status: 0, as: Diff.self)
    #expect(different.version == 1 && different.exitStatus == 0 && different.equal == false)
    #expect(
      different.counts == [
        "changed": 1, "added": 0, "removed": 1, "buttons": 0, "strips": 0,
      ])
    #expect(different.page == "diff/index.html" && different.problems.isEmpty)
    let same = ["diff", "output", "output", "--to", "same", "--json"]
    #expect(try account(same, status: 0, as: Diff.self).equal == true)
    let missing = try account(["diff", "output", "gone", "--json"], status: 2, as: Diff.self)
    #expect(missing.exitStatus == 2 && missing.equal == nil && missing.problems.count == 1)
  }
}
