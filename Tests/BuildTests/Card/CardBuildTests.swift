import SiteSupport

struct CardBuildTests {
  private static let url = "url: \"https://example.org/team\""
  private static let ground: [UInt8] = [0xF7, 0xF7, 0xF5, 255]
  /// Cards do not support Hebrew titles, so these cards show only pictures.
  private static let untitled = "site: { title: \"צוות\", \(url) }"
  private static let titled = "site: { title: \"Sample Team 🎈 漢字\", \(url) }"
  private static let round =
    "name: round, size: 40, scales: [1, 2], formats: [webp, png], border: { width: 2, "
    + "color: \"#00000080\", mode: outside }, shadow: { color: black, radius: 3 }"
  private static let plain = "name: small, size: 24, scales: [1, 4], shape: square, formats: [png]"

  private static func color(_ number: Int) -> String {
    let hex = String(number * 0x030507 + 0x102030, radix: 16)
    return "#" + String(repeating: "0", count: 6 - hex.count) + hex
  }

  private func people(_ count: Int) -> [Person] {
    (0..<count).map { Person("user-\($0)", "color:" + Self.color($0)) }
  }

  private func site(
    _ people: [Person], styles: [String] = [plain], more: String = untitled
  ) throws -> TestSite {
    let site = try TestSite()
    try site.write(people, styles: styles, more: more)
    return site
  }

  /// F14: each avatar is composited from its file on the background, and nothing else is drawn.
  @Test func `a card with few people shows their pictures unscaled`() throws {
    let site = try TestSite()
    for number in 0..<4 {
      let file = TestPicture.png(width: 120, height: 120) { x, y in
        TestPicture.Pixel(
          UInt8(x * 2), UInt8(y * 2), UInt8(number * 60), UInt8(min(255, 40 + x + y)))
      }
      try site.put(file, at: "\(number).png")
    }
    try site.write(
      (0..<4).map { Person("user-\($0)", "\($0).png") }, styles: [Self.round], more: Self.untitled)
    try site.build(jobs: 2)
    let card = try site.card()
    let files = try (0..<4).map {
      try PNGReader(
        site.folder.read("output/\(site.image(of: "user-\($0)", "round", scale: 2).path)"))
    }
    let size = PixelSize(width: files[0].width, height: files[0].height)
    let layout = try #require(CardLayout(count: 4, picture: size, caption: nil))
    #expect(layout.frames[0].size == size)
    for (file, frame) in zip(files, layout.frames) { card.expect(file, in: frame, on: Self.ground) }
    card.expectGround(Self.ground, outside: layout.frames)
  }

