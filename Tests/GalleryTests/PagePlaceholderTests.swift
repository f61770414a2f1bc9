import SiteSupport

struct PagePlaceholderTests {
  private static let script = Checkout.root.appending(path: "templates/gallery.js")

  /// Pages contain only the colour; the hash is for apps.
  ///
  /// A circle's hash has the alpha bit, and an opaque square's does not.
  @Test func `every picture has its own placeholder`() throws {
    let site = try TestSite()
    let paint = TestPicture.gradient(width: 40, height: 40)
    try site.put(TestPicture.png(width: 40, height: 40, pixel: paint), at: "g.png")
    try site.write(
      [
        Person("both", "g.png"), Person("disc", "g.png", styles: ["round"]), Person("none"),
        Person("clear", background: "#ff000000"),
      ],
      styles: [
        "name: plain, size: 20, shape: square, formats: [png, webp]",
        "name: round, size: 20, shape: circle, formats: [png]",
      ], more: "pages: { show: [plain, round] }")
    try site.build()
    let users = try site.assets().users
    let images = HTMLPage(try site.text("index.html")).tags("img")
    let plain = try #require(users["both"]?.placeholder)
    let round = try #require(users["disc"]?.placeholder)
    #expect(images.allSatisfy { $0["data-thumbhash"] == nil })
    #expect(images.map { $0["data-color"] } == [plain.color, round.color, round.color, nil, nil])
    let hasAlpha = try [plain, round].map {
      try #require(Data(base64Encoded: $0.thumbhash))[2] & 0x80 != 0
    }
    #expect(hasAlpha == [false, true])
  }

  @Test func `pages may run only the generated script`() throws {
    let site = try TestSite()
    try site.write((0..<201).map { Person("user-\($0)") })
    try site.build()
    let script = try site.text("gallery.js")
    #expect(try script == String(contentsOf: Self.script, encoding: .utf8))
    #expect(script.utf8.count < 12_288)
    for (name, address) in [
      ("index.html", "gallery.js"), ("page/2/index.html", "../../gallery.js"),
    ] {
      let page = HTMLPage(try site.text(name))
      let attributes = [
        HTMLPage.Attribute(name: "src", value: address),
        HTMLPage.Attribute(
          name: "data-root", value: String(address.dropLast("gallery.js".count))),
        HTMLPage.Attribute(name: "defer", value: ""),
      ]
      #expect(page.tags("script").map(\.attributes) == [attributes])
      #expect(page.text(in: "script") { $0.name == "script" } == "")
      let policy = try #require(
        page.tags("meta").first { $0["http-equiv"] == "Content-Security-Policy" }?["content"])
      #expect(policy.contains("default-src 'self'; "))
      #expect(policy.contains("script-src 'self' file:; "))
      for word in ["unsafe", "data:", "blob:", "*"] { #expect(!policy.contains(word)) }
    }
  }

  @Test func `a script in the user's templates replaces the built-in one`() throws {
    let site = try TestSite()
    try site.folder.write("// mine\n", to: "templates/gallery.js")
    try site.write([Person("a")])
    try site.build()
    #expect(try site.text("gallery.js") == "// mine\n")
    try site.folder.remove("templates/gallery.js")
    try site.build()
    #expect(try site.text("gallery.js") != "// mine\n")
  }
}
