import SiteSupport

/// The parsers that `script/bootstrap test` installs.
private enum MarkupTools {
  private static let root = Checkout.root
  static let python = root.appending(path: ".test-tools/bin/python").path
  static let script = root.appending(path: "script/markup.py").path

  static let need = Need("html5lib and tinycss2 (script/bootstrap test)", file: python)
}

/// Checks pages and style sheets with strict parsers.
@Suite(.needs(MarkupTools.need))
struct MarkupTests {
  private func complaints(about files: [String]) throws -> [String] {
    let run = try RunningProgram([MarkupTools.python, "-B", MarkupTools.script] + files).ending()
    try #require(run.status == 0)
    return run.out.split(separator: "\n").map { String($0) }
  }

  private func complaints(about site: TestSite) throws -> [String] {
    let files = site.outputFiles().filter { $0.hasSuffix(".html") || $0.hasSuffix(".css") }
    return try complaints(about: files.map { site.folder.path(of: "output/\($0)") })
  }

  @Test(arguments: [nil, "compact", "wall"])
  func `strict parsers find no errors in pages and style sheets`(theme: String?) throws {
    let site = try TestSite.whole(
      people: theme == nil ? 23 : 11, pages: theme.map { ["theme": $0] } ?? [:],
      more: ["exports": ["touch"]])
    try site.build()
    #expect(try complaints(about: site) == [])
  }

  @Test func `strict parsers find no errors in pages with hostile text`() throws {
    #expect(try complaints(about: EscapingTests.site()) == [])
  }

  @Test func `strict parsers find no errors in pages without people`() throws {
    let site = try TestSite()
    try site.put("version: 1\nbuttons: [{ name: b, normal: red }]\n".utf8, at: "manifest.yaml")
    try site.build()
    #expect(try complaints(about: site) == [])
  }

  @Test func `the strict parsers detect errors`() throws {
    let folder = TemporaryFolder(inMemory: true)
    let bad = [
      "a.html": "<!DOCTYPE html><title>x</title><p><div></p>", "b.html": "<p>no doctype",
      "c.html": "<!DOCTYPE html><title>x</title><a b b></a>",
      "d.html": "<!DOCTYPE html><title>x</title><template><tr><td></tr></template>",
      "e.css": "a { color }", "f.css": "a } b {}",
    ]
    for (name, text) in bad { try folder.write(text, to: name) }
    let complaints = try complaints(about: bad.keys.sorted().map { folder.path(of: $0) })
    for name in bad.keys where name != "d.html" {
      #expect(complaints.contains { $0.contains(name) }, "\(name)")
    }
    // A template may consist of a single table row.
    #expect(!complaints.contains { $0.contains("d.html") })
  }
}
