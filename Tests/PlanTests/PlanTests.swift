import SiteSupport

struct PlanTests {
  private func site(_ users: [User], _ set: SourceSet) throws -> SiteContent {
    var manifest = try #require(try ManifestText.style("name: s").read().manifest)
    manifest.styles = [[1.0], [1, 2]].map { scales in
      var style = AvatarStyle(
        name: "s\(scales.count)", declared: Located(FileLocation(file: "m.yaml"), path: ""))
      style.scales = scales
      style.formats = [.png]
      return style
    }
    manifest.users = users
    var site = SiteContent(manifest, StyleResources())
    site.sources = set
    #expect(site.assign().isEmpty)
    return site
  }

  private func user(_ id: String, _ files: String..., styles: [Int]? = nil) -> User {
    var user = User(
      id: id, name: id,
      avatars: files.map { AvatarSource(.file(SourcePath($0)), at: Position(line: 1, column: 1)) },
      at: FileLocation(file: "m.yaml"), number: 0)
    user.styles = styles
    return user
  }

  private func sources(_ names: String...) -> SourceSet {
    var set = SourceSet()
    for name in names {
      let size = PixelSize(width: 8, height: 8)
      let source = Source(
        Inspection(format: .png, size: size), digest: Digest(of: Array(name.utf8)),
        in: .file(SourcePath(name)))
      set.add(.success(source), for: SourceKey(.file(SourcePath(name))))
    }
    return set
  }

  private func plan(_ users: [User], _ set: SourceSet) throws -> (jobs: [Job], wanted: Int) {
    var site = try site(users, set)
    return site.plan()
  }

  /// F4: a plan depends only on its input, and its jobs are in manifest order.
  @Test func `jobs follow the order of the users who need them`() throws {
    let users = [user("z", "z.png"), user("a", "a.png"), user("m", "z.png"), user("b", "b.png")]
    let set = sources("a.png", "b.png", "z.png")
    let plan = try plan(users, set)
    #expect(plan.jobs.map(\.number) == [2, 0, 1])
    #expect(plan.jobs.allSatisfy { $0.variants.map(\.plan) == [0, 1] })
    #expect(plan.wanted == 4 * 3)
  }

  @Test func `a source's job combines the styles of all its users`() throws {
    let users = [user("a", "a.png", styles: [1]), user("b", "a.png", styles: [0])]
    let plan = try plan(users, sources("a.png"))
    #expect(plan.jobs.map { $0.variants.map(\.plan) } == [[1, 0]])
    #expect(plan.wanted == 3)
  }

  @Test func `users without a source are not planned`() throws {
    let users = [user("a"), user("b", "b.png")]
    #expect(try plan(users, sources("b.png")).jobs.map(\.number) == [0])
  }

  @Test func `resolved users are not planned again`() throws {
    let users = [user("a", "a.png", "b.png"), user("b", "b.png")]
    var site = try site(users, sources("a.png", "b.png"))
    site.assignNext(after: [0: Rejection(.corrupt, "bad")])
    #expect(site.pending == [0])
    #expect(site.assign().isEmpty)
    #expect(site.plan().jobs.map(\.number) == [1])
  }

  private func recipe(_ focus: Double, side: Int = 4000) -> Recipe {
    let box = PixelSize(width: side, height: side)
    return Recipe(
      frame: Frame(base: box, box: box, fit: .fill, focus: Focus(x: focus, y: 0.5)),
      outline: .square, effects: [], encoding: Encoding(format: .png))
  }

  private func parts(of source: Source, _ wanted: [(recipe: Recipe, key: Digest)]) -> [Job] {
    var job = Job(source)
    job.recipes = wanted.map(\.recipe)
    job.keys = wanted.map(\.key)
    return job.parts
  }

  private func reduction(of job: Job) -> Int? {
    if case .encoded(_, let reduction) = job.source.picture { reduction } else { nil }
  }

  /// One job cannot exceed a worker's pixel limit, but several jobs together can.
  @Test func `a picture with many variants is split into several jobs`() throws {
    let source = sources("a.png").sources[0]
    // The list has each variant twice, as if two styles need it.
    let wanted = (0..<20).map { number in
      let recipe = recipe(Double(number / 2) / 10)
      return (recipe: recipe, key: Digest(of: [UInt8(number / 2)]))
    }
    let jobs = parts(of: source, wanted)
    #expect(jobs.map(\.recipes.count) == [4, 4, 2])
    #expect(jobs.flatMap(\.recipes) == (0..<10).map { recipe(Double($0) / 10) })
    #expect(jobs.flatMap(\.keys) == (0..<10).map { Digest(of: [$0]) })
    #expect(jobs.allSatisfy { reduction(of: $0) == 1 })
  }

  @Test func `a picture needs a separate job for each decode scale`() {
    let source = Source(
      Inspection(format: .jpeg, size: PixelSize(width: 7000, height: 7000)),
      digest: Digest(of: [1]), in: .file("a.jpg"))
    let recipes = [recipe(0.1, side: 100), recipe(0.1), recipe(0.2, side: 100), recipe(0.2)]
    let jobs = parts(of: source, zip(recipes, 0...).map { ($0, Digest(of: [$1])) })
    #expect(jobs.map(reduction) == [8, 1])
    #expect(jobs.map { $0.recipes.map(\.frame.box.width) } == [[100, 100], [4000, 4000]])
  }

  @Test func `a picture needs only one job, regardless of pinned focus points`() throws {
    let users = (0..<100).map { number in
      var user = user("\(number)", "a.png")
      user.focus = Focus(x: Double(number) / 100, y: 0)
      return user
    }
    let plan = try plan(users, sources("a.png"))
    #expect(plan.jobs.count == 1)
    #expect(plan.wanted == 300)
  }
}
