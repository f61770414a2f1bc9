import SiteSupport

struct PosterTests {
  private static let style =
    "name: round, size: 24, scales: [1, 2], formats: [png, webp], shape: circle"
  private static let pngs = [
    "poster-dark.png", "poster-dark@2x.png", "poster.png", "poster@2x.png",
  ]

  private func site(
    _ people: [Person], _ poster: String = "exports: [poster]", styles: [String] = [style]
  ) throws -> TestSite {
    let site = try TestSite()
    try site.write(people, styles: styles, more: poster)
    return site
  }

  private func pixels(_ site: TestSite, _ path: String) throws -> PNGReader {
    try PNGReader(site.folder.read("output/\(path)"))
  }

  private func pngs(_ site: TestSite) -> [String] {
    site.outputFiles().filter { $0.hasPrefix("poster") && $0.hasSuffix(".png") }
  }

  /// Returns people with random names, tags, links and pictures, and a poster with random keys.
  private func random(_ seed: UInt64) -> (people: [Person], poster: String) {
    var random = SeededRandom(seed: seed)
    let tags = ["gold", "silver", "<b>"]
    let names = ["Ada", "</title><script>alert(1)</script>", "\"'&amp;", "漢字 🎈", "a]]>b", "${x}"]
    let people = (0..<Int.random(in: 1...70, using: &random)).map { number in
      Person(
        "user-\(number)", name: "\(names.randomElement(using: &random) ?? "") \(number)",
        ["identicon", "color:red", "color:#00f"].randomElement(using: &random) ?? "",
        tags: tags.filter { _ in Bool.random(using: &random) },
        link: [nil, "https://example.org/?a=\(number)&b='x'", "mailto:a@example.org"]
          .randomElement(using: &random) ?? nil)
    }
    var keys = [
      "size: \(Int.random(in: 8...90, using: &random))",
      "gap: \(Int.random(in: 0...20, using: &random))",
    ]
    if Bool.random(using: &random) {
      keys.append("columns: \(Int.random(in: 1...30, using: &random))")
    }
    if Bool.random(using: &random) {
      let size = Int.random(in: 8...200, using: &random)
      keys.append(
        "tiers: [{ tag: gold, title: \"G <&> \u{202E}\", size: \(size) }, \"<b>\", { title: x }]")
    }
    return (people, "poster: { \(keys.joined(separator: ", ")) }")
  }

