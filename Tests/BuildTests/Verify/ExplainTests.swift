import Files
import SiteSupport

struct ExplainTests {
  private func explain(
    _ site: TestSite, _ user: String = "a", style: String? = nil
  ) throws -> [String] {
    try Explain(site.options()).user(user, style: style)
  }

  private func image(
    _ site: TestSite, _ user: String = "a"
  ) throws -> (path: String, key: String, change: String) {
    let lines = try explain(site, user, style: "small")
    #expect(lines.dropLast(2).last == "style small")
    let path = try #require(lines[lines.count - 2].split(separator: ": ").last)
    let words = try #require(lines.last).split(separator: ", ", maxSplits: 1)
    return (String(path), String(words[0].dropFirst("    key ".count)), String(words[1]))
  }

  private static let picture = TestPicture.png(width: 16, height: 16) { _, _ in .red }

  /// A source, its name in messages, and its failure reason, which is nil if the source works.
  struct Asked: Sendable, CustomTestStringConvertible {
    var source: String
    var name: String?
    var reason: String?

    var testDescription: String { String(source.prefix(40)) }
  }

  static let asked = [
    Asked(source: "a.png"),
    Asked(source: "color:#123", name: "color:#112233ff"),
    Asked(source: "initials"),
    Asked(source: "identicon", name: "an identicon"),
    Asked(
      source: "data:image/png;base64," + picture.base64EncodedString(), name: "a data: address"),
    Asked(source: "missing.png", reason: "source-unreadable"),
    Asked(source: "../outside.png", reason: "path-outside-root"),
    Asked(source: "folder", reason: "not-a-regular-file"),
    Asked(source: "empty.png", reason: "source-empty"),
    Asked(source: "text.png", reason: "unsupported-format"),
    Asked(source: "cut.png", reason: "truncated"),
    Asked(source: "undecodable.png", reason: "decode-failed"),
    Asked(
      source: "data:image/png;base64,!!", name: "an address",
      reason: "bad-data-address"),
    Asked(source: "who@example.org", name: "an address", reason: "bad-address"),
    // These sources are not cached, and nothing is requested.
    Asked(source: "https://example.org/a.png", reason: "offline"),
    Asked(source: "http://example.org/a.png", reason: "offline"),
    Asked(
      source: "gravatar:who@example.org", name: "gravatar:", reason: "offline"),
    Asked(
      source: "libravatar:who@example.org", name: "libravatar:",
      reason: "offline"),
    Asked(source: "github:sample", reason: "offline"),
  ]

  @Test(arguments: asked) func `every kind of source is explained`(asked: Asked) throws {
    let site = try TestSite()
    try site.put(Self.picture, at: "a.png")
    try site.put([], at: "empty.png")
    try site.put(Array("text".utf8), at: "text.png")
    try site.put(Self.picture.prefix(30), at: "cut.png")
    try site.put(
      Array(Self.picture.prefix(33)) + TestPicture.chunk("IDAT", Array("no zlib".utf8))
        + TestPicture.chunk("IEND", []), at: "undecodable.png")
    try site.folder.write([1], to: "outside.png")
    try site.folder.makeFolder("content/folder")
    try site.write([Person("a", name: "Sample", asked.source, "identicon")])
    if asked.reason != "offline" { try site.build() }
    let lines = try explain(site)
    #expect(lines[0] == "a (Sample): ok")
    #expect(lines[1].hasPrefix("  1. " + (asked.name ?? asked.source)))
    #expect(!lines[1].contains("who@"))
    if let reason = asked.reason {
      #expect(lines[1].contains(": failed, ") && lines[1].hasSuffix(" [\(reason)]"))
      #expect(lines[2] == "  2. an identicon: shown" && lines[3].hasPrefix("     sha256 "))
    } else {
      #expect(lines[1].contains(": shown"))
      #expect(lines[2].hasPrefix("     sha256 ") && lines[3] == "  2. an identicon: untried")
    }
    if asked.reason == nil, ["a.png", "data:"].contains(where: asked.source.hasPrefix) {
      #expect(lines[1].hasSuffix(": shown, png, 16 × 16 pixels"))
      #expect(lines[2] == "     sha256 \(Digest(of: Self.picture).hex)")
    }
  }

  @Test func `the background colour comes last, and people without a source are skipped`() throws {
    let site = try TestSite()
    try site.write([Person("a", "missing.png", background: "red"), Person("b")])
    let lines = try explain(site)
    #expect(lines[0] == "a (a): fallback")
    #expect(lines[1].hasPrefix("  1. missing.png: failed, "))
    #expect(lines[2] == "  2. color:#ff0000ff: shown")
    #expect(try explain(site, "b").first == "b (b): skipped")
    #expect(try explain(site, "b").dropFirst().allSatisfy { $0.hasPrefix("style ") })
  }

  @Test func `a damaged source file is reported as stale`() throws {
    let site = try TestSite()
    try site.put(Self.picture, at: "a.png")
    try site.write([Person("a", "a.png")])
    try site.build()
    try site.put([], at: "a.png")
    let lines = try explain(site)
    #expect(lines[1].hasPrefix("  1. a.png: stale, ") && lines[1].hasSuffix(" [source-empty]"))
    #expect(lines[2] == "     sha256 \(Digest(of: Self.picture).hex)")
    #expect(try image(site).change == "as in the last build")
  }

