import Magick
import SiteSupport

struct OpaqueTests {
  private func built(_ style: String, _ picture: Data? = nil) throws -> TestSite {
    let site = try TestSite()
    let clear = TestPicture.png(width: 16, height: 16) { _, _ in .clear }
    try site.put(picture ?? clear, at: "a.png")
    try site.write([Person("a", "a.png")], styles: ["name: small, size: 16, scales: [1], " + style])
    try site.build()
    return site
  }

  /// C10: the background is flattened over white, and without a background the corners are white.
  @Test func `an opaque image is flattened onto its background, then onto white`() throws {
    let cases: [(String, [Int])] = [
      ("opaque: true, background: \"rgba(255,0,0,.5)\"", [255, 128, 128, 255]),
      ("opaque: true", [255, 255, 255, 255]),
      ("opaque: true, background: \"#336699\"", [51, 102, 153, 255]),
      // The last style is not opaque, so its background is not used.
      ("background: \"rgba(255,0,0,.5)\"", [0, 0, 0, 0]),
    ]
    for (style, wanted) in cases {
      let pixels = try built("formats: [png], " + style).pixels(of: "a")
      for (x, y) in [(0, 0), (15, 0), (0, 15), (15, 15), (8, 8)] {
        for (value, wanted) in zip(pixels[x, y], wanted) {
          #expect(abs(Int(value) - wanted) <= 1, "\(style): \(pixels[x, y])")
        }
      }
    }
  }

  /// G7: the file itself has round corners.
  ///
  /// A23: a rounded photo has transparent corners as PNG, and white ones as JPEG.
  @Test func `a rounded photo has transparent corners in PNG and white ones in JPEG`() throws {
    let photo = TestPicture.jpeg(width: 32, height: 32, quality: 95) { _, _ in .blue }
    let site = try built("formats: [png, jpeg], opaque: false, background: white", photo)
    #expect(try site.pixels(of: "a")[0, 0] == [0, 0, 0, 0])
    #expect(try site.pixels(of: "a").center[2] > 240)
    let jpeg = try site.image(of: "a", format: "jpeg")
    let canvas = try Canvas(decoding: site.folder.read("output/\(jpeg.path)"), coder: "JPEG")
    #expect(try canvas.rgba(columns: 0..<1, rows: 0..<1).allSatisfy { $0 > 200 })
  }

  /// C11: a style's scales apply only to that style.
  @Test func `a style's scales do not affect other styles`() throws {
    let site = try TestSite()
    try site.paint("a.png", .red)
    try site.write(
      [Person("a", "a.png")],
      styles: [
        "name: base, size: 10, scales: [1, 2], formats: [png]", "from: base, name: same",
        "from: base, name: own, scales: [3]",
      ])
    try site.build()
    let avatars = try #require(site.assets().users["a"]?.avatars)
    let widths = avatars.mapValues { $0.map(\.width) }
    #expect(widths == ["base": [10, 20], "same": [10, 20], "own": [30]])
    #expect(avatars["base"]?.map(\.path) == avatars["same"]?.map(\.path))
  }
}
