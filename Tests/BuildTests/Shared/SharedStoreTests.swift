import SiteSupport

struct SharedStoreTests {
  private static let styles = [
    "name: round, size: 32, formats: [png, webp, avif]",
    "name: tile, size: 20, scales: [1], shape: square, formats: [png], focus: smart",
  ]

  private let folder = TemporaryFolder()

  /// Returns a machine with the same site and a separate cache.
  static func machine() throws -> TestSite {
    let site = try TestSite()
    for (name, color) in [("a.png", TestPicture.Pixel.red), ("b.png", .blue)] {
      try site.paint(name, color, side: 90)
    }
    try site.put(Array("no picture".utf8), at: "broken.png")
    try site.write(
      [
        Person("a", "a.png"), Person("b", "b.png"), Person("c", "initials"),
        Person("d", "broken.png", background: "lime"),
      ],
      styles: Self.styles, more: "exports: [sprites]")
    return site
  }

  @discardableResult
  private func build(
    _ site: TestSite, _ mode: SharedStore.Mode = .read, strict: Bool = false
  ) throws -> BuildResult {
    try site.build {
      $0.store = SharedStore.Location(folder.path(of: "store"), mode: mode)
      $0.strict = strict
    }
  }

  private var objects: [String] {
    // Image files are named by 64 digits.
    folder.list().filter { $0.hasPrefix("store/images/") && $0.utf8.count > 64 }
  }

  init() throws { try folder.makeFolder("store") }

  @Test func `machines share rendered images and build identical sites`() throws {
    let (first, second) = (try Self.machine(), try Self.machine())
    let made = try build(first, .readwrite).report.counters
    #expect(made.storeHits == 0 && made.storeWrites > 0 && made.renders > 0)
    let taken = try build(second).report.counters
    #expect(taken.storeHits == made.renders && taken.renders == 0 && taken.storeWrites == 0)
    #expect(taken.workersStarted <= 1 && taken.decodes == 0)
    #expect(try first.snapshot() == second.snapshot())
    let again = try build(second).report.counters
    #expect(again.renders == 0 && again.storeHits == 0 && again.written == 0)
  }

  @Test func `a build with --no-cache reads nothing from the store and replaces its files`() throws
  {
    try build(try Self.machine(), .write)
    let sound = try objects.map { try folder.read($0) }
    for path in objects { try folder.write("damaged", to: path) }
    let site = try Self.machine()
    let counters = try site.build {
      $0.store = SharedStore.Location(folder.path(of: "store"), mode: .readwrite)
      $0.fetching.ignoringCache = true
    }.report.counters
    #expect(counters.storeHits == 0 && counters.renders > 0)
    #expect(try objects.map { try folder.read($0) } == sound)
  }

  @Test func `machines share the images for a new style`() throws {
    let (first, second) = (try Self.machine(), try Self.machine())
    for site in [first, second] { try build(site, .readwrite) }
    for site in [first, second] {
      let text = try site.folder.text(of: site.manifest)
      try site.folder.write(
        text.replacingOccurrences(of: "size: 20", with: "size: 24"), to: site.manifest)
    }
    #expect(try build(first, .readwrite).report.counters.renders > 0)
    let taken = try build(second, .read).report.counters
    #expect(taken.renders == 0 && taken.storeHits > 0)
    #expect(try first.snapshot() == second.snapshot())
  }

  @Test func `read mode never writes to the store, and write mode never reads from it`() throws {
    try build(try Self.machine(), .read)
    #expect(objects == [])
    try build(try Self.machine(), .write)
    let there = objects
    #expect(!there.isEmpty)
    let counters = try build(try Self.machine(), .write).report.counters
    #expect(counters.storeHits == 0 && counters.renders > 0)
    #expect(objects == there)
  }

  @Test(arguments: ["flip", "cut", "swap", "empty", "long"])
  func `forged store entries are rejected`(lie: String) throws {
    let plain = try Self.machine()
    try plain.build()
    try build(try Self.machine(), .write)
    let paths = objects
    let all = try paths.map { try folder.read($0) }
    for (number, path) in paths.enumerated() {
      var bytes = all[number]
      switch lie {
      case "flip": bytes[bytes.count * 3 / 4] ^= 1
      case "cut": bytes = bytes.prefix(bytes.count - 1)
      // The file is valid, but belongs to another job.
      case "swap": bytes = all[(number + 1) % all.count]
      case "empty": bytes = Data()
      default: bytes.append(0)
      }
      try folder.write(bytes, to: path)
    }
    let site = try Self.machine()
    let result = try build(site)
    let problem = try #require(result.diagnostics.sorted.first { $0.id == "store-unusable" })
    #expect(problem.severity == .warning && problem.message.hasPrefix("\(paths.count) damaged"))
    #expect(problem.note?.split(separator: ",").prefix { $0.contains("images/") }.count == 3)
    #expect(try site.snapshot() == plain.snapshot())
    #expect(result.report.counters.storeHits == 0)
    #expect(try site.build().diagnostics.sorted.allSatisfy { $0.id != "store-unusable" })
    // A build that writes to the store replaces the files.
    try build(try Self.machine(), .readwrite)
    #expect(try paths.map { try folder.read($0) } == all)
  }

  @Test func `an unreadable file is treated as damaged`() throws {
    try build(try Self.machine(), .write)
    let path = try #require(objects.first)
    try folder.remove(path)
    try folder.makeFolder(path)
    let result = try build(try Self.machine())
    #expect(result.diagnostics.sorted.contains { $0.message.hasPrefix("1 damaged file in") })
    #expect(result.report.counters.storeHits > 0)
  }

  @Test func `a missing store causes only a warning`() throws {
    let plain = try Self.machine()
    try plain.build()
    try folder.remove("store")
    for mode in SharedStore.Mode.allCases {
      let site = try Self.machine()
      let result = try build(site, mode)
      #expect(result.exitStatus == 0)
      #expect(result.diagnostics.sorted.contains { $0.id == "store-unusable" })
      #expect(try site.snapshot() == plain.snapshot())
      #expect(folder.list() == [], "it is not made")
    }
  }
}
