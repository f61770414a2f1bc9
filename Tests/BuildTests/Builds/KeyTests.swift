import SiteSupport

struct KeyTests {
  private func built(
    _ styles: [String], picture: (TestSite) throws -> Void = { try $0.paint("a.png", .blue) }
  ) throws -> TestSite {
    let site = try TestSite()
    try picture(site)
    try site.write([Person("a", "a.png")], styles: styles)
    try site.build()
    return site
  }

  private func style(_ name: String, _ more: String, size: Int = 20) -> String {
    "name: \(name), size: \(size), scales: [1], formats: [png], \(more)"
  }

  /// E6: 3 radii with and without a border produce 6 files, and repeated styles add none.
  ///
  /// G15: each radius produces its own file, but the picture is decoded only once.
  @Test func `the cache key includes everything that affects the pixels`() throws {
    let radii = [2, 5, 8]
    var styles: [String] = []
    for radius in radii {
      for copy in ["", "-again"] {
        styles.append(style("plain-\(radius)\(copy)", "shape: rounded, radius: \(radius)"))
        styles.append(
          style(
            "ring-\(radius)\(copy)",
            "shape: rounded, radius: \(radius), border: { width: 2, color: red }"))
      }
    }
    let site = try built(styles)
    #expect(site.assetFiles().count == 6)
    for name in radii.flatMap({ ["plain-\($0)", "ring-\($0)"] }) {
      #expect(try site.image(of: "a", name).path == site.image(of: "a", name + "-again").path)
    }
    #expect(try site.report().counters.decodes == 1)
    #expect(try site.report().counters.renders == 6)
    #expect(try site.report().counters.deduped == 6)
  }

  /// E6: a list of styles that each differ from the first in one property.
  @Test func `changing any style property changes the file`() throws {
    let base = "border: { width: 2, color: red }, background: \"#00ff00\""
    let styles = [
      style("first", base), style("size", base, size: 21), style("shape", "shape: square, " + base),
      style("corners", "shape: rounded, radius: 10, corners: [tl], " + base),
      style("width", "border: { width: 3, color: red }, background: \"#00ff00\""),
      style("color", "border: { width: 2, color: lime }, background: \"#00ff00\""),
      style("pale", "border: { width: 2, color: \"#ff000080\" }"),
      style("mode", "border: { width: 2, color: \"#ff000080\", mode: inset }"),
      style("underlay", "underlay: true, " + base), style("opaque", "opaque: true, " + base),
      style("fit", "fit: contain, " + base), style("focus", "focus: [0%, 0%], " + base),
      style("zoom", "zoom: 1.5, " + base), style("zoom-2", "zoom: 2, " + base),
    ]
    let site = try built(styles) { site in
      let paint = TestPicture.gradient(width: 40, height: 24)
      let picture = TestPicture.png(width: 40, height: 24) { x, y in
        var pixel = paint(x, y)
        pixel.alpha = x % 4 == 0 ? 0 : 255
        return pixel
      }
      try site.put(picture, at: "a.png")
    }
    #expect(site.assetFiles().count == styles.count)
  }

  /// A13: a hidden border produces the same file as no border.
  ///
  /// A11: a width of 0 or of over half the side hides the border; exactly half produces a disc.
  @Test func `an invisible border does not change the file`() throws {
    let widths = [0, 1, 49, 50, 51]
    let site = try built(
      widths.map { style("w\($0)", "border: { width: \($0), color: red }", size: 100) } + [
        style("nil", "border: { width: 5 }", size: 100),
        style("hidden", "border: { width: 5, color: red, hidden: true }", size: 100),
        style("absent", "shape: circle", size: 100),
      ])
    let hidden = try site.image(of: "a", "hidden").path
    for name in ["w0", "w51", "nil", "absent"] {
      #expect(try site.image(of: "a", name).path == hidden, "\(name)")
    }
    #expect(site.assetFiles().count == 4)
    #expect(try site.pixels(of: "a", "w50").center == [255, 0, 0, 255])
    #expect(try site.pixels(of: "a", "w49").center != [255, 0, 0, 255])
  }

  /// G16: sources of 200 px and 400 px get the same alpha mask.
  @Test func `a radius is measured in output points`() throws {
    let site = try TestSite()
    try site.paint("small.png", .red, side: 200)
    try site.paint("large.png", .blue, side: 400)
    try site.write(
      [Person("a", "small.png"), Person("b", "large.png")],
      styles: [
        "name: small, size: 50, scales: [1, 2], shape: rounded, radius: 10, formats: [png]"
      ])
    try site.build()
    for scale in [1.0, 2] {
      let alphas = try site.pixels(of: "a", scale: scale).alphas
      #expect(try site.pixels(of: "b", scale: scale).alphas == alphas)
      #expect(alphas.contains { $0 > 0 && $0 < 255 })
    }
  }

  /// C9: a style of half a point is not drawn at any scale, and the earlier file is removed.
  @Test func `a style smaller than one point draws nothing`() throws {
    let site = try built([style("small", "shape: square")])
    #expect(site.assetFiles().count == 1)
    let tiny = "name: small, size: 0.5, scales: [1, 2, 3], formats: [webp, png]"
    try site.write([Person("a", "a.png")], styles: [tiny])
    let result = try site.build()
    #expect(result.exitStatus == 0)
    #expect(result.report.counters.renders == 0 && result.report.counters.removed == 1)
    #expect(result.diagnostics.sorted.map(\.id) == ["style-too-small"])
    #expect(site.assetFiles().isEmpty)
    #expect(try site.assets().users["a"]?.avatars.isEmpty == true)
    #expect(HTMLPage(try site.text("index.html")).tags("img").isEmpty)
  }

  /// F8: with 200 pictures and 8 jobs, each output file shows its own source.
  @Test func `every user gets their own picture`() throws {
    let site = try TestSite()
    func shade(_ number: Int) -> TestPicture.Pixel {
      TestPicture.Pixel(UInt8(number), UInt8(255 - number), UInt8(number * 37 % 256))
    }
    for number in 0..<200 { try site.paint("\(number).png", shade(number)) }
    try site.write((0..<200).map { Person("user-\($0)", "\($0).png") })
    let counters = try site.build(jobs: 8).report.counters
    #expect(counters.decodes == 200 && counters.renders == 200)
    let assets = try site.assets()
    for number in 0..<200 {
      let image = try #require(assets.users["user-\(number)"]?.avatars["small"]?.first)
      let pixel = shade(number)
      #expect(
        try Pixels(png: site.folder.read("output/\(image.path)")).center
          == [pixel.red, pixel.green, pixel.blue, 255])
    }
  }
}
