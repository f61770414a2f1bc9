import SiteSupport

struct StoreDamageTests {
  private func filled() throws -> TestSite {
    let site = try TestSite()
    for (name, color) in [("red", TestPicture.Pixel.red), ("blue", .blue), ("green", .green)] {
      try site.paint("\(name).png", color)
    }
    try site.write(
      [Person("a", "red.png"), Person("b", "blue.png"), Person("c", "green.png")],
      styles: [TestSite.small, "name: large, size: 32, scales: [1], formats: [png]"])
    return site
  }

  private func blobs(_ site: TestSite) -> [String] {
    site.folder.list().filter { path in
      path.hasPrefix("cache/store/")
        && (try? site.folder.read(path).count).map { $0 > 0 } == true
    }
  }

  @Test(arguments: ["flipped", "deleted", "emptied", "cut"])
  func `a damaged blob is re-rendered`(damage: String) throws {
    let site = try filled()
    try site.build()
    let before = try site.snapshot()
    let blobs = blobs(site)
    #expect(blobs.count == 6)
    for blob in blobs.prefix(2) {
      var bytes = try site.folder.read(blob)
      // Blobs may be read-only.
      try site.folder.remove(blob)
      switch damage {
      case "flipped":
        bytes[bytes.count / 2] ^= 0x10
        try site.folder.write(bytes, to: blob)
      case "emptied": try site.folder.write([UInt8](), to: blob)
      case "cut": try site.folder.write(bytes.dropLast(7), to: blob)
      default: break
      }
    }
    // A complete output does not need the store.
    #expect(try site.build().report.counters.renders == 0)
    try site.folder.remove("output")
    let counters = try site.build().report.counters
    #expect(counters.renders == 2)
    #expect(counters.written == before.count - 1)
    #expect(counters.unchanged == 0)
    #expect(try site.snapshot() == before)
    try site.folder.remove("output")
    #expect(try site.build().report.counters.renders == 0)
    #expect(try site.snapshot() == before)
  }

  @Test func `an image damaged in both the output and the store is re-rendered`() throws {
    let site = try filled()
    try site.build()
    let before = try site.snapshot()
    let image = try site.image(of: "a")
    try site.folder.write("damaged", to: "output/\(image.path)")
    for blob in blobs(site) where blob.hasSuffix(String(image.sha256.suffix(40))) {
      try site.folder.remove(blob)
    }
    let counters = try site.build().report.counters
    #expect(counters.renders == 1 && counters.written == 1)
    #expect(counters.unchanged == before.count - 2)
    #expect(try site.snapshot() == before)
  }

  @Test(arguments: ["deleted", "garbled", "emptied", "a folder"])
  func `a missing or damaged index costs only time`(damage: String) throws {
    let site = try filled()
    try site.build()
    let before = try site.snapshot()
    let names = site.folder.list().filter { $0.hasPrefix("cache/index.sqlite") }
    #expect(!names.isEmpty)
    for name in names { try site.folder.remove(name) }
    switch damage {
    case "garbled": try site.folder.write([UInt8](repeating: 0x5A, count: 9_000), to: names[0])
    case "emptied": try site.folder.write([UInt8](), to: names[0])
    case "a folder": try site.folder.write("x", to: names[0] + "/x")
    default: break
    }
    let counters = try site.build().report.counters
    #expect(counters.renders == 6 && counters.written == 0)
    #expect(try site.snapshot() == before)
    #expect(try site.build().report.counters.renders == 0)
  }

  @Test func `the whole cache may be deleted at any time`() throws {
    let site = try filled()
    try site.build()
    let before = try site.snapshot()
    try site.folder.remove("cache")
    #expect(try site.build().report.counters.written == 0)
    #expect(try site.snapshot() == before)
  }
}