  @Test func `explain uses only cached data for URLs`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    try host.write([Person("a", host.url("/a.png")), Person("b", host.url("/b.png"), "color:#123")])
    try host.build()
    _ = host.asked()
    #expect(try explain(host.site)[1].contains(": shown, png, 16 × "))
    #expect(try image(host.site).change == "as in the last build")
    let failed = try explain(host.site, "b")[1]
    #expect(failed.contains(": failed, ") && failed.hasSuffix(" [not-found]"))
    #expect(host.asked().isEmpty)
  }

  private func built() throws -> TestSite {
    let site = try TestSite()
    try site.paint("a.png", .red)
    try site.paint("b.png", .blue)
    try site.write([Person("a", "a.png"), Person("b", "b.png")])
    try site.build()
    return site
  }

  @Test func `an unchanged image is reported as unchanged`() throws {
    let site = try built()
    let before = Set(site.folder.list())
    let image = try image(site)
    #expect(try image.change == "as in the last build" && image.path == site.image(of: "a").path)
    #expect(Set(site.folder.list()) == before)
    // The last build is now a second build with the same input.
    try site.folder.remove("output")
    try site.build()
    #expect(try self.image(site).change == "as in the last build")
  }

  @Test func `a source change is reported with the old and new digests`() throws {
    let site = try built()
    let old = try #require(try site.assets().users["a"]?.sourceSHA256)
    try site.paint("a.png", .green)
    try site.write(
      [Person("a", "a.png"), Person("b", "b.png")],
      styles: [TestSite.small.replacing("16", with: "17")])
    let image = try image(site)
    let new = Digest(of: try site.folder.read("content/a.png")).hex
    #expect(image.change == "the source has changed since the last build: \(old), now \(new)")
    #expect(image.path == "not rendered yet")
    try site.build()
    #expect(try self.image(site).change == "as in the last build")
    // Earlier renders are reused.
    try site.paint("a.png", .red)
    try site.write([Person("a", "a.png"), Person("b", "b.png")])
    #expect(try self.image(site).change.hasPrefix("the source has changed"))
    #expect(try self.image(site).path.hasPrefix("assets/"))
  }

  @Test func `a recipe change is reported`() throws {
    let site = try built()
    try site.write(
      [Person("a", "a.png")], styles: [TestSite.small.replacing("square", with: "circle")])
    let image = try image(site)
    #expect(image.change == "the recipe has changed since the last build")
    #expect(image.path == "not rendered yet")
    try site.build()
    #expect(try self.image(site).change == "as in the last build")
  }

  @Test func `a renderer change is reported`() throws {
    let site = try built()
    let key = try site.pretendOlderRenderer(of: "a.png")
    let image = try image(site)
    #expect(image.key == key.hex)
    #expect(image.change == "the renderer has changed since the last build")
    #expect(image.path == "not rendered yet")
    try site.folder.remove("output")
    try site.build()
    #expect(try self.image(site).change == "as in the last build")
  }

  @Test func `missing blobs and a missing cache are reported`() throws {
    let site = try built()
    let digest = try #require(Digest(hex: site.image(of: "a").sha256))
    try site.folder.remove("cache/store/\(BlobStore.name(of: digest))")
    #expect(try image(site).change == "as in the last build, but not in the cache")
    try site.folder.remove("cache")
    #expect(try image(site).change == "as in the last build, but not in the cache")
    #expect(!site.folder.exists("cache"))
  }

  @Test func `an image that is not on the site is reported`() throws {
    let site = try built()
    try site.write([Person("a", "a.png"), Person("c", "b.png")])
    #expect(try image(site, "c").change == "not on the site")
    try site.folder.remove("output")
    #expect(try image(site).change == "not on the site")
  }

  @Test func `an unknown user or style causes an error with a suggestion`() throws {
    let site = try built()
    for (user, style, id) in [("x", nil, "unknown-user"), ("a", "smal", "unknown-style")] {
      let failure = try #require(throws: BuildFailure.self) {
        try explain(site, user, style: style)
      }
      guard case .usage(let diagnostics) = failure else {
        Issue.record("\(failure)")
        continue
      }
      #expect(diagnostics.sorted.map(\.id) == [id])
      #expect(diagnostics.sorted.first?.help != nil)
    }
  }
}

extension TestSite {
  /// Changes the cache as if an older library had rendered the site; returns the image's key.
  func pretendOlderRenderer(of picture: String) throws -> Digest {
    var style = AvatarStyle(declared: Located(FileLocation(file: "m"), path: "avatars[0]"))
    (style.width, style.height, style.scales) = (16, 16, [1])
    (style.shape, style.formats) = (.square, [.png])
    let recipe = try #require(StylePlan(style).picture.first?.recipe)
    let source = Digest(of: try folder.read("content/" + picture))
    let index = try Index(in: Folder(opening: folder.path(of: "cache")))
    defer { index.close() }
    let renderer = String(decoding: try #require(try index.get(.meta, "renderer")), as: UTF8.self)
    let key = try recipe.key(of: source, by: renderer)
    let older = renderer + "; Older 1.0"
    let record = try #require(try index.get(.renders, key))
    try index.remove(.renders, [key])
    try index.put(.renders, recipe.key(of: source, by: older), record)
    try index.put(.meta, "renderer", Array(older.utf8))
    return key
  }
}
