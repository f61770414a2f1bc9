import Files
import SiteSupport

struct ShardTests {
  private let folder = TemporaryFolder()
  private var store: String { folder.path(of: "store") }

  init() throws { try folder.makeFolder("store") }

  @discardableResult
  private func shard(
    _ number: Int, of count: Int, _ site: TestSite,
    _ adjust: (inout BuildOptions) -> Void = { _ in }
  ) throws -> BuildResult {
    try site.build {
      $0.store = SharedStore.Location(store, mode: .readwrite)
      $0.shard = Shard(number, of: count)
      $0.cache = site.folder.path(of: "cache/shards/\(number)-of-\(count)")
      adjust(&$0)
    }
  }

  @discardableResult
  private func last(
    _ site: TestSite, _ adjust: (inout BuildOptions) -> Void = { _ in }
  ) throws -> BuildResult {
    try site.build {
      $0.store = SharedStore.Location(store)
      adjust(&$0)
    }
  }

  /// Creates a site with forty people, two of whom share a picture.
  private func site(more: String = "") throws -> TestSite {
    let site = try TestSite()
    var people: [Person] = []
    for number in 0..<40 {
      let color = TestPicture.Pixel(UInt8(number * 6), UInt8(255 - number), 90)
      try site.paint("\(number).png", color, side: 40)
      people.append(Person("p\(number)", "\(number == 7 ? 3 : number).png"))
    }
    try site.write(people, styles: ["name: round, size: 16, formats: [png, webp]"], more: more)
    return site
  }

  /// T1: both sites are byte-for-byte identical.
  @Test(arguments: [1, 4])
  func `the build after all shards renders nothing and matches a normal build`(count: Int) throws {
    let plain = try site()
    let all = try plain.build().report.counters
    let site = try site()
    var renders = 0
    for number in (1...count).reversed() {
      let result = try shard(number, of: count, site)
      renders += result.report.counters.renders
      // A picture may be shared by two people in different shards.
      #expect(result.report.counters.sourcesRead <= 2 * result.report.users.total)
      #expect(site.outputFiles() == [])
    }
    #expect((all.renders...all.renders + 6).contains(renders))
    let result = try last(site)
    #expect(result.report.counters.renders == 0 && result.report.counters.workersStarted <= 1)
    #expect(result.report.counters.storeHits == all.renders)
    #expect(try site.snapshot() == plain.snapshot())
    #expect(result.diagnostics.sorted.isEmpty)
  }

