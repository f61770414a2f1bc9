import SiteSupport

struct PageSettingsTests {
  private func manifest(_ pages: String, users: String = "[{ id: ada }, { id: \"b é\" }]")
    -> ManifestText
  {
    ManifestText(text: "version: 1\npages: \(pages)\nusers: \(users)\n")
  }

  @Test func `examples match ids in any Unicode normalization form`() throws {
    let read = try manifest("{ examples: [\"b e\u{301}\", ada] }").read()
    #expect(read.manifest?.pages.examples == ["b é", "ada"])
  }

  @Test func `unknown examples are reported with the nearest id`() throws {
    let text = manifest("{ examples: [ada, adda, nobody] }")
    #expect(
      try text.problems() == [
        "2:26 pages.examples[1] unknown-user", "2:32 pages.examples[2] unknown-user",
      ])
    let diagnostics = try text.read().diagnostics.sorted
    #expect(diagnostics.map(\.help) == ["did you mean `ada`?", "list the ids of users"])
    #expect(diagnostics.first?.message == "unknown user \"adda\"")
  }

  @Test func `examples are not checked if the users are invalid`() throws {
    #expect(
      try manifest("{ examples: [ada] }", users: "[{ id: ada, focus: nowhere }]").problems()
        .allSatisfy { !$0.contains("unknown-user") })
  }

  @Test func `pages are enabled by default`() throws {
    #expect(try manifest("{}").read().manifest?.pages.areMade == true)
    #expect(try manifest("true").read().manifest?.pages.areMade == true)
    #expect(try manifest("false").read().manifest?.pages.areMade == false)
    #expect(try manifest("no").problems() == ["2:8 pages wrong-type"])
    #expect(try manifest("[]").problems() == ["2:8 pages wrong-type"])
  }

  @Test func `unknown UI strings are reported with the nearest key`() throws {
    let text = ManifestText(
      text: "version: 1\nwords: { people: Crew, peple: x }\nusers: [{ id: a }]\n")
    #expect(try text.problems() == ["2:24 words.peple unknown-key"])
    #expect(try text.read().diagnostics.sorted.first?.help == "did you mean `people`?")
  }
}
