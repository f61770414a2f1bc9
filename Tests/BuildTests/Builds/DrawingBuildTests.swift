import SiteSupport

struct DrawingBuildTests {
  private static func drawing(_ color: String, _ more: String = "") -> Data {
    Data(
      ("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>"
        + "<rect width='9' height='9' fill='\(color)'/>\(more)</svg>").utf8)
  }

  private static let png = TestPicture.png(width: 16, height: 16) { _, _ in .blue }

  /// SVG libraries are loaded only for an SVG, and existing images keep their names.
  @Test(arguments: [1, 4]) func `a site can combine SVG sources and bitmaps`(jobs: Int) throws {
    let site = try TestSite()
    try site.put(Self.png, at: "a.png")
    try site.write([Person("a", "a.png")])
    let first = try site.build(jobs: jobs)
    #expect(first.report.counters.renders == 1)
    try site.put(Self.drawing("red"), at: "b.svg")
    try site.write([Person("a", "a.png"), Person("b", "b.svg"), Person("c", "c.svg", "a.png")])
    let second = try site.build(jobs: jobs)
    #expect(second.report.counters.renders == 1)
    #expect(second.diagnostics.sorted.map(\.id) == ["source-unreadable"])
    let third = try site.build(jobs: jobs)
    #expect(third.report.counters.renders == 0)
    #expect(try site.pixels(of: "b")[8, 8] == [255, 0, 0, 255])
  }

  @Test func `a badge can be an SVG file`() throws {
    let site = try TestSite()
    try site.put(Self.drawing("red"), at: "badge.svg")
    try site.put(Self.png, at: "a.png")
    try site.write(
      [Person("a", "a.png")],
      styles: [
        "name: small, size: 32, scales: [1], formats: [png], "
          + "decorations: [{ badge: badge.svg, size: 10 }]"
      ])
    #expect(try site.build().diagnostics.sorted.isEmpty)
    let pixels = try site.pixels(of: "a")
    #expect((0..<32).contains { pixels[$0, $0] == [255, 0, 0, 255] })
    #expect(pixels[8, 8] == [0, 0, 255, 255])
  }

  @Test func `ignored text in an SVG causes a warning that can be disabled`() throws {
    let site = try TestSite()
    try site.put(Self.drawing("red", "<text y='9'>A</text>"), at: "a.svg")
    try site.write([Person("a", "a.svg")], more: "notices: {}")
    let reported = try site.build().diagnostics.sorted
    #expect(reported.map(\.id) == ["picture-textless"])
    #expect(reported.map(\.severity) == [.warning])
    try site.write([Person("a", "a.svg")], more: "notices: { textless: off }")
    #expect(try site.build().diagnostics.sorted.isEmpty)
  }
}
