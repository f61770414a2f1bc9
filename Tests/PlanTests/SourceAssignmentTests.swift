import Bytes
import Diagnostics
import Manifest
import Plan
import Recipes
import Testing

struct SourceAssignmentTests {
  private func user(_ id: String, _ files: [String], background: Color? = nil) -> User {
    var user = User(
      id: id, name: id,
      avatars: files.map { AvatarSource(.file(SourcePath($0)), at: Position(line: 1, column: 1)) },
      at: FileLocation(file: "m.yaml"), number: 0)
    user.background = background
    return user
  }

  private let red = Color(red: 255, green: 0, blue: 0)
  private let bad = Rejection(.corrupt, "bad")

  @Test func `each user asks for the first source of its list, and equal ones once`() {
    var assignment = SourceAssignment([
      user("a", ["x", "y"]), user("b", ["x"]), user("c", []), user("d", ["z"]),
    ])
    #expect(assignment.assign(from: SourceSet()) == [.file("x"), .file("z")])
    #expect(assignment.assignments.allSatisfy { $0.source == nil })
  }

  @Test func `a source that cannot be had sends its users on`() {
    var assignment = SourceAssignment([user("a", ["x", "y"]), user("b", ["x"], background: red)])
    var set = SourceSet()
    set.add(bad, for: .file("x"))
    #expect(assignment.assign(from: set) == [.file("y"), .color(red)])
    #expect(assignment.assignments.map(\.failures) == [[bad], [bad]])
    set.add(Source(color: red), for: .color(red))
    set.add(bad, for: .file("y"))
    #expect(assignment.assign(from: set).isEmpty)
    #expect(assignment.status(of: 0) == .failed && assignment.reason(of: 0) == "corrupt")
    #expect(assignment.status(of: 1) == .fallback && assignment.reason(of: 1) == "corrupt")
  }

  @Test func `statuses`() {
    var assignment = SourceAssignment([
      user("a", []), user("b", [], background: red), user("c", ["x"]),
    ])
    var set = SourceSet()
    set.add(Source(color: red), for: .color(red))
    set.add(Source(digest: Digest(of: [1]), origin: .file("x"), kind: "file"), for: .file("x"))
    #expect(assignment.assign(from: set).isEmpty)
    #expect([0, 1, 2].map { assignment.status(of: $0) } == [.skipped, .ok, .ok])
    #expect([0, 1, 2].map { assignment.reason(of: $0) } == ["no-avatar", nil, nil])
  }

  @Test func `a source that changed is looked for again`() {
    var assignment = SourceAssignment([user("a", ["x"]), user("b", ["y"])])
    var set = SourceSet()
    set.add(Source(digest: Digest(of: [1]), origin: .file("x"), kind: "file"), for: .file("x"))
    set.add(Source(digest: Digest(of: [2]), origin: .file("y"), kind: "file"), for: .file("y"))
    _ = assignment.assign(from: set)
    assignment.settle { _, _ in nil }
    #expect(assignment.pending.isEmpty)
    #expect(set.forget([0]) == [.file("x")])
    assignment.reconsider(sources: [0])
    #expect(assignment.pending == [0])
    #expect(assignment.assign(from: set) == [.file("x")])
    #expect(assignment.assignments[0].failures.isEmpty && assignment.assignments[1].source == 1)
  }

  @Test func `equal bytes are one source, whatever they are called`() throws {
    var set = SourceSet()
    let source = Source(digest: Digest(of: [1]), origin: .file("x"), kind: "file")
    set.add(source, for: .file("x"))
    set.add(source, for: .file("y"))
    #expect(set.sources.count == 1)
    #expect(try set[.file("y")]?.get() == 0)
    #expect(Set(set.forget([0])) == [.file("x"), .file("y")])
  }
}