  @Test func `each user belongs to exactly one shard, and shards have similar sizes`() {
    let ids = (0..<2_000).map { "user \($0)" }
    let shares = (1...7).map { number in ids.filter(Shard(number, of: 7).contains) }
    #expect(shares.joined().sorted() == ids.sorted())
    for share in shares { #expect((200...380).contains(share.count)) }
  }

  /// A repeated shard finds its images in the store, although its cache contains none.
  @Test func `a repeated shard renders nothing unless the store was emptied`() throws {
    let site = try site()
    let first = try shard(1, of: 2, site).report.counters
    let again = try shard(1, of: 2, site).report.counters
    #expect(again.renders == 0 && again.storeHits == first.renders && first.renders > 0)
    try folder.remove("store")
    try folder.makeFolder("store")
    #expect(try shard(1, of: 2, site).report.counters.renders == first.renders)
  }

  /// T2: a lost shard also costs only time.
  @Test func `missing, damaged and concurrent shards cost only time`()
    async throws
  {
    let plain = try site()
    try plain.build()
    let (one, two) = (try site(), try site())
    // The same shard runs on two machines at the same time.
    let sites = [one, two].map { site in
      var options = site.options()
      options.store = SharedStore.Location(store, mode: .readwrite)
      options.shard = Shard(1, of: 3)
      options.cache = site.folder.path(of: "cache/shards/1-of-3")
      return options
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for options in sites { group.addTask { _ = try Build(options).run() } }
      try await group.waitForAll()
    }
    try shard(2, of: 3, one)
    let files = folder.list().filter { $0.hasPrefix("store/images/") && $0.utf8.count > 64 }
    #expect(files.count >= 20)
    for (number, path) in files.prefix(20).enumerated() {
      let bytes = try folder.read(path)
      try folder.write(number % 2 == 0 ? bytes.dropLast() : bytes + [1], to: path)
    }
    let result = try last(one)
    #expect(result.report.counters.renders > 0 && result.report.counters.storeHits > 0)
    #expect(result.diagnostics.sorted.count == 1)
    #expect(result.diagnostics.sorted.first?.message.hasPrefix("20 damaged files") == true)
    #expect(try one.snapshot() == plain.snapshot())
  }

  /// The site keeps the cache of its last build, as a nightly build does.
  @Test func `the final build takes missing images from the store`() throws {
    let site = try site()
    try last(site)
    let text = try site.folder.text(of: site.manifest)
    try site.folder.write(
      text.replacingOccurrences(
        of: "formats: [png, webp] }",
        with: "formats: [png, webp] }\n  - { name: tile, size: 12, shape: square }"),
      to: site.manifest)
    for number in 1...2 { try shard(number, of: 2, site) }
    let result = try last(site)
    #expect(result.report.counters.renders == 0 && result.report.counters.storeHits > 0)
    #expect(result.report.counters.cacheHits > 0)
  }

  @Test func `clean removes the shards' caches unless a shard is running`() throws {
    let site = try site()
    try shard(1, of: 2, site)
    let lock = try FileLock.acquire(
      ".sitegen-lock", in: Folder(opening: site.folder.path(of: "cache/shards/1-of-2")))
    #expect(throws: BuildFailure.self) { try site.clean() }
    guard case .acquired(let held) = lock else {
      Issue.record("a finished shard still holds its lock")
      return
    }
    held.release()
    try site.clean()
    #expect(!site.folder.list().contains { $0.hasPrefix("cache/shards") })
  }

  @Test func `emptying the store between shards costs only time`() throws {
    let plain = try site()
    try plain.build()
    let site = try site()
    try shard(1, of: 3, site)
    try folder.remove("store")
    try folder.makeFolder("store")
    for number in 2...3 { try shard(number, of: 3, site) }
    let result = try last(site)
    #expect(result.report.counters.renders > 0 && result.report.counters.storeHits > 0)
    #expect(result.diagnostics.sorted.isEmpty)
    #expect(try site.snapshot() == plain.snapshot())
  }

  @Test func `a broken picture is reported only by its shard and the final build`() throws {
    let site = try site()
    try site.put(Array("no picture".utf8), at: "5.png")
    let results = try (1...3).map { try shard($0, of: 3, site) }
    #expect(results.map(\.exitStatus).sorted() == [0, 0, 1])
    #expect(try last(site).exitStatus == 1)
  }

  @Test func `the final build renders sprites and posters`() throws {
    let site = try site(more: "exports: [sprites, poster]")
    let plain = try self.site(more: "exports: [sprites, poster]")
    try plain.build()
    for number in 1...2 { try shard(number, of: 2, site) }
    #expect(try last(site).report.counters.renders > 0)
    #expect(try site.snapshot() == plain.snapshot())
  }

  @Test func `a normal build accepts a cache used by a shard`() throws {
    let site = try site()
    try shard(1, of: 2, site)
    #expect(site.folder.list().contains("cache/shards/1-of-2/report.json"))
    #expect(try site.build().exitStatus == 0)
  }

  @Test func `a full or read-only store causes only one warning`() throws {
    let site = try site()
    // A file takes the place of the image folder.
    try folder.write("", to: "store/images")
    let result = try shard(1, of: 1, site)
    #expect(result.report.counters.renders > 0 && result.report.counters.storeWrites == 0)
    #expect(
      result.diagnostics.sorted.contains { $0.message.hasPrefix("cannot write to the store") })
    #expect(result.exitStatus == 0)
  }

  /// T3: the host's requests are counted.
  @Test func `pictures fetched by a shard are reused for a day`() throws {
    let host = try PictureHost()
    for (path, color) in [("/a.png", TestPicture.Pixel.red), ("/b.png", .blue)] {
      host[path] = .init(color)
    }
    let gone = host.url("/gone.png")
    try host.write([
      Person("a", host.url("/a.png")), Person("b", host.url("/b.png")),
      Person("c", gone, "color:#00ff00"),
    ])
    for number in 1...2 { try shard(number, of: 2, host.site) }
    #expect(host.asked() == ["/a.png": 1, "/b.png": 1, "/gone.png": 1])
    let result = try last(host.site)
    #expect(host.asked() == [:])
    #expect(result.report.counters.storeFetched == 3 && result.report.network.hosts.isEmpty)
    #expect(result.report.counters.renders == 0)
    #expect(try host.site.pixels(of: "b").center == TestPicture.Pixel.blue.rgba)
    // Another machine builds a little later, and again a day later.
    for (hours, count) in [(23, 0), (25, 1)] {
      try host.site.folder.remove("cache")
      try last(host.site) { $0.fetching.clockOffset = Int64(hours) * 3_600 }
      #expect(host.asked()["/a.png", default: 0] == count, "after \(hours) hours")
    }
    // With `refresh`, a request only revalidates.
    try host.site.folder.remove("cache")
    let again = try last(host.site) { $0.fetching.refresh = true }
    #expect(host.asked()["/a.png"] == 1 && again.report.counters.notModified == 2)
  }

