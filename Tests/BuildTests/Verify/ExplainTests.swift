import Build
import Bytes
import Compare
import Diagnostics
import Files
import Foundation
import Manifest
import Plan
import Recipes
import SiteSupport
import Store
import TestSupport
import Testing

/// `sitegen explain`: every kind of source, every answer, every reason to render again.
struct ExplainTests {
  private func explain(
    _ site: TestSite, _ user: String = "a", style: String? = nil
  ) throws -> Explanation {
    let options = site.options()
    let published = try PublishedPictures(in: options.output).of(user)
    return try Explain(options).user(user, style: style, published: published)
  }

  /// The only picture of a user in the style `small`.
  private func image(_ site: TestSite, _ user: String = "a") throws -> Explanation.Image {
    let styles = try explain(site, user, style: "small").styles
    #expect(styles.map(\.name) == ["small"] && styles.first?.images.count == 1)
    return try #require(styles.first?.images.first)
  }

  // MARK: Sources

  private static let picture = TestPicture.png(width: 16, height: 16) { _, _ in .red }

  /// A source as a manifest names it, what it is called, its kind, its answer, and why.
  struct Asked: Sendable, CustomTestStringConvertible {
    var source: String
    var name: String?
    var kind: String
    var answer = "failed"
    var reason: String?

    var testDescription: String { String(source.prefix(40)) }
  }

  static let asked = [
    Asked(source: "a.png", kind: "file", answer: "shown"),
    Asked(source: "color:#123", name: "color:#112233ff", kind: "color", answer: "shown"),
    Asked(source: "initials", kind: "initials", answer: "shown"),
    Asked(source: "identicon", name: "an identicon", kind: "identicon", answer: "shown"),
    Asked(
      source: "data:image/png;base64," + picture.base64EncodedString(), name: "a data: address",
      kind: "data", answer: "shown"),
    Asked(source: "missing.png", kind: "file", reason: "source-unreadable"),
    Asked(source: "../outside.png", kind: "file", reason: "path-outside-root"),
    Asked(source: "folder", kind: "file", reason: "not-a-regular-file"),
    Asked(source: "empty.png", kind: "file", reason: "source-empty"),
    Asked(source: "text.png", kind: "file", reason: "unsupported-format"),
    Asked(source: "cut.png", kind: "file", reason: "truncated"),
    Asked(source: "undecodable.png", kind: "file", reason: "decode-failed"),
    Asked(
      source: "data:image/png;base64,!!", name: "an address", kind: "address",
      reason: "bad-data-address"),
    Asked(source: "who@example.org", name: "an address", kind: "address", reason: "bad-address"),
    // Nothing is kept of these, and nothing is asked.
    Asked(source: "https://example.org/a.png", kind: "https", reason: "offline"),
    Asked(source: "http://example.org/a.png", kind: "http", reason: "offline"),
    Asked(
      source: "gravatar:who@example.org", name: "gravatar:", kind: "gravatar", reason: "offline"),
    Asked(
      source: "libravatar:who@example.org", name: "libravatar:", kind: "libravatar",
      reason: "offline"),
    Asked(source: "github:sample", kind: "github", reason: "offline"),
  ]

  @Test(arguments: asked) func `each source has its answer`(asked: Asked) throws {
    let site = try TestSite()
    try site.put(Self.picture, at: "a.png")
    try site.put([], at: "empty.png")
    try site.put(Array("text".utf8), at: "text.png")
    try site.put(Self.picture.dropLast(20), at: "cut.png")
    try site.put(
      Array(Self.picture.prefix(33)) + TestPicture.chunk("IDAT", Array("no zlib".utf8))
        + TestPicture.chunk("IEND", []), at: "undecodable.png")
    try site.folder.write([1], to: "outside.png")
    try site.folder.makeFolder("content/folder")
    try site.write([Person("a", name: "Sample", asked.source, "identicon")])
    if asked.reason != "offline" { try site.build() }
    let explanation = try explain(site)
    #expect(explanation.user == "a" && explanation.name == "Sample")
    #expect(explanation.status == "ok" && explanation.sources.count == 2)
    let (first, last) = (explanation.sources[0], explanation.sources[1])
    #expect(first.source.hasPrefix(asked.name ?? asked.source))
    #expect(!first.source.contains("who@"))
    #expect(first.kind == asked.kind && first.answer == asked.answer)
    #expect(first.reason == asked.reason && (first.detail == nil) == (asked.reason == nil))
    #expect(last.answer == (asked.answer == "shown" ? "untried" : "shown"))
    #expect((first.sha256 == nil) == (asked.answer != "shown"))
    #expect((last.sha256 == nil) == (asked.answer == "shown"))
    if ["file", "data"].contains(asked.kind), asked.answer == "shown" {
      #expect(first.format == "png" && first.width == 16 && first.height == 16)
      #expect(first.sha256 == Digest(of: Self.picture).hex)
    }
  }

