import SiteSupport

struct StripExportTests {
  private static let strips =
    "strips: [{ name: top, color: \"#00000014\", radius: 0.8, edge: above }, "
    + "{ name: \"Card!\", color: \"#00000014\", radius: 2, offset: 0.4 }]"

  private func site(_ more: String = strips) throws -> TestSite {
    let site = try TestSite()
    try site.write([Person("a", background: "red")], more: more)
    return site
  }

  /// B12: the strips from Weibo's cells are black at 8 %, and three and seven points high.
  @Test func `a strip is one pixel wide and is exported at three scales`() throws {
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
    // The exact alphas, calculated independently, are 0.03, 0.78 and 5.57.
    let top = try Pixels(png: site.folder.read("output/\(try #require(strips["top"]?[0].path))"))
    #expect(top.alphas == [0, 1, 6])
  }

  @Test func `the style sheet lists a picture for every pixel density`() throws {
    let site = try site()
    try site.build()
    try expectSnapshot(site.text("strips.css").withNumberedDigests, "strips.css")
    let paths = try site.text("strips.css").matches(of: /url\("([^"]+)"\) [123]x/)
    let strips = try #require(try site.assets().strips)
    let named = try #require(strips["top"]) + #require(strips["Card!"])
    #expect(paths.map { String($0.1) } == named.map(\.path))
  }

  @Test func `an invisible shadow is a single transparent point`() throws {
    let site = try site("strips: [{ name: x, color: black, radius: 1, offset: -9 }]")
    try site.build()
    let image = try #require(try site.assets().strips?["x"]?.first)
    #expect(try Pixels(png: site.folder.read("output/\(image.path)")).bytes == [0, 0, 0, 0])
  }

  @Test func `a strip that is too tall is an error`() throws {
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