  @Test func `a shard copies fetched pictures from its cache to the store`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red, cacheControl: "max-age=864000")
    try host.write([Person("a", host.url("/a.png"))])
    try shard(1, of: 1, host.site)
    try folder.remove("store/answers")
    try shard(1, of: 1, host.site)
    #expect(host.asked() == ["/a.png": 1])
    #expect(try last(host.site).report.counters.storeFetched == 1)
  }

  @Test func `a remote list is fetched once for all shards`() throws {
    let host = try PictureHost()
    var list = PictureHost.Picture(.red)
    list.bytes = Data("id,photo\na,color:#ff0000\nb,color:#00ff00\n".utf8)
    host["/team.csv"] = list
    try host.site.folder.write(
      """
      version: 1
      avatars: [{ \(TestSite.small) }]
      users: { from: "\(host.url("/team.csv"))" }
      \(host.network)
      """, to: "content/manifest.yaml")
    for number in 1...3 { try shard(number, of: 3, host.site) }
    #expect(try last(host.site).report.users.ok == 2)
    #expect(host.asked() == ["/team.csv": 1])
  }

  @Test(arguments: ["flip", "cut", "swap"])
  func `a damaged response in the store is fetched again`(lie: String) throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    host["/b.png"] = .init(.blue)
    try host.write([Person("a", host.url("/a.png")), Person("b", host.url("/b.png"))])
    try shard(1, of: 1, host.site)
    _ = host.asked()
    let paths = folder.list().filter { $0.hasPrefix("store/answers/") && $0.utf8.count > 64 }
    let all = try paths.map { try folder.read($0) }
    #expect(paths.count == 2)
    for (number, path) in paths.enumerated() {
      var bytes = all[number]
      switch lie {
      case "flip": bytes[bytes.count - 9] ^= 1
      case "cut": bytes = bytes.prefix(bytes.count - 1)
      default: bytes = all[1 - number]
      }
      try folder.write(bytes, to: path)
    }
    let result = try last(host.site)
    #expect(host.asked() == ["/a.png": 1, "/b.png": 1])
    #expect(result.diagnostics.sorted.contains { $0.message.hasPrefix("2 damaged files") })
    #expect(try host.site.pixels(of: "a").center == TestPicture.Pixel.red.rgba)
  }

  @Test func `an older response in the store does not replace a newer picture`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    try host.write([Person("a", host.url("/a.png"))])
    try shard(1, of: 1, host.site)
    host["/a.png"] = .init(.blue)
    try host.site.build { $0.fetching.clockOffset = 3_600 }
    #expect(try host.site.pixels(of: "a").center == TestPicture.Pixel.blue.rgba)
    try last(host.site) { $0.fetching.clockOffset = 7_200 }
    #expect(try host.site.pixels(of: "a").center == TestPicture.Pixel.blue.rgba)
  }

  @Test func `a shard fetches pictures again the next night`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    try host.write([Person("a", host.url("/a.png"))])
    try shard(1, of: 1, host.site)
    try host.site.folder.remove("cache")
    try shard(1, of: 1, host.site) { $0.fetching.clockOffset = 23 * 3_600 }
    #expect(host.asked() == ["/a.png": 2])
  }

  @Test func `entries are removed once they have been unused for some time`() throws {
    let site = try site()
    try shard(1, of: 1, site)
    let files = folder.list().filter { $0.hasPrefix("store/images/") && $0.utf8.count > 64 }
    for path in files { try folder.setModified(path, to: TestSite.longAgo) }
    try folder.write("mine", to: "store/images/note.txt")
    // A build that only reads keeps the timestamps, and one that writes updates them.
    try last(site)
    let moment = Int64(Date().timeIntervalSince1970) - 86_400
    var pruned = try SharedStore.prune(store, unusedSince: moment, dryRun: true) {}
    #expect(pruned.removed == files.count && pruned.kept == 0)
    try shard(1, of: 2, site)
    pruned = try SharedStore.prune(store, unusedSince: moment, dryRun: false) {}
    #expect(pruned.removed > 0 && pruned.kept > 0 && pruned.removed + pruned.kept == files.count)
    #expect(folder.list().contains("store/images/note.txt"))
  }
}