  /// The title's frame is excluded from the comparison.
  @Test func `the title stays inside its frame`() throws {
    let site = try site(
      people(3),
      more: "site: { title: \"Sample Team\", \(Self.url) }\npages: { cardColor: \"#123\" }")
    try site.build()
    let card = try site.card()
    let ground: [UInt8] = [0x11, 0x22, 0x33, 255]
    let layout = try #require(
      CardLayout(
        count: 3, picture: PixelSize(width: 96, height: 96),
        caption: TeamCard.caption(of: "Sample Team")))
    for (number, frame) in layout.frames.enumerated() {
      let image = try site.image(of: "user-\(number)", scale: 4)
      let file = try PNGReader(site.folder.read("output/\(image.path)"))
      card.expect(file, in: frame, on: ground)
    }
    let title = try #require(layout.caption)
    card.expectGround(ground, outside: layout.frames + [title])
    let letters = card.crop(x: title.x, y: title.y, width: title.width, height: title.height)
    #expect(letters.count { $0 > 0xE0 && $0 < 255 } > 1_000)
  }

  /// F14: a scaled picture still resembles its file.
  @Test func `a card with many people shows their pictures scaled down`() throws {
    let site = try TestSite()
    let file = TestPicture.png(
      width: 96, height: 96, pixel: TestPicture.gradient(width: 96, height: 96))
    try site.put(file, at: "a.png")
    try site.write(
      (0..<60).map { Person("user-\($0)", "a.png") }, styles: [Self.plain], more: Self.untitled)
    try site.build()
    let card = try site.card()
    let own = try PNGReader(site.folder.read("output/\(site.image(of: "user-0", scale: 4).path)"))
    let layout = try #require(
      CardLayout(count: 60, picture: PixelSize(width: 96, height: 96), caption: nil))
    let side = layout.frames[0].width
    #expect((60..<96).contains(side))
    card.expectGround(Self.ground, outside: layout.frames)
    for frame in layout.frames {
      for (x, y) in [(side / 4, side / 3), (side / 2, side / 2), (side - 9, side / 5)] {
        let shown = card.pixel(frame.x + x, frame.y + y)
        let wanted = own.pixel((2 * x + 1) * 48 / side, (2 * y + 1) * 48 / side)
        #expect(zip(shown, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 4 })
      }
    }
  }

  /// F4: people are in manifest order; F14: the number of jobs does not affect the card.
  @Test func `cards show people in manifest order and are reproducible`() throws {
    let site = try site(people(31), more: Self.titled)
    try site.build(jobs: 1)
    let one = try site.snapshot()
    let counters = try site.build(jobs: 8).report.counters
    #expect(counters.renders == 0 && counters.written == 0)
    try site.folder.remove("output")
    try site.folder.remove("cache")
    try site.build(jobs: 8)
    #expect(try site.snapshot() == one)
    let layout = try #require(
      CardLayout(
        count: 31, picture: PixelSize(width: 96, height: 96),
        caption: TeamCard.caption(of: "Sample Team 🎈 漢字")))
    let card = try site.card()
    for (number, frame) in layout.frames.enumerated() {
      let pixel = card.pixel(frame.x + frame.width / 2, frame.y + frame.height / 2)
      let hex = pixel.prefix(3).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      #expect("#" + hex == Self.color(number))
    }
    let title = try #require(layout.caption)
    let letters = card.crop(x: title.x, y: title.y, width: title.width, height: title.height)
    #expect(
      stride(from: 0, to: letters.count, by: 4).contains {
        letters[$0] > 180 && letters[$0 + 1] < 90
      })
  }

  @Test func `changing any person on the card changes the card`() throws {
    let site = try site(people(61))
    try site.build()
    let first = try #require(try site.cardPath())
    func change(_ number: Int) throws -> Int {
      var people = people(61)
      people[number] = Person("user-\(number)", "color:#ff00\(10 + number)")
      try site.write(people, styles: [Self.plain], more: Self.untitled)
      let dry = try site.build { $0.dryRun = true }.report.counters
      let counters = try site.build().report.counters
      #expect(dry.renders == counters.renders)
      return counters.renders
    }
    // The picture in two sizes and the card are rendered.
    #expect(try change(7) == 3)
    let second = try #require(try site.cardPath())
    #expect(second != first && !site.folder.exists("output/\(first)"))
    // Only the first sixty people are shown, so another person does not change the card.
    #expect(try change(60) == 2)
    #expect(try site.cardPath() == first)
  }

  /// G21: the card's key depends only on what is drawn.
  @Test func `the background and the title affect the card, but names do not`() throws {
    let site = try site(people(3))
    try site.build()
    func renders(_ more: String, _ people: [Person]) throws -> Int {
      try site.write(people, styles: [Self.plain], more: more)
      return try site.build().report.counters.renders
    }
    var named = people(3)
    named[0].name = "Somebody else"
    #expect(try renders(Self.untitled, named) == 0)
    #expect(try renders(Self.untitled + "\npages: { cardColor: white }", named) == 1)
    #expect(try renders(Self.titled, named) == 1)
    #expect(try renders(Self.titled, Array(named.reversed())) == 1)
    #expect(try renders(Self.untitled, people(3)) == 0)
  }

  @Test func `a card requires a site URL and at least one picture`() throws {
    for (people, more) in [(people(2), "site: { title: T }"), ([Person("a")], Self.untitled)] {
      let site = try site(people, more: more)
      try site.build()
      #expect(try site.cardPath() == nil)
      #expect(site.assetFiles().count == (people.count == 2 ? 4 : 0))
    }
  }

  @Test func `people without a picture in the card's style are left out`() throws {
    let site = try site(
      [
        Person("none"), Person("a", "color:red", styles: ["large"]), Person("lost", "lost.png"),
        Person("b", "color:blue", styles: ["small"]), Person("c", "color:lime"),
      ],
      styles: [
        Self.plain,
        "name: large, size: 100, scales: [2], shape: square, opaque: true, formats: [jpeg]",
      ],
      more: Self.untitled + "\npages: { show: large }")
    try site.build()
    let layout = try #require(
      CardLayout(count: 2, picture: PixelSize(width: 200, height: 200), caption: nil))
    let card = try site.card()
    card.expectGround(Self.ground, outside: layout.frames)
    for (frame, color) in zip(layout.frames, [[255, 0, 0], [0, 255, 0]]) {
      let pixel = card.pixel(frame.x + 100, frame.y + 100).prefix(3)
      #expect(zip(pixel, color).allSatisfy { abs(Int($0) - $1) <= 2 })
    }
  }

  /// The first style may be rare, so it is not chosen automatically.
  @Test func `the card uses the most common style`() throws {
    let large = "name: large, size: 30, scales: [1], shape: square, formats: [png]"
    var people = people(4)
    people[0].styles = ["large"]
    for number in 1..<4 { people[number].styles = ["small"] }
    let site = try site(
      people, styles: [large, Self.plain], more: Self.untitled + "\npages: { show: large }")
    try site.build()
    let most = try #require(
      CardLayout(count: 3, picture: PixelSize(width: 96, height: 96), caption: nil))
    try site.card().expectGround(Self.ground, outside: most.frames)
    // A tie goes to the style shown on the pages.
    people[1].styles = ["large"]
    try site.write(
      people, styles: [Self.plain, large], more: Self.untitled + "\npages: { show: large }")
    try site.build()
    let shown = try #require(
      CardLayout(count: 2, picture: PixelSize(width: 30, height: 30), caption: nil))
    try site.card().expectGround(Self.ground, outside: shown.frames)
  }

  @Test func `pictures that are too large for a card are left out`() throws {
    let high = "name: high, size: [1, 1024], scales: [1], shape: square, formats: [png]"
    let site = try site(people(3), styles: [high])
    #expect(try site.build().exitStatus == 0)
    #expect(try site.cardPath() == nil)
    // The other style is small enough for a card.
    var others = people(3)
    others[2].styles = ["high"]
    try site.write(others, styles: [high, Self.plain], more: Self.untitled)
    #expect(try site.build().exitStatus == 0)
    let layout = try #require(
      CardLayout(count: 2, picture: PixelSize(width: 96, height: 96), caption: nil))
    try site.card().expectGround(Self.ground, outside: layout.frames)
  }

  @Test(arguments: ["webp", "jpeg"])
  func `a card can use pictures in any format`(format: String) throws {
    let opaque = format == "jpeg" ? ", opaque: true" : ""
    let site = try site(
      people(5),
      styles: ["name: s, size: 30, scales: [1, 3], shape: square, formats: [\(format)]\(opaque)"])
    #expect(try site.build().exitStatus == 0)
    let layout = try #require(
      CardLayout(count: 5, picture: PixelSize(width: 90, height: 90), caption: nil))
    try site.card().expectGround(Self.ground, outside: layout.frames)
  }

  @Test func `a title without a suitable font is left out`() throws {
    let site = try site(people(2), more: Self.titled)
    try site.folder.makeFolder("fonts")
    let result = try site.build { $0.fontsFolder = site.folder.path(of: "fonts") }
    #expect(result.exitStatus == 0)
    let layout = try #require(
      CardLayout(count: 2, picture: PixelSize(width: 96, height: 96), caption: nil))
    try site.card().expectGround(Self.ground, outside: layout.frames)
  }

  /// The store loses the card, and later the pictures on it.
  @Test func `a card missing from the store is re-rendered`() throws {
    let site = try site(people(4))
    try site.build()
    let before = try site.snapshot()
    let path = try #require(try site.cardPath())
    func lose(_ path: String) throws {
      let digest = path.split(separator: "/").last.map { $0.dropLast(4) } ?? ""
      let blob = site.folder.list().first { $0.hasPrefix("cache/store/") && $0.hasSuffix(digest) }
      try site.folder.remove(try #require(blob))
      if site.folder.exists("output/\(path)") { try site.folder.remove("output/\(path)") }
    }
    try lose(path)
    #expect(try site.build().report.counters.renders == 1)
    #expect(try site.snapshot() == before)
    try lose(path)
    try lose(try site.image(of: "user-2", scale: 4).path)
    #expect(try site.build().exitStatus == 0)
    #expect(try site.snapshot() == before)
  }
}
