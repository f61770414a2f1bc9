import Files
import SiteSupport

struct VerifyTests {
  private func site(more: String = "pages: { people: true }") throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.paint("blue.png", .blue)
    try site.write(
      [Person("a", "red.png", tags: ["x"]), Person("b", "blue.png"), Person("c", "initials")],
      styles: [TestSite.small, "name: large, size: 24, scales: [1, 2], formats: [webp, png]"],
      more: more)
    try site.build()
    return site
  }

  private func verify(
    _ site: TestSite, sample: Int = 0, _ adjust: (inout BuildOptions) -> Void = { _ in }
  ) throws -> Verification {
    var options = site.options()
    adjust(&options)
    return try Verify(options, sample: sample).run()
  }

  private func repair(_ site: TestSite) throws {
    try site.build { options in
      options.fetching.ignoringCache = true
      options.adopt = true
    }
  }

  /// Formats each flaw as its id and file.
  private func flaws(_ found: Verification, _ site: TestSite) -> [String] {
    found.flaws.sorted.map { flaw in
      let file = flaw.location?.file ?? flaw.path ?? ""
      return "\(flaw.id) \(file.replacing(site.folder.path + "/", with: ""))"
    }
  }

  @Test(arguments: [
    "", "exports: [xcassets, swift, android, sprites, touch, poster]\nicons: { from: red.png }",
  ])
  func `a built site passes verification`(exports: String) throws {
    let more = exports.isEmpty ? "" : "\n" + exports
    let site = try site(more: "pages: { people: true, cards: true }" + more)
    let before = Set(site.folder.list())
    let found = try verify(site, sample: 100)
    #expect(flaws(found, site) == [])
    #expect(found.counts.files == site.outputFiles().count - 1)
    #expect(found.counts.links > 20 && found.counts.blobs >= 15)
    // Three people have two styles: one with one file, the other with four.
    #expect(found.counts.pictures == 15 && found.counts.newPictures == 0)
    #expect(Set(site.folder.list()) == before)
  }

  /// A change to a site, and the expected flaws.
  struct Damage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var flaws: [String]
    /// Whether a build repairs the damage; foreign files stay, and template errors recur.
    var isRepaired = true
    var harm: @Sendable (TestSite) throws -> Void
  }

  private static let page = "output/people/a/index.html"
  private static let ledger = "output/.sitegen-files"

  private static func edit(
    _ site: TestSite, _ path: String, _ change: (inout [UInt8]) throws -> Void
  ) throws {
    var bytes = [UInt8](try site.folder.read(path))
    try change(&bytes)
    // Writes in place, since the file may be a hard link to the store.
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: site.folder.path(of: path)))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  private static func editLedger(_ site: TestSite, _ change: (inout [String]) -> Void) throws {
    try edit(site, ledger) { bytes in
      var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      change(&lines)
      bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    }
  }

  static let damages = [
    Damage(testDescription: "a flipped byte", flaws: ["file-changed \(page)"]) { site in
      try edit(site, page) { $0[$0.count / 2] ^= 1 }
    },
    Damage(testDescription: "a cut file", flaws: ["file-changed \(page)"]) { site in
      try edit(site, page) { $0.removeLast() }
    },
    Damage(testDescription: "a missing file", flaws: ["file-missing \(page)"]) { site in
      try site.folder.remove(page)
    },
    Damage(testDescription: "a missing folder", flaws: ["file-missing \(page)"]) { site in
      try site.folder.remove("output/people/a")
    },
    Damage(testDescription: "a link in place of a file", flaws: ["file-changed \(page)"]) { site in
      try site.folder.remove(page)
      try site.folder.link(page, to: "../b/index.html")
    },
    Damage(
      testDescription: "a foreign file", flaws: ["file-foreign output/people/a/mine.txt"],
      isRepaired: false
    ) { site in
      try site.folder.write("mine", to: "output/people/a/mine.txt")
    },
    Damage(
      testDescription: "a foreign link", flaws: ["file-foreign output/mine"], isRepaired: false
    ) { site in
      try site.folder.link("output/mine", to: "../content/red.png")
    },
    Damage(testDescription: "no ledger", flaws: ["ledger-wrong \(ledger)"]) { site in
      try site.folder.remove(ledger)
    },
    Damage(testDescription: "a ledger of other lines", flaws: ["ledger-wrong \(ledger)"]) { site in
      try editLedger(site) { $0.swapAt(2, 3) }
    },
    Damage(
      testDescription: "a ledger that lost its end",
      flaws: ["ledger-wrong \(ledger)", "file-foreign output/tags/x/index.html"]
    ) { site in
      try edit(site, ledger) { $0.removeLast(4) }
    },
    Damage(testDescription: "a ledger with a file too many", flaws: ["file-missing output/zzz"]) {
      site in
      try editLedger(site) { $0.append("1 \(Digest(of: [1]).hex) zzz") }
    },
    Damage(testDescription: "a ledger with another digest", flaws: ["file-changed \(page)"]) {
      site in
      try editLedger(site) { lines in
        let index = lines.firstIndex { $0.hasSuffix(" people/a/index.html") } ?? 0
        let size = lines[index].prefix { $0 != " " }
        lines[index] = "\(size) \(Digest(of: [1]).hex) people/a/index.html"
      }
    },
    Damage(testDescription: "a record of the index", flaws: ["cache-damaged cache/index.sqlite"]) {
      site in
      let digest = Array(Data(try #require(Digest(hex: site.image(of: "a").sha256)).bytes))
      try edit(site, "cache/index.sqlite") { bytes in
        let place = try #require(Data(bytes).range(of: Data(digest)))
        bytes[place.lowerBound] ^= 1
      }
    },
    Damage(testDescription: "a page of the index", flaws: ["cache-damaged cache/index.sqlite"]) {
      site in
      try edit(site, "cache/index.sqlite") { bytes in
        bytes.replaceSubrange(
          bytes.count - 4096..<bytes.count, with: repeatElement(85, count: 4096))
      }
    },
    Damage(testDescription: "a folder as index", flaws: ["cache-damaged cache/addresses.sqlite"]) {
      site in
      try site.folder.makeFolder("cache/addresses.sqlite")
    },
    Damage(testDescription: "the file of stamps", flaws: ["cache-damaged cache/upToDate"]) { site in
      try edit(site, "cache/upToDate") { $0[$0.count / 2] ^= 1 }
    },
    Damage(testDescription: "a cut file of stamps", flaws: ["cache-damaged cache/upToDate"]) {
      site in
      try edit(site, "cache/upToDate") { $0.removeLast() }
    },
  ]

  @Test(arguments: damages)
  func `every kind of damage is detected`(damage: Damage) throws {
    let site = try site()
    let before = try site.snapshot()
    try damage.harm(site)
    let harmed = Set(site.folder.list())
    let found = try verify(site)
    #expect(flaws(found, site) == damage.flaws)
    #expect(flaws(try verify(site), site) == damage.flaws)
    #expect(Set(site.folder.list()) == harmed)

    try repair(site)
    #expect(flaws(try verify(site), site) == (damage.isRepaired ? [] : damage.flaws))
    let after = try site.snapshot()
    #expect(damage.isRepaired ? after == before : after.count == before.count + 1)
  }

  @Test(arguments: [1, 2, 3, 7]) func `the shards together check everything`(count: Int) throws {
    let site = try site()
    for number in [1, 5, 6, 10, 12, 14, 15] {
      let damage = Self.damages[number]
      try damage.harm(site)
    }
    try site.folder.remove("output/people/b/index.html")
    let whole = try verify(site, sample: 100)
    #expect(whole.flaws.count(.error) == 8)
    var (all, sums) = ([String](), [0, 0, 0, 0])
    for number in 1...count {
      let part = try verify(site, sample: 100) { $0.shard = Shard(number, of: count) }
      all += flaws(part, site)
      let counts = part.counts
      let own = [counts.files, counts.links, counts.blobs, counts.pictures]
      sums = zip(sums, own).map { $0 + $1 }
      #expect(count == 1 || counts.files < whole.counts.files)
    }
    let counts = whole.counts
    #expect(sums == [counts.files, counts.links, counts.blobs, counts.pictures])
    #expect(all.sorted() == flaws(whole, site).sorted())
  }

  /// The template links to an anchor on a page from another shard.
  @Test func `a shard also checks anchors on other shards' pages`() throws {
    let site = try site()
    let index = try Checkout.text(of: "templates/index.mustache")
    let links = "<a href='people/a/#nowhere'>1</a><a href='people/b/#nowhere'>2</a>"
    try site.folder.write(
      index.replacing("{{/main}}", with: links + "{{/main}}"), to: "templates/index.mustache")
    try site.age("templates")
    try site.build()
    for count in 1...6 {
      let found = try (1...count).flatMap { number in
        try flaws(verify(site) { $0.shard = Shard(number, of: count) }, site)
      }
      #expect(found == Array(repeating: "dead-link output/index.html", count: 2))
    }
  }

  /// The picture and its blob are hard links, so both are damaged and both are repaired.
  @Test(arguments: ["flipped", "cut"])
  func `damage to a picture is reported for both the output and the store`(damage: String) throws {
    let site = try site()
    let before = try site.snapshot()
    let image = try site.image(of: "a")
    let path = "output/\(image.path)"
    let stamp = try site.stamps()[image.path]
    try Self.edit(site, path) { bytes in
      if damage == "flipped" { bytes[bytes.count / 2] ^= 1 } else { bytes.removeLast() }
    }
    let blob = "cache/store/" + BlobStore.name(of: try #require(Digest(hex: image.sha256)))
    #expect(flaws(try verify(site), site) == ["blob-damaged \(blob)", "file-changed \(path)"])
    try repair(site)
    #expect(flaws(try verify(site), site) == [])
    #expect(try site.snapshot() == before)
    #expect(try site.stamps()[image.path] != stamp)
  }

  @Test func `damage to an unused blob is detected`() throws {
    let site = try site()
    try site.write([Person("b", "blue.png")])
    try site.build()
    let shown = Set(site.assetFiles().map { String($0.suffix(68).prefix(64)) })
    let blob = try #require(
      site.folder.list().first {
        $0.hasPrefix("cache/store/") && $0.count > 60 && !shown.contains(String($0.suffix(64)))
      })
    try Self.edit(site, blob) { $0[0] ^= 1 }
    #expect(flaws(try verify(site), site) == ["blob-damaged \(blob)"])
  }

  /// Output, blob and ledger are consistent, but the picture is another person's.
  @Test func `a poisoned cache is detected by rendering without it`() throws {
    let site = try site()
    let before = try site.snapshot()
    let (own, other) = (try site.image(of: "a").sha256, try site.image(of: "b").sha256)
    let cache = try Folder(opening: site.folder.path(of: "cache"))
    let index = try Index(in: cache)
    var records: [String: (key: [UInt8], value: [UInt8])] = [:]
    try index.forEach(.renders) { key, value in
      if case .success(let asset)? = RenderRecord.render(of: value) {
        records[asset.digest.hex] = (key, value)
      }
    }
    let key = try #require(records[own]?.key)
    try index.put(.renders, key, try #require(records[other]?.value))
    index.close()
    try site.folder.remove("output")
    try site.build()
    #expect(try site.image(of: "a").sha256 == other)

    #expect(flaws(try verify(site), site) == [])
    let found = try verify(site, sample: 100)
    #expect(found.flaws.sorted.map(\.id) == ["picture-differs"])
    #expect(found.flaws.sorted.first?.message.contains("\"a\" in style small, 1x png") == true)
    try repair(site)
    #expect(flaws(try verify(site, sample: 100), site) == [])
    #expect(try site.snapshot() == before)
  }

  @Test func `a sample covers all images of each selected person`() throws {
    let site = try site()
    for (sample, pictures) in [(1, 5), (2, 10), (3, 15), (4, 15)] {
      #expect(try verify(site, sample: sample).counts.pictures == pictures)
    }
  }

  @Test func `source pictures changed since the last build are not reported as damaged`() throws {
    let site = try site()
    try site.paint("red.png", .green)
    let found = try verify(site, sample: 100)
    #expect(flaws(found, site) == [])
    #expect(found.counts.pictures == 10 && found.counts.newPictures == 5)
  }

  @Test func `fetched pictures are verified against their cached originals`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    try host.write([Person("a", host.url("/a.png"))])
    try host.build()
    _ = host.asked()
    let found = try Verify(host.site.options(), sample: 1).run()
    #expect(found.counts.pictures == 1 && found.flaws.isEmpty)
    #expect(host.asked().isEmpty)
  }

  @Test func `links are parsed the way browsers parse them`() throws {
    let read = try #require(GalleryMaker().links("a/index.html"))
    let found = read(
      Array(
        """
        <A name=q></A><meta name=n><p id="x&#x20;y"><a href="b&#32;c.html#q:~:text=words">
        <a href="#:~:text=words"><a href="#top"><a href="#n">
        """.utf8))
    #expect(found.anchors == ["q", "x y"])
    let wanted = [
      FileLinks.Link(path: "a/b c.html", fragment: "q"),
      FileLinks.Link(path: "a/index.html", fragment: nil),
      FileLinks.Link(path: "a/index.html", fragment: "n"),
    ]
    #expect(found.links == Set(wanted))
  }

  /// Pages with hostile text are compared with the results of another HTML parser.
  @Test func `links and anchors are found the way browsers find them`() throws {
    let words = ["\"><a href=x>", "'x' & <b>", "<!-- ", "</script>", "é#?%41/../", "a=b > c"]
    let site = try TestSite.whole(words: words + (0..<20).map { "Sample \($0)" })
    try site.build()
    for path in site.pageFiles() {
      let read = try #require(GalleryMaker().links(path))
      let found = read([UInt8](try site.folder.read("output/\(path)")))
      let page = try site.page(path)
      let links = page.links(on: path).compactMap { link in
        link.path.map { FileLinks.Link(path: $0, fragment: link.anchor) }
      }
      #expect(found.links == Set(links), "\(path)")
      #expect(found.anchors == Set(page.ids), "\(path)")
    }
    #expect(flaws(try verify(site), site) == [])
  }

  @Test func `dead links in templates are reported, and a rebuild does not fix them`() throws {
    let site = try site()
    let index = try Checkout.text(of: "templates/index.mustache")
    let links = """
      <!-- <a href="comment.html"> --><a href=there.html>1</a> <a href='people/a/#nowhere'>2</a>
      <a href="https://example.org/x.html">3</a> <a href="/root.html">4</a> <a href="#top">5</a>
      <a href="../outside.html">6</a> <a href="people/a/index.html?x#">7</a>
      <img alt="" srcset="one.png 1x, assets/a%20b.png?q 2x"> <p style="background: url('two.png')">
      <script>document.write('<a href="script.html">')</script> <a href="mine&amp;yours.html">8</a>
      <a href="\(String(repeating: "long", count: 100))">9</a>
      """
    try site.folder.write(
      index.replacing("{{/main}}", with: links + "{{/main}}"), to: "templates/index.mustache")
    try site.age("templates")
    try site.folder.write("mine", to: "output/mine&yours.html")
    try site.build()
    let found = try verify(site) { $0.adopt = true }
    let messages = found.flaws.sorted.map(\.message)
    #expect(found.flaws.sorted.allSatisfy { $0.id == "dead-link" })
    #expect(
      messages == [
        "it links to assets/a b.png, which does not exist",
        "it links to \(String(repeating: "long", count: 100)), which does not exist",
        "it links to one.png, which does not exist",
        "it links to people/a/index.html#nowhere, which does not exist",
        "it links to there.html, which does not exist", "it links to two.png, which does not exist",
      ])
    try repair(site)
    #expect(try verify(site) { $0.adopt = true }.flaws.count(.error) == 6)
  }

  @Test func `a concurrent build is not reported as damage`() throws {
    let site = try site()
    try site.folder.remove(Self.page)
    let output = try Folder(opening: site.folder.path(of: "output"))
    guard case .acquired(let lock) = try FileLock.acquire(".sitegen-lock", in: output) else {
      Issue.record("the lock was not acquired")
      return
    }
    let failure = try #require(throws: BuildFailure.self) { _ = try verify(site) }
    #expect(failure.exitStatus == 75)
    lock.release()
    #expect(try verify(site).flaws.count(.error) == 1)
  }
}
