import SiteSupport

struct KeysPageTests {
  /// `UPDATE_DOCS=1` writes the page instead, which CI refuses.
  @Test func `the reference page matches the key tables`() throws {
    let words = try JSONDecoder().decode(
      [String: String].self,
      from: Data(contentsOf: Checkout.root.appending(path: "templates/words-en.json")))
    let text = KeysPage.text(words: words)
    let file = Checkout.root.appending(path: "docs/reference/keys.md")
    let environment = ProcessInfo.processInfo.environment
    if environment["UPDATE_DOCS"] == "1" {
      try #require(environment["CI"] == nil, "CI writes no docs")
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    expect(
      (try? String(contentsOf: file, encoding: .utf8)) ?? "", equals: text,
      "write the page with UPDATE_DOCS=1 script/test --filter KeysPageTests")
  }

  @Test func `every key documents its meaning and values`() {
    for table in KeyTable.all where table.title != KeyTable.strings.title {
      for key in table.entries {
        #expect(key.meaning.hasSuffix(".") && !key.takes.isEmpty, "\(table.title): \(key.name)")
        #expect(!key.meaning.contains("|"), "\(key.name)")
      }
    }
  }
}
