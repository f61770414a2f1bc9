import SiteSupport

/// The pages in docs/ match the source.
struct DocsTests {
  private func page(_ name: String) throws -> [Substring] {
    let root = Checkout.root
    let text = try String(contentsOf: root.appending(path: "docs/\(name)"), encoding: .utf8)
    return text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Returns the code in the first column of all tables.
  private func rows(_ lines: [Substring]) -> [String] {
    lines.compactMap { line in
      guard line.hasPrefix("| `") else { return nil }
      return String(line.dropFirst(3).prefix { $0 != "`" })
    }
  }

  /// Returns the code blocks of one language.
  private func blocks(of language: String, in lines: [Substring]) -> [String] {
    var blocks: [String] = []
    var isInside = false
    for line in lines {
      if line == "```\(language)" {
        blocks.append("")
        isInside = true
      } else if line == "```" {
        isInside = false
      } else if isInside {
        blocks[blocks.count - 1] += line + "\n"
      }
    }
    return blocks
  }

  @Test func `every reason of Imaging is a diagnostic`() {
    for reason in [
      Reason.empty, .unsupportedFormat, .truncated, .corrupt, .tooManyBytes, .tooManyPixels,
      .tooManyScans, .tooManyChunks, .decodeFailed, .renderFailed, .encodeFailed, .glyphMissing,
      .fontUnusable,
    ] {
      #expect(DiagnosticID.texts[reason.rawValue] != nil, "\(reason.rawValue)")
    }
  }

  @Test func `the help names every readable format`() {
    #expect(
      DiagnosticID.texts["unsupported-format"]?.advice
        == "Save the picture as \(Inspection.Format.list).")
  }

  @Test func `the docs list exactly the existing exports`() throws {
    let section = try page("reference/exports.md").prefix { !$0.hasPrefix("## ") }
    #expect(rows(Array(section)) == Exports.Kind.allCases.map(\.rawValue))
  }

  @Test func `every example in the docs is a valid manifest`() throws {
    let lines = try [
      "howto/people-lists", "reference/buttons", "reference/manifest", "reference/styles",
    ].flatMap { try page($0 + ".md") }
    let examples = blocks(of: "yaml", in: lines)
    let csv = blocks(of: "csv", in: lines)
    #expect(examples.count >= 12)
    #expect(csv.count == 1)
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
