import SiteSupport

/// G11: `shape: { mask: … }` uses the alpha of a file as the outline.
struct MaskBuildTests {
  private static func drawing(lowest: Int) -> Data {
    Data(
      ("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>"
        + "<polygon points='50,0 95,25 95,75 50,\(lowest) 5,75 5,25'/></svg>").utf8)
  }

  /// Returns the hexagon's coverage of a pixel from 32 × 32 samples.
  private static func coverage(_ x: Int, _ y: Int, side: Int) -> Double {
    let steps = (0..<32).map { (Double($0) + 0.5) / 32 }
    let inside = steps.reduce(0) { sum, down in
      sum
        + steps.count { across in
          let (u, v) = ((Double(x) + across) / Double(side), (Double(y) + down) / Double(side))
          return abs(u - 0.5) <= 0.45 && abs(u - 0.5) * 0.25 / 0.45 + abs(v - 0.5) <= 0.5
        }
    }
    return Double(inside) / 1_024
  }

  private static func site(_ mask: String, _ keys: String = "scales: [1, 2, 3]") throws -> TestSite
  {
    let site = try TestSite()
    try site.paint("a.png", .red, side: 96)
    try site.put(drawing(lowest: 100), at: "hexagon.svg")
    try site.write(
      [Person("a", "a.png")],
      styles: [
        "name: small, size: 32, formats: [png], shape: { mask: \(mask) }, \(keys)",
        "name: plain, size: 20, scales: [1], formats: [png]",
      ])
    return site
  }

  @Test func `an SVG mask sets the outline at every scale`() throws {
    let site = try Self.site("hexagon.svg")
    #expect(try site.build().diagnostics.sorted.isEmpty)
    for scale in 1...3 {
      let (pixels, side) = (try site.pixels(of: "a", scale: Double(scale)), 32 * scale)
      for (index, alpha) in pixels.alphas.enumerated() {
        let (x, y) = (index % side, index / side)
        // librsvg draws with cairo, which samples 15 rows per pixel.
        let difference = abs(Double(alpha) - 255 * Self.coverage(x, y, side: side))
        #expect(difference <= 255 / 15, "\(x), \(y)")
      }
      #expect(pixels.center == [255, 0, 0, 255])
    }
    #expect(try site.text("avatars.css").contains(".shape-small {\n  --color: transparent"))
    #expect(try site.build().report.counters.renders == 0)
    let other = try Self.site("hexagon.svg")
    try other.build(jobs: 4)
    #expect(other.assetFiles() == site.assetFiles())
    try site.put(Self.drawing(lowest: 75), at: "hexagon.svg")
    #expect(try site.build().report.counters.renders == 3)
    #expect(try site.image(of: "a", "plain") == other.image(of: "a", "plain"))
  }

  @Test func `the alpha channel of a PNG mask sets the outline`() throws {
    let site = try Self.site(
      "mask.png", "scales: [1], overlay: { colors: [blue] }, background: white, underlay: true")
    try site.put(
      TestPicture.png(width: 32, height: 32) { x, y in .init(9, 9, 9, UInt8((x * 8 + y) & 255)) },
      at: "mask.png")
    try site.build()
    let pixels = try site.pixels(of: "a")
    for (index, alpha) in pixels.alphas.enumerated() {
      #expect(abs(Int(alpha) - (index % 32 * 8 + index / 32) & 255) <= 2)
    }
    #expect(pixels.center == [0, 0, 255, 144])
  }

  @Test(arguments: [
    ("no.svg", "no such file"), ("a.jpg", "an SVG or PNG file can be a mask"),
    ("huge.png", "more than 4 million pixels"),
  ])
  func `an invalid mask is reported by name`(name: String, note: String) throws {
    let site = try Self.site(name)
    try site.put(TestPicture.jpeg(width: 8, height: 8) { _, _ in .red }, at: "a.jpg")
    let data = TestPicture.chunk("IDAT", [UInt8](repeating: 0, count: 30_000))
    try site.put(TestPicture.png(width: 2_001, height: 2_000, chunks: [data]), at: "huge.png")
    guard case .usage(let diagnostics) = try site.failure() else {
      Issue.record("expected a usage error")
      return
    }
    let problem = try #require(diagnostics.sorted.first)
    #expect(problem.id == "badge-unreadable" && problem.path == "avatars[0].shape.mask")
    #expect(problem.message.hasPrefix("cannot use the mask "))
    #expect(problem.note?.contains(note) == true, "\(problem.note ?? "")")
  }
}
