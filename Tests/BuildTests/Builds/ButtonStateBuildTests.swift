import SiteSupport

struct ButtonStateBuildTests {
  private func built(_ button: String) throws -> (site: TestSite, counters: Counters) {
    let site = try TestSite()
    return (site, try rebuilt(site, button))
  }

  private func rebuilt(_ site: TestSite, _ button: String) throws -> Counters {
    try site.write([], buttons: ["name: b, emit: [png], \(button)"])
    return try site.build { $0.allowEmpty = true }.report.counters
  }

  private func paths(_ site: TestSite, _ state: String) throws -> [String] {
    try #require(site.assets().buttons["b"]?["light"]?[state]).images.map(\.path)
  }

  /// B2: without `highlighted`, both states share one file but remain two states.
  @Test func `without a colour, the highlighted state uses the normal state's file`() throws {
    let (site, counters) = try built("normal: \"#0a84ff\"")
    #expect(counters.renders == 1)
    #expect(try paths(site, "normal") == paths(site, "highlighted"))
    #expect(try paths(site, "normal").count == 1)
    #expect(site.assetFiles().count == 1)
  }

  /// B2: changing a state's colour re-renders its bitmaps and those of states that use its file.
  @Test func `changing the normal colour does not re-render the other states`() throws {
    let (site, first) = try built("normal: \"#0a84ff\", highlighted: \"#0060df\", radius: 4")
    #expect(first.renders == 6)
    let highlighted = try paths(site, "highlighted")
    let stamps = try site.stamps()
    let second = try rebuilt(site, "normal: \"#0a84fe\", highlighted: \"#0060df\", radius: 4")
    #expect(second.renders == 3 && second.removed == 3)
    #expect(try paths(site, "highlighted") == highlighted)
    let after = try site.stamps()
    for path in highlighted { #expect(after[path] == stamps[path]) }
  }
}
