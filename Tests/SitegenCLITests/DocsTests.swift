import Build
import Diagnostics
import Gallery
import Manifest
import Plan
import SitegenCLI
import TestSupport

struct DocsTests {
  /// The page starts with the list of commands; the help for each command follows its heading.
  ///
  /// `UPDATE_DOCS=1` writes these blocks instead, which CI rejects.
  @Test func `the reference page shows the help output`() throws {
    let file = Checkout.root.appending(path: HelpPage.reference)
    let page = try String(contentsOf: file, encoding: .utf8)
    var sections = page.components(separatedBy: "\n## ")
    let texts = ["": HelpPage().text].merging(Command.all.map { ($0.name, HelpPage($0).text) }) {
      $1
    }
    var shown: Set<String> = []
    for index in sections.indices {
      let name = index == 0 ? "" : String(sections[index].prefix { $0 != "\n" })
      guard let text = texts[name] else { continue }
      shown.insert(name)
      var parts = sections[index].components(separatedBy: "```")
      try #require(parts.count >= 3, "\(name)")
      parts[1] = "text\n" + text
      sections[index] = parts.joined(separator: "```")
    }
    #expect(shown == Set(texts.keys))
    let updated = sections.joined(separator: "\n## ")
    let environment = ProcessInfo.processInfo.environment
    if environment["UPDATE_DOCS"] == "1" {
      try #require(environment["CI"] == nil, "CI writes no docs")
      try updated.write(to: file, atomically: true, encoding: .utf8)
    }
    expect(
      try String(contentsOf: file, encoding: .utf8), equals: updated,
      "write the page with UPDATE_DOCS=1 script/test --filter DocsTests")
  }

  @Test func `the catalogue page matches the output of its script`() throws {
    let run = try RunningProgram(["script/catalogue", "--text"]).ending()
    #expect(run.status == 0)
    expect(run.out, equals: try Checkout.text(of: "docs/reference/avatars.md"))
  }

  @Test func `the catalogue shows every style key, and its manifest is valid`() throws {
    let manifest = Checkout.root.appending(path: "docs/avatars/manifest.yaml")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    let style = try #require(KeyTable.all.first { $0.title == "a style" })
    for key in style.keys { #expect(text.contains("\(key):"), "\(key)") }
    let folder = TemporaryFolder()
    var options = BuildOptions(
      jobs: 1, programs: Programs(beside: BuiltProduct.sitegen), pages: GalleryMaker())
    options.manifest = manifest.path
    options.output = folder.path(of: "output")
    options.cache = folder.path(of: "cache")
    let result = try Build(options).check()
    #expect(result.diagnostics.sorted.isEmpty)
  }
}
