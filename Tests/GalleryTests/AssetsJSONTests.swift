import SiteSupport

struct AssetsJSONTests {
  @Test func `the assets.json of a small site matches its snapshot`() throws {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.write(
      [
        Person("zoe", name: "Zoë", "missing.png", "red.png"),
        Person("ada", name: "Ada", "missing.png", background: "#5856d6"),
        Person("Bob"), Person("carl", "missing.png"),
      ],
      styles: [
        "name: b, size: 16, scales: [1, 1.5], formats: [png]", "from: b, name: a, size: 10",
      ],
      buttons: [
        "name: two, normal: \"#0a84ff59\", highlighted: same, disabled: gray, "
          + "dark: { normal: black, highlighted: same }",
        "name: one, normal: red, highlighted: blue",
      ])
    try site.build()
    // Digests, file sizes and placeholders depend on the versions of the encoders.
    let text = try site.text("assets.json").withNumberedDigests
      .replacing(/"bytes":\d+/, with: "\"bytes\":1")
      .replacing(/"thumbhash":"[^"]+"/, with: "\"thumbhash\":\"\"")
    try expectSnapshot(text, "assets.json")
  }

  /// The alpha bit distinguishes the hash of a circle from that of an opaque square.
  @Test func `the placeholder comes from the user's first style with a picture`() throws {
    let site = try TestSite()
    let size = 200
    let paint = TestPicture.gradient(width: size, height: size)
    try site.put(TestPicture.png(width: size, height: size, pixel: paint), at: "g.png")
    try site.write(
      [
        Person("both", "g.png"), Person("again", "g.png"),
        Person("one", "g.png", styles: ["round"]), Person("none"),
        Person("clear", background: "#ff000000"),
      ],
      styles: [
        "name: tiny, size: 0.5", "name: plain, size: 20, shape: square, formats: [png, webp]",
        "name: round, size: 20, shape: circle, formats: [png]",
      ])
    try site.build()
    let first = try site.assets().users
    let both = try #require(first["both"]?.placeholder)
    let one = try #require(first["one"]?.placeholder)
    #expect(first["again"]?.placeholder == both && both != one)
    #expect(first["none"]?.placeholder == nil && first["clear"]?.placeholder == nil)
    let square = try #require(Data(base64Encoded: both.thumbhash))
    let disc = try #require(Data(base64Encoded: one.thumbhash))
    #expect(square[2] & 0x80 == 0 && disc[2] & 0x80 == 0x80)
    // The styles use neither a focus finder nor a size limit.
    #expect(try !site.text("assets.json").contains("\"focus\""))
    #expect(try !site.text("assets.json").contains("\"quality\""))
    // The cache returns the same placeholder.
    try site.folder.remove("output")
    let counters = try site.build().report.counters
    #expect(counters.renders == 0)
    #expect(try site.assets().users["one"]?.placeholder == one)
  }

  @Test func `a site without users or buttons still produces valid JSON`() throws {
    let site = try TestSite()
    try site.write([])
    try site.build { $0.allowEmpty = true }
    let assets = try site.assets()
    #expect(assets.version == 1 && assets.users.isEmpty && assets.buttons.isEmpty)
  }

  @Test func `any text produces valid JSON`() throws {
    let words = [
      "quote \" backslash \\ slash / ", "a\u{2028}b\u{2029}", "</script>", "{{name}}", "🧑🏽‍🚀",
      "e\u{301}\u{327}", "bom\u{FEFF}", "\u{10FFFF}", "'--><!--",
    ]
    let site = try TestSite(manifest: "content/manifest.json")
    let people = try words.map { try Person("id " + $0, name: $0).json }
    let names = try words.map { try Person("b " + $0).json }.map {
      $0.replacingOccurrences(of: "\"id\"", with: "\"normal\":\"red\",\"name\"")
    }
    try site.put(
      Array(
        """
        {"version":1,"buttons":[\(names.joined(separator: ","))],
        "users":[\(people.joined(separator: ","))]}
        """.utf8), at: "manifest.json")
    try site.build()
    let bytes = try site.folder.read("output/assets.json")
    let tree = try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    let users = try #require(tree["users"] as? [String: [String: Any]])
    #expect(users.count == words.count)
    for word in words { #expect(users["id " + word]?["name"] as? String == word) }
    let buttons = try #require(tree["buttons"] as? [String: Any])
    #expect(Set(buttons.keys) == Set(words.map { "b " + $0 }))
  }

  /// Records are sorted by scale, then by the order of formats in the manifest.
  @Test func `records describe the published files`() throws {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.write(
      [Person("a", "red.png")],
      styles: ["name: s, size: [12, 8], scales: [2, 1], formats: [webp, jpeg, png], opaque: true"])
    try site.build()
    let images = try #require(site.assets().users["a"]?.avatars["s"])
    #expect(images.map(\.scale) == [1, 1, 1, 2, 2, 2])
    #expect(images.map(\.format) == ["webp", "jpeg", "png", "webp", "jpeg", "png"])
    #expect(images.map(\.width) == [12, 12, 12, 24, 24, 24])
    #expect(images.map(\.height) == [8, 8, 8, 16, 16, 16])
    #expect(images.map { $0.path.suffix(4) } == ["webp", ".jpg", ".png", "webp", ".jpg", ".png"])
    let files = try site.snapshot()
    for image in images {
      #expect(files[image.path]?.hex == image.sha256)
      #expect(try site.folder.read("output/\(image.path)").count == image.bytes)
      #expect(image.path.hasPrefix("assets/\(image.sha256.prefix(2))/\(image.sha256)."))
    }
  }
}
