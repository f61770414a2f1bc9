import Build
import Bytes
import Diagnostics
import Foundation
import Report
import SiteSupport
import TestSupport
import Testing

/// The page of `build --report-page`.
struct ReportPageBuildTests {
  private func filled() throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.paint("twin.png", .red)
    try site.paint("blue.png", .blue)
    try site.write([
      Person("a", "red.png"), Person("b", "red.png"), Person("c", "twin.png"),
      Person("d", "blue.png"), Person("e", "missing.png"),
    ])
    return site
  }

  private func page(of site: TestSite) throws -> String {
    try site.folder.text(of: "cache/report.html")
  }

  @Test func `the page changes nothing in the output`() throws {
    let plain = try filled()
    try plain.build()
    let other = try filled()
    try other.build(jobs: 2) { $0.reportPage = .standard }
    #expect(try plain.snapshot() == other.snapshot())
    #expect(!plain.folder.exists("cache/report.html"))
    #expect(other.folder.exists("cache/report.html"))
    #expect(!other.outputFiles().contains { $0.contains("report") })
  }

  @Test func `every part is there, and a build without the option leaves the page`() throws {
    let site = try filled()
    try site.build { $0.reportPage = .standard }
    let text = try page(of: site)
    for part in ["stages", "lanes", "slowest", "formats", "savings", "failures"] {
      #expect(text.contains("<h2 id=\"\(part)\">"), "\(part)")
    }
    for chart in ["stages", "lanes", "formats", "savings"] {
      #expect(text.contains("<title id=\"\(chart)-title\">"))
      #expect(text.contains("<desc id=\"\(chart)-desc\">"))
    }
    #expect(text.contains("<code>red.png</code>") || text.contains("<code>twin.png</code>"))
    #expect(text.contains("<code>blue.png</code>"))
    #expect(text.contains("<code>source-unreadable</code>"))
    #expect(text.utf8.count < 200_000)
    try site.clean()
    #expect(!site.folder.exists("cache/report.html"))
  }

  /// Each number of `Made once`, on a site where it can be counted by hand.
  @Test func `what was made once is counted`() throws {
    let site = try filled()
    try site.build { $0.reportPage = .standard }
    let rows = HTMLPage(try page(of: site))
    func value(_ name: String) -> String? {
      var isRow = false
      var cells: [String] = []
      for part in rows.parts {
        if case .text(let text) = part {
          if isRow { cells.append(text) } else if text == name { isRow = true }
        }
      }
      return cells.first { !$0.allSatisfy(\.isWhitespace) }
    }
    // a and b name one file; twin.png has its bytes; c's image is the same render.
    #expect(value("names used again") == "1")
    #expect(value("equal sources") == "1")
    #expect(value("equal renders") == "2")
    #expect(value("equal bytes") == "0")
  }

  @Test func `a build with nothing to do says so`() throws {
    let site = try filled()
    try site.write([Person("a", "red.png")])
    try site.build()
    try site.age("output")
    try site.build()
    let result = try site.build { $0.reportPage = .standard }
    let text = try page(of: site)
    #expect(text.contains("Nothing was to do") == result.report.standing)
    #expect(result.report.standing)
    #expect(text.contains("<h2 id=\"formats\">"))
    #expect(!text.contains("<h2 id=\"slowest\">"))
  }

  @Test func `what strict keeps from being published is told too`() throws {
    let site = try filled()
    _ = try site.failure {
      $0.strict = true
      $0.reportPage = .standard
    }
    #expect(try page(of: site).contains("Nothing was published"))
  }

  @Test func `a dry run writes no page`() throws {
    let site = try filled()
    try site.build {
      $0.dryRun = true
      $0.reportPage = .standard
    }
    #expect(!site.folder.exists("cache/report.html"))
  }

  /// The policy allows the one style element by its hash, and nothing else.
  @Test(arguments: [
    "", "b { color: red }\r\ni::after { content: \"</style><script>alert(1)</script>\" }\r",
  ])
  func `the hash is that of the style`(own: String) throws {
    let site = try filled()
    if !own.isEmpty { try site.folder.write(own, to: "templates/report.css") }
    try site.build { $0.reportPage = .standard }
    let text = try page(of: site)
    let styles = text.components(separatedBy: "<style>")
    #expect(styles.count == 2)
    let css = try #require(styles.last?.components(separatedBy: "</style>").first)
    #expect(!css.utf8.contains(13))
    let hash = Data(Digest(of: css).bytes).base64EncodedString()
    let policy = HTMLPage(text).tags("meta").first { $0["http-equiv"] != nil }?["content"]
    #expect(
      policy
        == "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'")
    #expect(text.components(separatedBy: "</style>").count == 2)
    // A browser finds no markup in a style element.
    let rest = HTMLPage(text.replacingOccurrences(of: css, with: ""))
    #expect(rest.tags("script").isEmpty)
    #expect(rest.tags.allSatisfy { tag in tag["style"] == nil && tag["src"] == nil })
  }

  @Test func `hostile names are text`() throws {
    let site = try TestSite()
    let evil = "<script>alert(1)</script>\"'&\u{202E}"
    try site.put(TestPicture.png(width: 4, height: 4) { _, _ in .red }, at: "<b onclick=x>.png")
    try site.write([
      Person("mild", "<b onclick=x>.png"), Person(evil, "<img src=x onerror=alert(2)>.png"),
      Person("\(evil) 2", "<b onclick=x>.png"),
    ])
    try site.build { $0.reportPage = .standard }
    let parsed = HTMLPage(try page(of: site))
    #expect(parsed.tags("script").isEmpty && parsed.tags("img").isEmpty)
    #expect(parsed.tags.allSatisfy { $0["onclick"] == nil && $0["onerror"] == nil })
    let shown = evil.replacingOccurrences(of: "\u{202E}", with: "\\u{202e}")
    #expect(parsed.texts.contains { $0.contains(shown) })
    #expect(parsed.texts.contains("<b onclick=x>.png"))
  }

  @Test func `the first two hundred failures are shown, the others counted`() throws {
    let site = try TestSite()
    let long = String(repeating: "x", count: 240)
    try site.write((0..<1_205).map { Person("user \($0)", "\(long) \($0).png") })
    try site.build { $0.reportPage = .standard }
    let text = try page(of: site)
    #expect(text.components(separatedBy: "<code>source-unreadable</code>").count == 201)
    #expect(text.contains("And 1,005 more"))
    #expect(text.utf8.count < 200_000)
  }

  @Test func `a page that cannot be filled is a warning, and no older one is left`() throws {
    let site = try filled()
    try site.build { $0.reportPage = .standard }
    try site.folder.remove("cache/report.json")
    try site.folder.write("{{>report}}", to: "templates/report.mustache")
    let result = try site.build { $0.reportPage = .standard }
    let warning = try #require(result.diagnostics.sorted.first { $0.id == "report-unwritable" })
    #expect(warning.severity == .warning)
    #expect(warning.location?.file.hasSuffix("report.mustache") == true)
    #expect(try site.report().users == result.report.users)
    #expect(!site.folder.exists("cache/report.html"))
  }

  @Test func `a page that cannot be written is a warning`() throws {
    let site = try filled()
    try site.build()
    try site.folder.write("mine", to: "cache/report.html/file")
    let result = try site.build { $0.reportPage = .standard }
    #expect(result.diagnostics.sorted.contains { $0.id == "report-unwritable" })
    #expect(site.folder.exists("cache/report.json") && site.folder.exists("output/index.html"))
  }

  @Test func `a template of one's own is used, and one that is broken ends the build`() throws {
    let site = try filled()
    try site.folder.write("<p>{{total}} {{nonsense}}</p>", to: "templates/report.mustache")
    let result = try site.build { $0.reportPage = .standard }
    #expect(try page(of: site).hasPrefix("<p>"))
    #expect(result.diagnostics.sorted.contains { $0.id == "template-unknown-name" })
    try site.folder.write("{{#total}}", to: "templates/report.mustache")
    guard case .usage = try site.failure({ $0.reportPage = .standard }) else {
      Issue.record("the build did not end")
      return
    }
    try site.build()
  }
}