  @Test func `a colour comes last, and who has nothing is told`() throws {
    let site = try TestSite()
    try site.write([Person("a", "missing.png", background: "red"), Person("b")])
    let explanation = try explain(site)
    #expect(explanation.status == "fallback")
    #expect(explanation.sources.map(\.source) == ["missing.png", "color:#ff0000ff"])
    #expect(explanation.sources.map(\.answer) == ["failed", "shown"])
    let nobody = try explain(site, "b")
    #expect(nobody.status == "skipped" && nobody.sources.isEmpty)
    #expect(nobody.styles.allSatisfy { $0.images.isEmpty })
  }

  @Test func `a spoilt file is stale`() throws {
    let site = try TestSite()
    try site.put(Self.picture, at: "a.png")
    try site.write([Person("a", "a.png")])
    try site.build()
    try site.put([], at: "a.png")
    let source = try #require(try explain(site).sources.first)
    #expect(source.answer == "stale" && source.reason == "source-empty")
    #expect(source.sha256 == Digest(of: Self.picture).hex)
    #expect(try image(site).differs == nil)
  }

  @Test func `of addresses it tells what is kept, and asks nothing`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    try host.write([
      Person("a", host.url("/a.png")), Person("b", host.url("/b.png"), "color:#123"),
    ])
    try host.build()
    _ = host.asked()
    let kept = try #require(try explain(host.site).sources.first)
    #expect(kept.answer == "shown" && kept.kind == "http" && kept.width == 16)
    #expect(try image(host.site).differs == nil)
    let failed = try #require(try explain(host.site, "b").sources.first)
    #expect(failed.answer == "failed" && failed.reason == "not-found")
    #expect(host.asked().isEmpty)
  }

  // MARK: Rendering again

  private func built() throws -> TestSite {
    let site = try TestSite()
    try site.paint("a.png", .red)
    try site.paint("b.png", .blue)
    try site.write([Person("a", "a.png"), Person("b", "b.png")])
    try site.build()
    return site
  }

  @Test func `nothing has changed`() throws {
    let site = try built()
    let before = Set(site.folder.list())
    let image = try image(site)
    let path = try site.image(of: "a").path
    #expect(image.differs == nil && image.cached && image.path == path && image.shown == path)
    #expect(Set(site.folder.list()) == before)
    // Another build of the same is the last one.
    try site.folder.remove("output")
    try site.build()
    #expect(try self.image(site).differs == nil)
  }

  @Test func `another source is told first`() throws {
    let site = try built()
    let old = try #require(try site.assets().users["a"]?.sourceSHA256)
    try site.paint("a.png", .green)
    try site.write(
      [Person("a", "a.png"), Person("b", "b.png")],
      styles: [TestSite.small.replacing("16", with: "17")])
    let image = try image(site)
    let new = Digest(of: try site.folder.read("content/a.png")).hex
    #expect(image.differs == "source" && image.old == old && image.new == new)
    #expect(!image.cached && image.path == nil)
    #expect(try image.shown == site.image(of: "a").path)
    try site.build()
    #expect(try self.image(site).differs == nil)
    // What was made before need not be made again.
    try site.paint("a.png", .red)
    try site.write([Person("a", "a.png"), Person("b", "b.png")])
    #expect(try self.image(site).differs == "source" && self.image(site).cached)
  }

  @Test func `another recipe is told`() throws {
    let site = try built()
    try site.write(
      [Person("a", "a.png")], styles: [TestSite.small.replacing("square", with: "circle")])
    let image = try image(site)
    #expect(image.differs == "recipe" && image.old == nil && !image.cached)
    let steps = try #require(try explain(site).styles.first?.recipe)
    #expect(steps.first { $0.term == "Shape" }?.text == "circle")
    try site.build()
    #expect(try self.image(site).differs == nil)
  }

  @Test func `another renderer is told`() throws {
    let site = try built()
    var style = AvatarStyle(declared: Located(FileLocation(file: "m"), path: "avatars[0]"))
    (style.width, style.height, style.scales) = (16, 16, [1])
    (style.shape, style.formats) = (.square, [.png])
    let recipe = try #require(StylePlan(style).picture.first?.recipe)
    let source = Digest(of: try site.folder.read("content/a.png"))
    let now = try image(site)
    let index = try Index(in: Folder(opening: site.folder.path(of: "cache")))
    let renderer = String(decoding: try #require(try index.get(.meta, "renderer")), as: UTF8.self)
    let key = try RenderKey(recipe: recipe, fingerprint: renderer).key(of: source)
    #expect(key.hex == now.key)
    // As if an older library had made the site.
    let parts = renderer.split(separator: "; ")
    let older = ([parts[0], "Older 1.0"] + parts.dropFirst(2)).joined(separator: "; ")
    let record = try #require(try index.get(.renders, key))
    try index.remove(.renders, [key])
    try index.put(.renders, RenderKey(recipe: recipe, fingerprint: older).key(of: source), record)
    try index.put(.meta, "renderer", Array(older.utf8))
    index.close()
    let image = try image(site)
    #expect(image.differs == "renderer" && !image.cached && image.path == nil)
    #expect(image.old == "Older 1.0" && image.new == String(parts[1]))
    try site.folder.remove("output")
    try site.build()
    #expect(try self.image(site).differs == nil)
  }

  @Test func `a lost blob is told, and so is a lost cache`() throws {
    let site = try built()
    let digest = try #require(Digest(hex: site.image(of: "a").sha256))
    try site.folder.remove("cache/store/\(BlobStore.name(of: digest))")
    let image = try image(site)
    #expect(image.differs == nil && !image.cached && image.path != nil)
    try site.folder.remove("cache")
    #expect(try self.image(site).differs == nil && !self.image(site).cached)
    #expect(!site.folder.exists("cache"))
  }

  @Test func `what the site does not show is new`() throws {
    let site = try built()
    try site.write([Person("a", "a.png"), Person("c", "b.png")])
    let image = try image(site, "c")
    #expect(image.differs == "new" && image.shown == nil && image.cached)
    try site.folder.remove("output")
    #expect(try self.image(site).differs == "new")
  }

  // MARK: Files

  @Test func `the files that show a picture are named, and its copies`() throws {
    let site = try TestSite()
    try site.paint("a.png", .red)
    try site.write(
      [Person("a", "a.png"), Person("b", "a.png")],
      more: "exports: [xcassets]\npages: { people: true }")
    try site.build()
    let path = try site.image(of: "a").path
    let files = try Explain(site.options()).files(showing: [path])
    let found = try #require(files[path])
    #expect(
      found.filter { !$0.hasPrefix("Assets.xcassets/") } == [
        "assets.json", "index.html", "people/a/index.html", "people/b/index.html",
        "styles/index.html",
      ])
    let copies = found.filter { $0.hasSuffix(".png") }
    #expect(copies.count == 2)
    for copy in copies + [path] {
      let digest = try #require(try Explain(site.options()).file(copy)?.digest)
      let owners = try PublishedPictures(in: site.options().output).owners(of: digest)
      #expect(owners.map(\.name) == ["a", "b"] && owners.map(\.style) == ["small", "small"])
    }
    #expect(try Explain(site.options()).file("nothing.html") == nil)
  }

  @Test func `pictures of buttons and strips have owners, too`() throws {
    let site = try TestSite()
    try site.paint("a.png", .red)
    try site.write(
      [Person("a", "a.png")], buttons: ["name: go, normal: red, emit: [png]"],
      more: "strips:\n  - { name: edge, color: black, radius: 3 }")
    try site.build()
    let pictures = PublishedPictures(in: site.options().output)
    let owners = try site.assetFiles().flatMap { path in
      try pictures.owners(of: #require(Digest(assetPath: path)))
    }
    #expect(owners.contains { $0.kind == "button" && $0.name == "go, light, normal" })
    #expect(owners.contains { $0.kind == "strip" && $0.name == "edge" && $0.scale == 3 })
    #expect(owners.contains { $0.kind == "user" && $0.name == "a" && $0.style == "small" })
  }

  @Test func `who or what is not known is an error that helps`() throws {
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
