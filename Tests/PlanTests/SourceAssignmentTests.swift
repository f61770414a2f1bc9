import SiteSupport

struct SourceAssignmentTests {
  private func user(_ id: String, _ files: [String], background: Color? = nil) -> User {
    var user = User(
      id: id, name: id,
      avatars: files.map { AvatarSource(.file(SourcePath($0)), at: Position(line: 1, column: 1)) },
      at: FileLocation(file: "m.yaml"), number: 0)
    user.background = background
    return user
  }

  private func site(_ users: [User]) throws -> SiteContent {
    var manifest = try #require(try ManifestText.style("name: s").read().manifest)
    manifest.users = users
    return SiteContent(manifest, StyleResources())
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

  @Test func `users request their first source, and identical sources are requested once`() throws {
    var site = try site([user("a", ["x", "y"]), user("b", ["x"]), user("c", []), user("d", ["z"])])
    #expect(site.assign().map(\.source) == [.file("x"), .file("z")])
    #expect(site.assignments.allSatisfy { $0.source == nil })
  }

  @Test func `users whose source is unavailable request their next source`() throws {
    var site = try site([user("a", ["x", "y"]), user("b", ["x"], background: red)])
    site.sources.add(.failure(bad), for: x)
    #expect(site.assign().map(\.source) == [.file("y"), .color(red)])
    #expect(site.assignments.map(\.failures) == [[bad], [bad]])
    site.sources.add(.success(Source(color: red)), for: SourceKey(.color(red)))
    site.sources.add(.failure(bad), for: y)
    #expect(site.assign().isEmpty)
    #expect(site.status(of: 0) == .failed && site.reason(of: 0) == "corrupt")
    #expect(site.status(of: 1) == .fallback && site.reason(of: 1) == "corrupt")
  }

  @Test func `the reported reason comes from the user's last source before the fallback`() throws {
    var user = user("a", ["x", "y"])
    user.avatars[1].fallback = 0
    var site = try site([user])
    site.sources.add(.failure(bad), for: x)
    site.sources.add(.failure(Rejection(.truncated, "cut")), for: y)
    #expect(site.assign().isEmpty)
    #expect(site.status(of: 0) == .failed && site.reason(of: 0) == "corrupt")
  }

  @Test func `each outcome has its own status`() throws {
    var site = try site([user("a", []), user("b", [], background: red), user("c", ["x"])])
    site.sources.add(.success(Source(color: red)), for: SourceKey(.color(red)))
    site.sources.add(.success(source(1)), for: x)
    #expect(site.assign().isEmpty)
    #expect([0, 1, 2].map { site.status(of: $0) } == [.skipped, .ok, .ok])
    #expect([0, 1, 2].map { site.reason(of: $0) } == ["no-avatar", nil, nil])
  }

  @Test func `changed sources are gathered again`() throws {
    var site = try site([user("a", ["x"]), user("b", ["y"])])
    site.sources.add(.success(source(1)), for: x)
    site.sources.add(.success(source(2)), for: y)
    _ = site.assign()
    site.assignNext(after: [:])
    #expect(site.pending.isEmpty)
    #expect(site.sources.forget([Digest(of: [1])]).keys == [x])
    site.reconsider(sources: [0])
    #expect(site.pending == [0])
    #expect(site.assign() == [x])
    #expect(site.assignments[0].failures.isEmpty && site.assignments[1].source == 1)
  }

  @Test func `the last good picture is tried immediately after its source`() throws {
    var site = try site([user("a", ["x", "y"])])
    site.sources.add(.failure(bad), for: x)
    site.sources.add(lastGood: source(1, in: .gone), for: x, checkedAt: 7)
    #expect(site.assign().isEmpty)
    #expect(site.status(of: 0) == .stale && site.assignments[0].candidate == 0)
    #expect(site.sources.staleness(of: x).map { $0 == (7, bad) } == true)
    // If that picture also fails, the next source follows, and `x` is listed as failed only once.
    site.assignNext(after: [0: Rejection(.decodeFailed, "worse")])
    #expect(site.assign() == [y])
    #expect(site.assignments[0].failures == [bad])
    site.sources.add(.success(source(2)), for: y)
    #expect(site.assign().isEmpty && site.status(of: 0) == .ok)
  }

  @Test func `if a last good picture is missing, its source is gathered again`() throws {
    var site = try site([user("a", ["x", "y"])])
    site.sources.add(.failure(bad), for: x)
    site.sources.add(lastGood: source(1, in: .gone), for: x, checkedAt: 7)
    _ = site.assign()
    site.assignNext(after: [:])
    #expect(site.sources.forget([Digest(of: [1])]).keys == [x])
    site.reconsider(sources: [0])
    #expect(site.assign() == [x])
    #expect(site.assignments[0].failures.isEmpty && site.status(of: 0) != .stale)
  }

  @Test func `files with identical bytes are treated as one source`() throws {
    var set = SourceSet()
    set.add(.success(source(1)), for: x)
    set.add(.success(source(1)), for: y)
    #expect(set.sources.count == 1)
    #expect(try set[y]?.get() == 0)
    #expect(set.forget([Digest(of: [1])]).keys == [x, y])
  }
}
