import SiteSupport

struct DocsTests {
  @Test func `every rejection reason in Imaging has a diagnostic`() {
    for reason in [
      Reason.empty, .unsupportedFormat, .truncated, .corrupt, .tooManyBytes, .tooManyPixels,
      .tooManyScans, .tooManyChunks, .decodeFailed, .renderFailed, .encodeFailed, .glyphMissing,
      .fontUnusable,
    ] {
      #expect(DiagnosticID.texts[reason.rawValue] != nil, "\(reason.rawValue)")
    }
  }

  @Test func `the help text names every readable format`() {
    #expect(
      DiagnosticID.texts["unsupported-format"]?.advice
        == "Save the picture as \(Inspection.Format.list).")
  }

  @Test func `the docs list all exports and no others`() throws {
    let page = try Checkout.text(of: "docs/reference/exports.md")
    let words = page.prefix(upTo: try #require(page.range(of: "\n## ")).lowerBound)
      .matches(of: /(?m)^\| `([^`]*)`/).map { String($0.1) }
    #expect(words == Exports.Kind.allCases.map(\.rawValue))
  }

  @Test func `every example in the docs is a valid manifest`() throws {
    let lists = "docs/howto/people-lists.md"
    let pages = [lists] + ["buttons", "manifest", "styles"].map { "docs/reference/\($0).md" }
    let examples = try pages.flatMap { try Checkout.blocks(of: "yaml", in: $0) }
    let csv = try Checkout.blocks(of: "csv", in: lists)
    #expect(examples.count >= 11 && csv.count == 1)
    for example in examples {
      let people = "{\"team\": {\"members\": [{\"full_name\": \"Ada\", \"active\": true}]}}"
      var text = ManifestText(
        text: example,
        files: [
          "users.csv": csv.joined(), "data/people.json": people,
          "_people/ada.md": "---\ntitle: Ada\n---\n", "git:.": "{\"name\": \"Ada\"}\n",
        ])
      for url in [
        "https://example.org/data/team.json", "https://staff.example.org/api/people/",
        "https://api.github.com/orgs/NAME/members?per_page=100",
      ] { text.lists[url] = (#"[{"login": "ada", "name": "Ada"}]"#, nil) }
      let row = "<row><c t=\"str\"><v>name</v></c></row><row><c t=\"str\"><v>Ada</v></c></row>"
      text.binaries["Team.xlsx"] = TestWorkbook(row).bytes
      #expect(try !text.problems().contains { !$0.hasSuffix("(warning)") }, "\(example)")
    }
  }
}