  @Test(arguments: Extent.seeds(4, all: 12))
  func `the poster shows everyone without overlap`(seed: UInt64) throws {
    let (people, keys) = random(seed)
    let site = try site(people, keys)
    #expect(try site.build().exitStatus == 0)
    let poster = try PosterFile(site.folder.read("output/poster.svg"))
    #expect(poster.names.sorted() == people.compactMap(\.name).sorted())
    #expect(poster.links.count == people.count { $0.link?.hasPrefix("https:") == true })
    for link in poster.links { #expect(link.hasPrefix("https://example.org/?a=")) }
    for (number, frame) in poster.frames.enumerated() {
      #expect(frame.fits(poster.size))
      for other in poster.frames.dropFirst(number + 1) {
        #expect(!frame.overlaps(other), "\(frame) \(other)")
      }
    }
    // Equal pictures are embedded once.
    #expect(Set(poster.symbols).count == poster.symbols.count)
    #expect(Set(poster.uses) == Set(poster.symbols))
    #expect(!poster.text.contains("<script"))
    for (path, scale) in [("poster.png", 1), ("poster@2x.png", 2)] {
      let picture = try pixels(site, path)
      #expect(picture.width == poster.size.width * scale)
      #expect(picture.height == poster.size.height * scale)
    }
    #expect(pngs(site) == Self.pngs)
  }

  /// Browsers would not render invalid XML.
  @Test func `characters that are invalid in XML are replaced`() throws {
    let site = try site([Person("a", name: "NAME", "color:red")])
    let text = String(decoding: try site.folder.read(site.manifest), as: UTF8.self)
    try site.folder.write(
      text.replacingOccurrences(of: "NAME", with: "x\\uFFFEy\\uFFFF"), to: site.manifest)
    try site.build()
    let poster = try PosterFile(site.folder.read("output/poster.svg"))
    #expect(poster.names == ["x\u{FFFD}y\u{FFFD}"])
  }

  /// A person may lack the poster's style.
  @Test func `people without the poster's style are shown in their first style`() throws {
    let site = try site(
      [Person("a", "color:red"), Person("b", "color:blue", styles: ["square"])],
      "poster: { style: round }",
      styles: [Self.style, "name: square, size: [30, 15], shape: square, formats: [png]"])
    #expect(try site.build { $0.dryRun = true }.report.counters.written == 0)
    try site.build()
    let poster = try PosterFile(site.folder.read("output/poster.svg"))
    #expect(poster.names == ["a", "b"])
    #expect(poster.frames.map(\.height) == [40, 20])
    #expect(pngs(site) == Self.pngs)
  }

  @Test func `if the number of columns is not set, a poster is at most 800 pixels wide`() throws {
    let people = (0..<8).map { Person("user-\($0)", "color:red") }
    let site = try site(people, "poster: { size: 90, gap: 10 }")
    try site.build()
    let size = try PosterFile(site.folder.read("output/poster.svg")).size
    #expect(size == PixelSize(width: 710, height: 210))
    let titled = try self.site([people[0]], "poster: { size: 90, gap: 10, tiers: [{ title: x }] }")
    try titled.build()
    #expect(try PosterFile(titled.folder.read("output/poster.svg")).size.width == 710)
  }

  @Test func `the poster embeds pictures at twice their displayed size`() throws {
    let site = try site(
      [Person("a", "color:red")], "poster: { size: 40 }",
      styles: ["name: plain, size: 30, scales: [1, 2, 3], shape: square, formats: [png]"])
    try site.build()
    let path = try site.image(of: "a", "plain", scale: 3).path
    let picture = Data(try site.folder.read("output/\(path)")).base64EncodedString()
    #expect(try PosterFile(site.folder.read("output/poster.svg")).text.contains(picture))
  }

  /// A picture in the PNG has the same position as in the SVG, on the background.
  @Test func `the pixels on the poster match the pictures`() throws {
    let people = (0..<5).map { Person("user-\($0)", "color:#\($0 + 2)06") }
    let site = try site(
      people, "poster: { size: 24, columns: 3, gap: 6 }",
      styles: ["name: plain, size: 24, scales: [2], shape: square, formats: [png]"])
    try site.build()
    let poster = try PosterFile(site.folder.read("output/poster.svg"))
    #expect(poster.size == PixelSize(width: 3 * 24 + 4 * 6, height: 2 * 24 + 3 * 6))
    let frames = poster.frames
    for (path, ground) in [("poster@2x.png", 255), ("poster-dark@2x.png", 0x1D)] as [(_, UInt8)] {
      let picture = try pixels(site, path)
      let doubled = frames.map {
        PixelFrame(x: $0.x * 2, y: $0.y * 2, width: $0.width * 2, height: $0.height * 2)
      }
      for (number, frame) in doubled.enumerated() {
        let own = try pixels(site, site.image(of: "user-\(number)", "plain", scale: 2).path)
        picture.expect(own, in: frame, on: [255, 255, 255])
      }
      let other = ground == 255 ? 255 : 0x1F as UInt8
      picture.expectGround([ground, ground, other, 255], outside: doubled)
    }
  }

  @Test func `each tier has a heading and a picture size`() throws {
    let people = [
      Person("a", "color:red"), Person("b", "color:blue", tags: ["gold"]),
      Person("c", "color:green", tags: ["silver", "gold"]), Person("d", "color:white"),
    ]
    let site = try site(
      people,
      "poster: { tiers: [{ tag: gold, title: Gold, size: 80 }, silver, { title: More, size: 16 }] }"
    )
    try site.build()
    let poster = try PosterFile(site.folder.read("output/poster.svg"))
    #expect(poster.names == ["b", "c", "a", "d"])
    #expect(poster.frames.map(\.width) == [80, 80, 16, 16])
    #expect(poster.headings == ["Gold", "More"])
    // Letters are dark on the light poster, and light on the dark one.
    let (light, dark) = (try pixels(site, "poster.png"), try pixels(site, "poster-dark.png"))
    func row(_ picture: PNGReader) -> [UInt8] {
      Array(picture.pixels[picture.width * 4 * 10..<picture.width * 4 * 40])
    }
    #expect(row(light).contains { $0 < 0x40 } && row(dark).contains { $0 > 0xE0 && $0 < 255 })
  }

  @Test(arguments: [("light", "#ffffff"), ("dark", "#1d1d1f")])
  func `a poster can be limited to one appearance`(word: String, ground: String) throws {
    let site = try site([Person("a", "color:red")], "poster: { appearance: \(word) }")
    try site.build()
    #expect(pngs(site) == ["poster.png", "poster@2x.png"])
    let text = try site.text("poster.svg")
    #expect(text.contains("fill=\"\(ground)\"") && !text.contains("<style"))
  }

  @Test func `changing a name changes the SVG but not the PNG`() throws {
    var people = (0..<30).map { Person("user-\($0)", "identicon", tags: $0 < 9 ? ["gold"] : nil) }
    let keys = "poster: { tiers: [gold, { title: Others }] }"
    let site = try site(people, keys)
    try site.build()
    let one = try site.snapshot()
    people[3].name = "Somebody"
    try site.write(people, styles: [Self.style], more: keys)
    #expect(try site.build().report.counters.renders == 0)
    let renamed = try site.snapshot()
    #expect(renamed["poster.svg"] != one["poster.svg"])
    #expect(renamed["poster.png"] == one["poster.png"])
  }

  /// People without a picture are left out; an empty poster is still a valid file.
  @Test func `a poster without people is valid`() throws {
    let site = try site([Person("a", "gone.png"), Person("b", "color:red")])
    #expect(try site.build().exitStatus == 1)
    #expect(try PosterFile(site.folder.read("output/poster.svg")).names == ["b"])
    try site.write([Person("a", "gone.png")], styles: [Self.style], more: "exports: [poster]")
    try site.build()
    #expect(try PosterFile(site.folder.read("output/poster.svg")).names == [])
  }

  /// A poster with too many pixels for a worker is exported as SVG only.
  @Test func `an oversized poster is reported`() throws {
    let people = (0..<40).map { Person("user-\($0)", "color:red") }
    let site = try site(people, "poster: { size: 300, columns: 1 }")
    #expect(try site.build().diagnostics.sorted.map(\.id) == ["poster-too-large"])
    #expect(pngs(site) == ["poster-dark.png", "poster.png"])
    #expect(try PosterFile(site.folder.read("output/poster.svg")).names.count == 40)
  }
}

private struct PosterFile {
  let text: String
  let size: PixelSize
  let names: [String]
  let links: [String]
  let headings: [String]
  let frames: [PixelFrame]
  let symbols: [String]
  let uses: [String]

