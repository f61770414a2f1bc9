import SiteSupport
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
  private let x = SourceKey(.file("x"))
  private let y = SourceKey(.file("y"))

  private func source(_ number: UInt8, in place: Source.Place = .file("x")) -> Source {
    Source(
      Inspection(format: .png, size: PixelSize(width: 8, height: 8)),
      digest: Digest(of: [number]), in: place)
  }

  @Test func `each user asks for the first source of its list, and equal ones once`() {
    var assignment = SourceAssignment([
      user("a", ["x", "y"]), user("b", ["x"]), user("c", []), user("d", ["z"]),
    ])
    #expect(assignment.assign(from: SourceSet()).map(\.source) == [.file("x"), .file("z")])
    #expect(assignment.assignments.allSatisfy { $0.source == nil })
  }

  @Test func `a source that cannot be had sends its users on`() {
    var assignment = SourceAssignment([user("a", ["x", "y"]), user("b", ["x"], background: red)])
    var set = SourceSet()
    set.add(.failure(bad), for: x)
    #expect(assignment.assign(from: set).map(\.source) == [.file("y"), .color(red)])
    #expect(assignment.assignments.map(\.failures) == [[bad], [bad]])
    set.add(.success(Source(color: red)), for: SourceKey(.color(red)))
    set.add(.failure(bad), for: y)
    #expect(assignment.assign(from: set).isEmpty)
    #expect(assignment.status(of: 0) == .failed && assignment.reason(of: 0) == "corrupt")
    #expect(assignment.status(of: 1) == .fallback && assignment.reason(of: 1) == "corrupt")
  }

  @Test func `statuses`() {
    var assignment = SourceAssignment([
      user("a", []), user("b", [], background: red), user("c", ["x"]),
    ])
    var set = SourceSet()
    set.add(.success(Source(color: red)), for: SourceKey(.color(red)))
    set.add(.success(source(1)), for: x)
    #expect(assignment.assign(from: set).isEmpty)
    #expect([0, 1, 2].map { assignment.status(of: $0) } == [.skipped, .ok, .ok])
    #expect([0, 1, 2].map { assignment.reason(of: $0) } == ["no-avatar", nil, nil])
  }

  @Test func `a source that changed is looked for again`() {
    var assignment = SourceAssignment([user("a", ["x"]), user("b", ["y"])])
    var set = SourceSet()
    set.add(.success(source(1)), for: x)
    set.add(.success(source(2)), for: y)
    _ = assignment.assign(from: set)
    assignment.settle([:])
    #expect(assignment.pending.isEmpty)
    #expect(set.forget([Digest(of: [1])]).keys == [x])
    assignment.reconsider(sources: [0])
    #expect(assignment.pending == [0])
    #expect(assignment.assign(from: set) == [x])
    #expect(assignment.assignments[0].failures.isEmpty && assignment.assignments[1].source == 1)
  }

  @Test func `the last good picture comes directly behind its source`() {
    var assignment = SourceAssignment([user("a", ["x", "y"])])
    var set = SourceSet()
    set.add(.failure(bad), for: x)
    set.add(lastGood: source(1, in: .gone), for: x, checkedAt: 7)
    #expect(assignment.assign(from: set).isEmpty)
    #expect(assignment.status(of: 0) == .stale && assignment.assignments[0].candidate == 0)
    #expect(set.staleness(of: x) == Staleness(checkedAt: 7, rejection: bad))
    // If it cannot be shown either, the next source follows, and the first one has failed once.
    assignment.settle([0: Rejection(.decodeFailed, "worse")])
    #expect(assignment.assign(from: set) == [y])
    #expect(assignment.assignments[0].failures == [bad])
    set.add(.success(source(2)), for: y)
    #expect(assignment.assign(from: set).isEmpty && assignment.status(of: 0) == .ok)
  }

  @Test func `a last good picture that is lost makes its source be looked for again`() {
    var assignment = SourceAssignment([user("a", ["x", "y"])])
    var set = SourceSet()
    set.add(.failure(bad), for: x)
    set.add(lastGood: source(1, in: .gone), for: x, checkedAt: 7)
    _ = assignment.assign(from: set)
    assignment.settle([:])
    #expect(set.forget([Digest(of: [1])]).keys == [x])
    assignment.reconsider(sources: [0])
    #expect(assignment.assign(from: set) == [x])
    #expect(assignment.assignments[0].failures.isEmpty && assignment.status(of: 0) != .stale)
  }

  @Test func `equal bytes are one source, whatever they are called`() throws {
    var set = SourceSet()
    set.add(.success(source(1)), for: x)
    set.add(.success(source(1)), for: y)
    #expect(set.sources.count == 1)
    #expect(try set[y]?.get() == 0)
    #expect(set.forget([Digest(of: [1])]).keys == [x, y])
  }
}
