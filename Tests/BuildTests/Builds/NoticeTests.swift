import SiteSupport

struct NoticeTests {
  /// Returns a picture of soft shapes; equal seeds give the same picture at any size.
  private static func drawn(
    _ seed: UInt64, side: Int = 120, noise: Int = 0, shade: Int = 0
  ) -> Data {
    var random = SeededRandom(seed: seed)
    let waves = (0..<6).map { _ in
      (random.next(upTo: 5) + 1, random.next(upTo: 5) + 1, Double(random.next(upTo: 628)) / 100)
    }
    return TestPicture.png(width: side, height: side) { x, y in
      let (across, down) = (
        (Double(x) + 0.5) / Double(side) - 0.5, (Double(y) + 0.5) / Double(side) - 0.5
      )
      let sum = waves.reduce(0.0) {
        $0 + sin(6.28 * (Double($1.0) * across + Double($1.1) * down) + $1.2)
      }
      let grain = noise == 0 ? 0 : random.next(upTo: 2 * noise + 1) - noise
      let light = UInt8(min(max(128 + Int(sum * 18) + grain, 0), 215))
      return TestPicture.Pixel(light, UInt8(Int(light) / 2 + shade), 40)
    }
  }

  private static let detector = Need(
    "opencv-data (script/bootstrap test)",
    file: "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt.xml")
  private static let square = TestSite.small

  private func site(
    _ people: [(String, Data)], styles: [String] = [square], _ notices: String = "{}"
  ) throws -> TestSite {
    let site = try TestSite()
    for (id, picture) in people { try site.put(picture, at: "\(id).png") }
    try site.write(
      people.map { Person($0.0, "\($0.0).png", "color:#123") }, styles: styles,
      more: "notices: \(notices)")
    return site
  }

  private func reported(_ site: TestSite, jobs: Int = 1) throws -> [Diagnostic] {
    try site.build(jobs: jobs).diagnostics.sorted
  }

  @Test func `normal pictures trigger no notices`() throws {
    let people = (0..<12).map { ("p\($0)", Self.drawn(UInt64($0))) }
    #expect(try reported(site(people)).isEmpty)
  }

  @Test(arguments: [1, 4]) func `a notice counts people and lists the first few`(jobs: Int) throws {
    let people = (0..<10).map { ("p\($0)", Self.drawn(UInt64($0))) }
    let site = try site(people, styles: ["name: small, size: 128, scales: [1, 2], formats: [png]"])
    let reported = try reported(site, jobs: jobs)
    #expect(reported.map(\.id) == ["picture-small"])
    #expect(reported.allSatisfy { $0.severity == .note })
    let small = try #require(reported.first)
    #expect(
      small.message
        == "the pictures of 10 people have fewer pixels than the images rendered from them")
    #expect(small.path == "users[0].avatar[0]")
    #expect(small.note?.hasPrefix("\"p0\" is 120 × 120 pixels, but needs 256 × 256; \"p1") == true)
    #expect(small.note?.hasSuffix("; and 5 more") == true)
    #expect(try self.reported(site) == reported)
  }

  @Test func `identical files are reported even if their names differ`() throws {
    let one = Self.drawn(1)
    let site = try site([("a", one), ("b", Self.drawn(2)), ("c", one), ("d", one)])
    let reported = try reported(site)
    #expect(reported.map(\.id) == ["picture-same"])
    #expect(reported.first?.note == "\"a\" = \"c\" = \"d\"")
    #expect(reported.first?.message == "one picture is shown for several people")
  }

  @Test func `a re-saved picture is a duplicate, but a different picture is not`() throws {
    for seed in Extent.seeds(4, all: 20) {
      let near = [
        Self.drawn(seed, side: 96), Self.drawn(seed, side: 240),
        Self.drawn(seed, side: 120, noise: 6),
      ]
      for other in near {
        let site = try site([("a", Self.drawn(seed)), ("b", other), ("c", Self.drawn(seed + 99))])
        let reported = try reported(site)
        #expect(
          reported.map(\.note) == ["\"a\" = \"b\", similar but not identical"], "seed \(seed)")
      }
      // A picture with the same shapes in another colour is a different picture.
      let site = try site([("a", Self.drawn(seed)), ("b", Self.drawn(seed, shade: 60))])
      #expect(try reported(site).isEmpty, "seed \(seed)")
    }
  }

  @Test func `several people may share a fallback without a notice`() throws {
    let site = try TestSite()
    try site.put(Self.drawn(1), at: "all.png")
    try site.write(
      [Person("a"), Person("b"), Person("c", "color:#123"), Person("d", "identicon")],
      more: "fallback: all.png\nnotices: {}")
    #expect(try reported(site).isEmpty)
    try site.write([Person("a", "all.png"), Person("b", "all.png")], more: "notices: note")
    #expect(try reported(site).map(\.note) == ["\"a\" = \"b\""])
  }

  /// Plain pictures have too little detail for a fingerprint.
  @Test func `two almost uniform pictures are not treated as duplicates`() throws {
    func plain(_ seed: UInt64) -> Data {
      var random = SeededRandom(seed: seed)
      return TestPicture.png(width: 90, height: 90) { x, _ in
        let light = UInt8(200 + x / 10 + random.next(upTo: 8))
        return TestPicture.Pixel(light, light, light)
      }
    }
    #expect(try reported(site([("a", plain(1)), ("b", plain(2))])).isEmpty)
  }

  @Test(.needs(Self.detector)) func `a missing face is noted only if a style needs one`() throws {
    let wide = TestPicture.png(width: 90, height: 60) { x, y in
      TestPicture.Pixel(UInt8(x * 2), UInt8(y * 3), UInt8((x * y) % 200))
    }
    func reported(_ picture: Data, _ focus: String) throws -> [String] {
      let style = "name: small, size: 16, scales: [1], formats: [png], focus: \(focus)"
      return try self.reported(site([("a", picture)], styles: [style])).map(\.id)
    }
    #expect(try reported(wide, "face") == ["picture-faceless"])
    #expect(try reported(wide, "smart").isEmpty)
    // Without a crop, face detection does not run.
    #expect(try reported(Self.drawn(3), "face").isEmpty)
  }

  @Test func `each notice can be disabled or turned into a warning`() throws {
    let one = Self.drawn(1, side: 12)
    let people = [("a", one), ("b", one)]
    #expect(try reported(site(people)).map(\.id) == ["picture-same", "picture-small"])
    #expect(try reported(site(people, "{ same: off }")).map(\.id) == ["picture-small"])
    #expect(try reported(site(people, "{ small: off, same: note }")).map(\.id) == ["picture-same"])
    #expect(try reported(site(people, "off")).isEmpty)
    // Notes never prevent publishing, and warnings do so only with `--strict`.
    #expect(try site(people).build { $0.strict = true }.exitStatus == 0)
    let strict = try site(people, "{ same: warning }").failure { $0.strict = true }
    #expect(strict.exitStatus == 1)
    #expect(try reported(site(people, "warning")).allSatisfy { $0.severity == .warning })
  }

  @Test(arguments: ["yes", "{ same: false }", "{ other: off }", "[off]"])
  func `invalid notice settings are rejected`(notices: String) throws {
    #expect(try site([("a", Self.drawn(1))], notices).failure().exitStatus == 2)
  }
}
