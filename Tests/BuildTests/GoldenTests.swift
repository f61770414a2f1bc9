import Files
import SiteSupport

/// Reads or rebuilds caches, stores and outputs of earlier releases, from Tests/Golden.
///
/// Pictures whose source is unreadable must not be lost.
struct GoldenTests {
  private static let golden = Checkout.root.appending(path: "Tests/Golden/1").path

  /// Copies the site: `ada` has a file, `bert` a damaged file, and `dora` a fetched picture.
  private func site(without absent: String...) throws -> TestSite {
    let site = try TestSite()
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.golden)
    for path in files where !absent.contains(where: path.hasPrefix) {
      let source = URL(fileURLWithPath: Self.golden + "/" + path)
      if let bytes = try? Data(contentsOf: source) { try site.folder.write(bytes, to: path) }
    }
    // Keys of file records contain the path of the manifest's folder.
    if !absent.contains("cache") {
      let root = site.folder.path(of: "content").dropFirst()
      try rewrite(.stamps, of: site) { key, value in
        (Array(root.utf8) + key[(key.firstIndex(of: 0) ?? 0)...], value)
      }
    }
    return site
  }

  private func index(of site: TestSite) throws -> Index {
    try Index(in: Folder(opening: site.folder.path(of: "cache")))
  }

  private func rewrite(
    _ table: IndexTable, of site: TestSite,
    _ change: ([UInt8], [UInt8]) -> (key: [UInt8], value: [UInt8])
  ) throws {
    let index = try index(of: site)
    defer { index.close() }
    #expect(!index.wasReset)
    var records: [(key: [UInt8], value: [UInt8])] = []
    try index.forEach(table) { records.append(change($0, $1)) }
    #expect(!records.isEmpty)
    try index.put(table, records)
  }

  private func build(
    _ site: TestSite, _ adjust: (inout BuildOptions) -> Void = { _ in }
  ) throws -> BuildResult {
    try site.build { options in
      options.fetching.offline = true
      // The clock is set long after all file times.
      options.fetching.clockOffset = 200 * 86_400
      adjust(&options)
    }
  }

  private func images(_ folder: String) throws -> [String: [String]] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/output/assets.json"))
    return try JSONDecoder().decode(AssetsFile.self, from: bytes).users.mapValues { user in
      user.avatars.values.flatMap { $0.map(\.path) }.sorted()
    }
  }

  /// Whether this renderer rendered the golden site; a different one re-renders everything.
  private func hasRenderer(of site: TestSite) throws -> Bool {
    let index = try index(of: site)
    defer { index.close() }
    let text = try #require(try index.get(.meta, "renderer"))
    let golden = try String(contentsOfFile: Self.golden + "/renderer.txt", encoding: .utf8)
    return String(decoding: text, as: UTF8.self) + "\n" == golden
  }

  private func expectUnchanged(_ site: TestSite, _ result: BuildResult) throws {
    #expect(result.report.users.stale == 1 && result.report.users.ok == 2)
    let (before, after) = (try images(Self.golden), try images(site.folder.path))
    #expect(before.count == 3 && after["bert"] == before["bert"])
    guard try hasRenderer(of: site) else { return }
    #expect(after == before)
  }

  @Test func `the cache and output from an earlier release can be read`() throws {
    let site = try site()
    let found = try Verify(site.options()).run()
    #expect(found.flaws.isEmpty && found.counts.files > 5 && found.counts.blobs > 5)
    let result = try build(site)
    try expectUnchanged(site, result)
    #expect(try !hasRenderer(of: site) || result.report.counters.renders == 0)
    #expect(result.report.counters.removed == 0)
  }

  @Test func `a store from an earlier release can be read`() throws {
    let site = try site(without: "cache", "output")
    let result = try build(site) { $0.store = SharedStore.Location(site.folder.path(of: "store")) }
    #expect(result.report.counters.storeFetched == 1)
    #expect(result.diagnostics.sorted.allSatisfy { $0.id != "store-unusable" })
    guard try hasRenderer(of: site) else { return }
    // Without the cache, `bert` falls back to a colour, in two sizes.
    #expect(result.report.counters.renders == 2 && result.report.counters.storeHits == 4)
    let (before, after) = (try images(Self.golden), try images(site.folder.path))
    #expect(after["ada"] == before["ada"] && after["dora"] == before["dora"])
  }

  /// A file from a newer version is not treated as damaged; the build only takes longer.
  @Test(arguments: ["cache/upToDate", "facts", "output/assets.json"])
  func `last good pictures survive data written by a newer version`(part: String) throws {
    let site = try site()
    switch part {
    case "cache/upToDate":
      // An earlier release's list contains paths of another machine.
      _ = try build(site)
      try edit(part, of: site) { bytes in
        bytes.removeLast(Digest.byteCount)
        bytes[0] += 1
        bytes += Digest(of: bytes).bytes
      }
    case "facts":
      try rewrite(.facts, of: site) { key, value in (key, [value[0] + 1] + value.dropFirst()) }
    default:
      try edit(part, of: site) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        bytes = Array(text.replacing("\"version\":1", with: "\"version\":2").utf8)
        #expect(bytes != Array(text.utf8))
      }
    }
    if part.hasPrefix("cache/") { #expect(try Verify(site.options()).run().flaws.isEmpty) }
    let result = try build(site)
    try expectUnchanged(site, result)
    #expect(try !hasRenderer(of: site) || result.report.counters.renders == 0)
    #expect(try build(site).report.users.stale == 1)
  }

  @Test func `a newer store is ignored, and a newer output is left unchanged`() throws {
    let site = try site(without: "cache", "output")
    for path in site.folder.list() where path.hasPrefix("store/") && path.utf8.count > 70 {
      try edit(path, of: site) { $0[14] += 1 }
    }
    let result = try build(site) { $0.store = SharedStore.Location(site.folder.path(of: "store")) }
    #expect(result.report.counters.storeHits == 0)
    #expect(result.diagnostics.sorted.contains { $0.id == "store-unusable" })

    let other = try self.site()
    try edit("output/.sitegen-files", of: other) { $0[14] += 1 }
    let before = try other.snapshot()
    #expect(throws: BuildFailure.self) { try build(other) }
    #expect(try other.snapshot() == before)
    try expectUnchanged(other, try build(other) { $0.adopt = true })
  }

  @Test func `the format reference lists the current version numbers`() throws {
    let site = try site()
    _ = try build(site)
    let page = try Checkout.text(of: "docs/reference/format.md")
    let facts = InspectionRecord.bytes(of: .failure(Rejection(.corrupt, "")))[0]
    #expect(page.contains("| revision (\(facts)), then"))
    var image: UInt8?
    try rewrite(.renders, of: site) { key, value in
      image = value[0]
      return (key, value)
    }
    #expect(try page.contains("| revision (\(#require(image)), or"))
    let list = try #require(try site.folder.read("cache/upToDate").first)
    #expect(page.contains("begins with revision \(list), and"))
  }

  private func edit(_ path: String, of site: TestSite, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = [UInt8](try site.folder.read(path))
    change(&bytes)
    try site.folder.write(bytes, to: path)
  }
}
