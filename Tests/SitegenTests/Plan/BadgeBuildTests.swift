import Documents
import Foundation
import Sitegen
import TestSupport
import Testing

/// Whole builds with badges, which are read once and named by their bytes.
struct BadgeBuildTests {
  private func site(_ badge: String, people: [Person]? = nil) throws -> TestSite {
    let site = try TestSite()
    try site.paint("a.png", .red)
    try site.write(
      people ?? [Person("a", "a.png")],
      styles: [
        "name: small, size: 32, scales: [1], formats: [png], decorations: [\(badge)]"
      ])
    return site
  }

  /// The one mistake that keeps a site from being built, as place, path, id and note.
  private func problem(
    _ site: TestSite, run: (TestSite) throws -> Void
  ) throws -> [String] {
    let failure = try #require(throws: BuildFailure.self) { try run(site) }
    guard case .usage(let diagnostics) = failure else { return ["\(failure)"] }
    #expect(failure.exitStatus == 2 && site.outputFiles().isEmpty)
    let diagnostic = try #require(diagnostics.sorted.first)
    #expect(diagnostics.sorted.count == 1)
    let position = diagnostic.place?.position.map { "\($0.line):\($0.column)" } ?? "-"
    return [position, diagnostic.path ?? "", diagnostic.id, diagnostic.note ?? ""]
  }

  @Test(arguments: [
    ("missing.png", "no such file or directory"),
    ("broken.png", "this is plain text; use JPEG, PNG, WebP, GIF, AVIF or HEIC"),
    ("large.png", "it is larger than 1 MiB"), ("folder", "it is not a regular file"),
    ("../out.png", "it lies outside the manifest's folder"),
  ])
  func `a badge that cannot be used ends the build at its place`(
    path: String, note: String
  ) throws {
    for isCheck in [false, true] {
      let site = try site("{ badge: \(path) }")
      try site.put(Array("broken".utf8), at: "broken.png")
      try site.put([UInt8](repeating: 0, count: (1 << 20) + 1), at: "large.png")
      try site.folder.makeFolder("content/folder")
      try site.folder.write("x", to: "out.png")
      let problem = try problem(site) {
        if isCheck { _ = try Check($0.options()).run() } else { try $0.build() }
      }
      #expect(
        problem == ["3:82", "avatars[0].decorations[0].badge", "badge-unreadable", note])
    }
  }

  @Test func `another picture of a badge is another key`() throws {
    let site = try site("{ badge: b.png, size: 10 }")
    try site.paint("b.png", .blue)
    #expect(try site.build().report.counters.renders == 1)
    #expect(try site.build().report.counters.renders == 0)
    try site.paint("b.png", .green)
    try site.folder.setModified("content/b.png", to: TestSite.longAgo + 10)
    #expect(try site.build().report.counters.renders == 1)
  }

  @Test func `a badge is only on those who list it`() throws {
    let site = try site(
      "{ badge: b.png, name: vip }",
      people: [
        Person("a", "a.png"), Person("b", "a.png", decorations: ["vip"]),
        Person("c", "a.png", decorations: ["vip"]),
      ])
    try site.paint("b.png", .blue)
    let counters = try site.build().report.counters
    #expect(counters.decodes == 1 && counters.renders == 2 && counters.deduped == 1)
    #expect(try site.image(of: "b").path == site.image(of: "c").path)
  }
}