  init(_ bytes: Data) throws {
    let xml = try XMLElements(bytes)
    text = String(decoding: bytes, as: UTF8.self)
    func number(_ element: XMLElements.Element, _ key: String) -> Int {
      element.attributes[key].flatMap { Int($0) } ?? -1
    }
    let root = try #require(xml.named("svg").first)
    size = PixelSize(width: number(root, "width"), height: number(root, "height"))
    names = xml.named("title").map(\.text)
    links = xml.named("a").compactMap { $0.attributes["href"] }
    headings = xml.named("text").map(\.text)
    let used = xml.named("use")
    #expect(used.count == names.count)
    frames = used.map {
      PixelFrame(
        x: number($0, "x"), y: number($0, "y"), width: number($0, "width"),
        height: number($0, "height"))
    }
    symbols = xml.named("symbol").compactMap { $0.attributes["id"].map { "#" + $0 } }
    uses = used.compactMap { $0.attributes["href"] }
    for image in xml.named("image") {
      #expect(image.attributes["href"]?.hasPrefix("data:image/") == true)
    }
  }
}

extension PixelFrame {
  fileprivate func overlaps(_ other: PixelFrame) -> Bool {
    x < other.x + other.width && other.x < x + width && y < other.y + other.height
      && other.y < y + height
  }
}
