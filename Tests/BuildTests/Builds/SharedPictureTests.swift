import SiteSupport

struct SharedPictureTests {
  /// F1: a picture with 1,600 references is decoded once and rendered once per variant.
  @Test func `a picture referenced 1,600 times is decoded once`() throws {
    let site = try TestSite()
    try site.paint("a.png", .red)
    let people = (0..<100).map { number in
      var person = Person("user-\(number)")
      person.avatar = Array(repeating: "a.png", count: 16)
      return person
    }
    try site.write(people, styles: ["name: round, size: 16, scales: [1, 2], formats: [png, webp]"])
    let counters = try site.build().report.counters
    #expect(counters.decodes == 1)
    #expect(counters.renders == 4)
  }

  @Test(arguments: Extent.seeds(4, all: 11))
  func `images rendered together match images rendered separately`(seed: UInt64) throws {
    var random = RandomStyle(seed: seed)
    let styles = (0..<3).map { "name: s\($0), \(random.keys())" }
    func images(_ styles: [String]) throws -> [String: [String]] {
      let site = try TestSite()
      try site.put(
        TestPicture.png(width: 40, height: 30, kind: .color) { x, y in
          TestPicture.Pixel(UInt8(x * 6), UInt8(y * 8), UInt8(x * y % 256))
        }, at: "a.png")
      try site.write([Person("a", "a.png")], styles: styles)
      let result = try site.build()
      // Only a JPEG has more than one decode scale.
      #expect(result.report.counters.decodes == 1, "seed \(seed): \(styles)")
      let avatars = try #require(try site.assets().users["a"]?.avatars)
      return avatars.mapValues { $0.map(\.sha256) }
    }
    let together = try images(styles)
    for style in styles {
      for (name, digests) in try images([style]) {
        #expect(together[name] == digests, "seed \(seed): { \(style) }")
      }
    }
  }
}
