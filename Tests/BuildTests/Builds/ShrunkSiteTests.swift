import SiteSupport

struct ShrunkSiteTests {
  private let site: TestSite

  init() throws { site = try TestSite() }

  private func write(_ ids: [String], buttons: [String] = [], more: String = "") throws {
    try site.write(ids.map { Person($0, "color:red") }, buttons: buttons, more: more)
  }

  private func ids(_ range: Range<Int>) -> [String] { range.map { "user-\($0)" } }

  private func published() throws -> [String] { try site.assets().users.keys.sorted() }

  private func refusal(_ adjust: (inout BuildOptions) -> Void = { _ in }) throws -> Diagnostic {
    let failure = try site.failure(adjust)
    #expect(failure.exitStatus == 3)
    guard case .machine(let problem) = failure else { throw failure }
    return problem
  }

  private func expectRefusal(
    _ message: String, _ adjust: (inout BuildOptions) -> Void = { _ in }
  ) throws {
    let before = try site.snapshot()
    let problem = try refusal(adjust)
    #expect(problem.id == "users-shrunk" && problem.message == message)
    #expect(problem.help?.contains("--allow-shrink") == true)
    #expect(try site.snapshot() == before)
  }

  /// F42: most of the published people cannot be removed by accident.
  @Test func `the site is not updated if more than half of its people are gone`() throws {
    try write(ids(0..<12))
    try site.build()
    try write(ids(7..<12))
    let message = "7 of 12 published people are missing"
    try expectRefusal(message)
    try expectRefusal(message) { $0.strict = true }
    try expectRefusal(message) { $0.dryRun = true }
    try expectRefusal(message) { $0.fetching.ignoringCache = true }
    // The site contains the previous people, so the check also works without a cache.
    try site.folder.remove("cache")
    try expectRefusal(message)
    try write([])
    try expectRefusal("12 of 12 published people are missing") { $0.allowEmpty = true }
    try write(ids(7..<12))
    try site.build { $0.allowShrink = true }
    #expect(try published().count == 5)
    #expect(try site.build().diagnostics.sorted.isEmpty)
  }

  @Test func `people with new ids are treated as different people`() throws {
    try write(ids(0..<12))
    try site.build()
    try write(ids(12..<40))
    try expectRefusal("12 of 12 published people are missing")
    #expect(try refusal().help?.contains("their ids have changed") == true)
  }

  /// F42: minified files do not hide people.
  @Test(arguments: ["", " "]) func `people in minified JSON are counted`(between: String) throws {
    try write(ids(0..<12))
    try site.build()
    let text = try site.text("assets.json")
    try site.folder.write(text.replacing("\n", with: between), to: "output/assets.json")
    try write(ids(0..<1))
    try expectRefusal("11 of 12 published people are missing")
    try site.build { $0.allowShrink = true }
    #expect(try published() == ["user-0"])
  }

  /// F42: a people file that cannot be parsed is not treated as empty.
  @Test(arguments: ["\"people\":{", "\"users\":[{"])
  func `people are kept if assets.json has an unknown format`(start: String) throws {
    try write(ids(0..<12))
    try site.build()
    let text = try site.text("assets.json").replacing("\"users\":{", with: start)
    try site.folder.write(text, to: "output/assets.json")
    let ledger = Ledger(parsing: Array(try site.folder.read("output/\(Ledger.fileName)")))
    let file = Site.File(
      path: "assets.json", size: Int64(text.utf8.count), digest: Digest(of: text))
    try site.folder.write(Ledger(ledger.entries + [file]).bytes, to: "output/\(Ledger.fileName)")
    try write(ids(0..<1))
    try expectRefusal("cannot count the published people: the format of assets.json is unknown")
    try site.build { $0.allowShrink = true }
    #expect(try published() == ["user-0"])
  }

  @Test func `a damaged assets.json is repaired`() throws {
    try write(ids(0..<12))
    try site.build()
    let text = try site.text("assets.json")
    try site.folder.write(String(text.dropLast(text.count / 2)), to: "output/assets.json")
    try site.build()
    #expect(try site.text("assets.json") == text)
  }

  /// F42: a site with only buttons cannot lose people.
  @Test func `people can be added to a site without people`() throws {
    try write([], buttons: ["name: b, normal: red"])
    try site.build { $0.allowEmpty = true }
    try write(ids(0..<12))
    try site.build()
    #expect(try published().count == 12)
  }

  @Test func `removing half of a large group, or most of a small one, is allowed`() throws {
    try write(ids(0..<12))
    try site.build()
    try write(ids(6..<12))
    try site.build()
    #expect(try published().count == 6)
    try write(ids(6..<9), buttons: (0..<12).map { "name: b\($0), normal: red" })
    try site.build()
    try write(ids(0..<1))
    try site.build()
    #expect(try published() == ["user-0"])
  }

  /// Ids are compared after JSON unescaping.
  @Test func `ids with special characters are found in the published site`() throws {
    let odd = ["a\"b", "a\\", "\\\"", "é", "ü", "田中", "a b", "}", "\"users\":{", "👩‍🚀"]
    try write(odd)
    try site.build()
    try write(odd + ["x"])
    try site.build()
    #expect(try published().count == odd.count + 1)
    try write(["x"])
    try expectRefusal("10 of 11 published people are missing")
  }

  /// The `assets.json` of this site is larger than the read buffer.
  @Test func `everyone on a large site is counted exactly once`() throws {
    try write(ids(0..<4_000), more: "pages: false")
    try site.build()
    #expect(try site.folder.read("output/assets.json").count > 1 << 20)
    try write(ids(0..<1), more: "pages: false")
    try expectRefusal("3999 of 4000 published people are missing") { $0.dryRun = true }
  }

  @Test func `a photo folder that loses most of its photos is rejected`() throws {
    try site.folder.write(
      "version: 1\navatars: [{ \(TestSite.small) }]\nusers: { from: p }\nnotices: off\n",
      to: site.manifest)
    for number in 10..<20 { try site.paint("p/n\(number).png", .red) }
    try site.build()
    for number in 10..<16 { try site.folder.remove("content/p/n\(number).png") }
    try expectRefusal("6 of 10 published people are missing")
  }

  /// F42: in watch mode, an edit that removes people is published.
  @Test func `a rebuild that removes most people only prints a warning`() throws {
    try write(ids(0..<12))
    let watch = Rebuilding(site)
    watch.rebuild()
    try write(ids(0..<2))
    guard case .built(let result, _) = watch.rebuilder.rebuild() else {
      Issue.record("expected the rebuild to succeed")
      return
    }
    let reported = result.diagnostics.sorted
    #expect(reported.map(\.id) == ["users-shrunk"] && reported.map(\.severity) == [.warning])
    #expect(reported.first?.message == "10 of 12 published people are missing")
    #expect(try published().count == 2)
  }
}
