import SiteSupport
import Testing

/// `strips.css` and its pictures in whole builds.
struct StripExportTests {
  private static let strips =
    "strips: [{ name: top, color: \"#00000014\", radius: 0.8, edge: above }, "
    + "{ name: \"Card!\", color: \"#00000014\", radius: 2, offset: 0.4 }]"

  private func site(_ more: String = strips) throws -> TestSite {
    let site = try TestSite()
    try site.write([Person("a", background: "red")], more: more)
    return site
  }

  /// B12: the strips of Weibo's cells: three and seven points of black of 8 %.
  @Test func `a strip is a picture one pixel wide at three scales`() throws {
    let site = try site()
    #expect(try site.build().exitStatus == 0)
    let strips = try #require(try site.assets().strips)
    #expect(Set(strips.keys) == ["top", "Card!"])
    for (name, points) in [("top", 3), ("Card!", 7)] {
      let images = try #require(strips[name])
      #expect(images.map(\.scale) == [1, 2, 3])
      for (image, scale) in zip(images, 1...) {
        let pixels = try Pixels(png: site.folder.read("output/\(image.path)"))
        #expect(pixels.width == 1 && pixels.height == points * scale)
        #expect(image.width == 1 && image.height == points * scale && image.format == "png")
        let alphas = pixels.alphas
        #expect(alphas == (name == "top" ? alphas.sorted() : alphas.sorted(by: >)))
        let files = try site.snapshot()
        #expect(files[image.path]?.hex == image.sha256)
        #expect(try site.folder.read("output/\(image.path)").count == image.bytes)
      }
    }
    // 0.03, 0.78 and 5.57, calculated by other means.
    let top = try Pixels(png: site.folder.read("output/\(try #require(strips["top"]?[0].path))"))
    #expect(top.alphas == [0, 1, 6])
  }

  @Test func `the style sheet names a picture for every screen`() throws {
    let site = try site()
    try site.build()
    let strips = try #require(try site.assets().strips)
    func rule(_ name: String, _ selector: String, _ height: Int) throws -> String {
      let paths = try #require(strips[name]).map { "url(\"\($0.path)\")" }
      return """
        .strip-\(selector) {
          display: block;
          height: \(height)px;
          background: \(paths[0]) repeat-x;
          background-image: image-set(\(paths[0]) 1x, \(paths[1]) 2x, \(paths[2]) 3x);
          background-size: 1px \(height)px;
        }


        """
    }
    expect(
      try site.text("strips.css"),
      equals: try rule("top", "top", 3) + rule("Card!", "_43ard_21", 7))
  }

  @Test func `without strips nothing tells of them`() throws {
    let site = try site()
    try site.build()
    let before = site.assetFiles().count
    try site.write([Person("a", background: "red")])
    let counters = try site.build().report.counters
    #expect(counters.renders == 0)
    #expect(site.assetFiles().count == before - 6)
    #expect(!site.outputFiles().contains("strips.css"))
    #expect(try site.assets().strips == nil)
  }

  @Test func `a second build does nothing, with any number of jobs`() throws {
    let site = try site()
    try site.build(jobs: 1)
    let one = try site.snapshot()
    let second = try site.build().report.counters
    #expect(second.renders == 0 && second.written == 0)
    try site.folder.remove("output")
    try site.folder.remove("cache")
    try site.build(jobs: 8)
    #expect(try site.snapshot() == one)
  }

  @Test func `a shadow that cannot be seen has one clear point`() throws {
    let site = try site("strips: [{ name: x, color: black, radius: 1, offset: -9 }]")
    try site.build()
    let image = try #require(try site.assets().strips?["x"]?.first)
    #expect(try Pixels(png: site.folder.read("output/\(image.path)")).bytes == [0, 0, 0, 0])
  }

  @Test func `a strip is no wall`() throws {
    let site = try site("strips: [{ name: x, color: black, radius: 341, offset: 2 }]")
    let mistakes = try site.mistakes()
    #expect(mistakes.map(\.id) == ["out-of-range"])
    #expect(mistakes.map(\.path) == ["strips[0]"])
    try site.write(
      [Person("a", background: "red")],
      more: "strips: [{ name: x, color: black, radius: 341, offset: 1 }]")
    #expect(try site.build().exitStatus == 0)
  }
}
