import Bytes
import Diagnostics
import Files
import Foundation
import Recipes
import SiteSupport
import Store
import TestSupport
import Testing

@testable import Build

/// What one machine has fetched, another need not fetch again.
@Suite(.timeLimit(.minutes(15))) struct FetchedForPlanTests {
  private let folder = TemporaryFolder()
  private let host: PictureHost

  private var location: SharedStore.Location {
    SharedStore.Location("dir:\(folder.path(of: "store"))", mode: .readwrite)
  }

  /// A list of four people on the network: two have pictures, and one's is not there.
  init() throws {
    try folder.makeFolder("store")
    host = try PictureHost()
    host["/a.png"] = .init(.red)
    host["/b.png"] = .init(.blue, cacheControl: "max-age=600")
    var list = PictureHost.Picture(.red, etag: "\"list\"")
    list.bytes = Data("id,photo\na,a.png\nb,b.png\nc,c.png\nd,\n".utf8)
    host["/team.csv"] = list
  }

  /// Another machine: it has the same manifest, and nothing else.
  private func machine(style: String = TestSite.small) throws -> TestSite {
    let site = try TestSite()
    let manifest = """
      version: 1
      avatars: [{ \(style) }]
      users: { from: "\(host.url("/team.csv"))" }
      \(host.network)
      fallback: [initials]
      notices: off
      """
    try site.folder.write(manifest, to: "content/manifest.yaml")
    try site.folder.setModified("content/manifest.yaml", to: TestSite.longAgo)
    return site
  }

  private func plan(
    _ site: TestSite, shards: Int = 2, base: Digest? = nil
  ) throws -> PlanUnits.Outcome {
    try PlanUnits(site.options(), store: location, shards: shards, base: base).run()
  }

  private func units(of plan: Digest, in store: any ObjectStore) throws -> [JobUnit] {
    try JobPlan(plan, in: store).units.map { hex in
      let digest = try #require(Digest(hex: hex))
      return try JobUnit(try #require(try store.get(.bytes(digest))))
    }
  }

  private func render(_ plan: Digest) throws {
    let worker = Programs(beside: BuiltProduct.sitegen).worker
    var options = RenderUnits.Options(PlanLocation(plan, in: location), jobs: 2, worker: worker)
    options.shards = 1
    #expect(try RenderUnits(options).run().failed == 0)
  }

  private func assemble(_ plan: Digest, _ site: TestSite) throws -> BuildResult {
    try site.build { $0.plan = PlanLocation(plan, in: location) }
  }

  @Test func `who assembles asks nobody for what was fetched for the plan`() throws {
    let plain = try machine()
    try plain.build()
    let outcome = try plan(try machine())
    try render(outcome.plan)
    _ = host.asked()
    // It has changed since: the site is that of the plan.
    host["/a.png"] = .init(.blue)
    let site = try machine()
    let result = try assemble(outcome.plan, site)
    #expect(host.asked() == [:])
    #expect(result.report.counters.renders == 0)
    #expect(try site.snapshot() == plain.snapshot())
    // The next build goes on from what is known here now, for which it never had the bytes.
    let next = try site.build()
    #expect(next.report.counters.fetched == 1 && next.report.counters.notModified == 1)
    #expect(host.asked() == ["/a.png": 1, "/team.csv": 1])
    #expect(try site.pixels(of: "a").center == TestPicture.Pixel.blue.rgba)
  }

  @Test func `a machine without a cache plans with the last good pictures of an earlier plan`()
    throws
  {
    let first = try plan(try machine())
    for path in ["/a.png", "/b.png", "/team.csv"] { host[path]?.status = 503 }
    #expect(throws: BuildFailure.self) { try plan(try machine()) }
    #expect(try plan(try machine(), base: first.plan).plan == first.plan)
    // Other units need the pictures themselves.
    let other = try machine(style: "name: small, size: 24, scales: [1]")
    let second = try plan(other, base: first.plan)
    #expect(second.plan != first.plan)
    try render(second.plan)
    let result = try assemble(second.plan, other)
    #expect(result.report.users.stale == 1 && result.report.counters.renders == 0)
    #expect(try other.pixels(of: "a").center == TestPicture.Pixel.red.rgba)
    #expect(try other.pixels(of: "b").center == TestPicture.Pixel.blue.rgba)
  }

  @Test func `what a plan's machine has fetched counts only where it is sound`() throws {
    let first = try plan(try machine())
    let key = FetchedForPlan.key(of: first.plan)
    let store = try location.open()
    for damage in 0..<40 {
      var pieces = try #require(try Pack.get(key, count: 2, in: store))
      let number = damage % pieces.count
      if damage % 3 == 0 {
        pieces[number] = pieces[number].prefix(max(1, damage * pieces[number].count / 40))
      } else {
        pieces[number][pieces[number].startIndex + damage * 37 % pieces[number].count] ^= 0x55
      }
      try Pack.put(pieces, as: key, in: store)
      let site = try machine()
      let context = try BuildContext(site.options(), cancellation: Cancellation()) { _ in }
      defer { context.close() }
      try FetchedForPlan.take(for: first.plan, from: store, context)
    }
    // Most of it is nonsense by now, and what is missing is fetched.
    _ = host.asked()
    try render(first.plan)
    let site = try machine()
    #expect(try assemble(first.plan, site).report.users.ok >= 2)
    #expect(host.asked()["/team.csv"] == 1)
  }

  @Test func `a newer plan is shown though what is known here is still fresh`() throws {
    for path in ["/a.png", "/b.png", "/team.csv"] { host[path]?.cacheControl = "max-age=600" }
    let site = try machine()
    for color in [TestPicture.Pixel.red, .green] {
      host["/a.png"] = .init(color, cacheControl: "max-age=600")
      let outcome = try plan(try machine())
      try render(outcome.plan)
      #expect(try !assemble(outcome.plan, site).report.standing)
      #expect(try site.pixels(of: "a").center == color.rgba)
      // Here stamps alone show that nothing is to do.
      try site.age("output")
      #expect(try eventually { try site.build().report.standing })
    }
  }

  @Test func `a failure from before what is known here says nothing`() throws {
    let outcome = try plan(try machine())
    try render(outcome.plan)
    host["/c.png"] = .init(.green)
    let site = try machine()
    try site.build()
    _ = try assemble(outcome.plan, site)
    #expect(try site.pixels(of: "c").center == TestPicture.Pixel.green.rgba)
  }

  @Test func `pictures that an earlier plan has lost are fetched again`() throws {
    let first = try plan(try machine())
    let store = try location.open()
    for unit in try units(of: first.plan, in: store) {
      try store.put(ActionResult.failed, as: .result(unit.sourcesKey))
    }
    _ = host.asked()
    let second = try plan(try machine(), base: first.plan)
    #expect(second.plan == first.plan)
    #expect(host.asked()["/b.png"] == 1)
    try render(second.plan)
  }

  /// Whoever can write the store can write anything there.
  @Test func `times and sizes that nobody has measured spoil no build`() throws {
    let first = try plan(try machine())
    try render(first.plan)
    let key = FetchedForPlan.key(of: first.plan)
    let store = try location.open()
    let sound = try #require(try Pack.get(key, count: 2, in: store))
    for moment in [Int64.min, .max] {
      try Pack.put(
        try sound.map {
          try changed($0) { record in
            (record.checkedAt, record.freshUntil) = (moment, moment)
            record.failure?.until = moment
          }
        }, as: key, in: store)
      #expect(try assemble(first.plan, try machine()).report.users.ok >= 2)
    }
    for side in [0, 30_000, Int(UInt32.max)] {
      let size = PixelSize(width: side, height: side)
      try Pack.put(try sound.map { try changed($0, size: size) { _ in } }, as: key, in: store)
      let site = try machine()
      #expect(try assemble(first.plan, site).report.counters.renders == 0)
      #expect(try site.pixels(of: "b").center == TestPicture.Pixel.blue.rgba)
    }
  }

  /// A piece with other records, and pictures of another size.
  private func changed(
    _ piece: Data, size: PixelSize? = nil, _ change: (inout RemoteRecord) -> Void
  ) throws -> Data {
    guard piece.first == 1 else { return piece }
    var (reader, writer) = (ByteReader(Array(piece)), ByteWriter())
    writer.write(try reader.read(UInt8.self))
    writer.write(try reader.read(Int64.self))
    func part(_ other: ([UInt8]) throws -> [UInt8]) throws {
      let count = try reader.read(UInt32.self)
      writer.write(count)
      for _ in 0..<count {
        writer.write(try reader.readDigest())
        writer.write(counted: Data(try other(Array(try reader.readCounted()))))
      }
    }
    try part { bytes in
      var record = try #require(FetchRecord.record(of: bytes))
      change(&record)
      return FetchRecord.bytes(of: record)
    }
    try part { bytes in
      guard let size else { return bytes }
      return InspectionRecord.bytes(of: .success(Inspection(format: .jpeg, size: size)))
    }
    return Data(writer.bytes)
  }

  /// A store that counts what is read.
  private struct CountingStore: ObjectStore {
    let store: any ObjectStore
    let reads = Guarded(0)

    var address: String { store.address }

    func get(_ object: StoredObject) throws(ObjectStoreFailure) -> Data? {
      reads.withLock { $0 += 1 }
      return try store.get(object)
    }

    func has(_ object: StoredObject) throws(ObjectStoreFailure) -> Bool { try store.has(object) }

    func put(_ bytes: Data, as object: StoredObject) throws(ObjectStoreFailure) {
      try store.put(bytes, as: object)
    }
  }

  @Test func `nothing is read again and again`() throws {
    let names = (0..<40).map { "\($0).png" }
    for (number, name) in names.enumerated() {
      host["/\(name)"] = .init(TestPicture.Pixel(UInt8(number), 0, 0))
    }
    host["/team.csv"]?.bytes = Data("id,photo\n\(names.map { "p\($0),\($0)\n" }.joined())".utf8)
    let first = try plan(try machine(), shards: 1)
    let key = FetchedForPlan.key(of: first.plan)
    let store = CountingStore(store: try location.open())
    let site = try machine()
    let context = try BuildContext(site.options(), cancellation: Cancellation()) { _ in }
    defer { context.close() }
    // A list may name one long object without end.
    let list = try #require(try store.get(.result(key)).flatMap { ActionResult($0) })
    let endless = ActionResult(Array(repeating: list.files, count: 1000).flatMap(\.self))
    try store.put(endless.bytes, as: .result(key))
    store.reads.withLock { $0 = 0 }
    try FetchedForPlan.take(for: first.plan, from: store, context)
    #expect(store.reads.withLock { $0 } == 2)
    // A pack that is lost is lost for all whose pictures are in it.
    let units = try units(of: first.plan, in: store)
    for unit in units { try store.put(ActionResult.failed, as: .result(unit.sourcesKey)) }
    let pictures = units.flatMap(\.packed)
    #expect(pictures.count == 40 && units.count < 30)
    let sources = SourcesOfPlan(try JobPlan(first.plan, in: store), in: store, context)
    store.reads.withLock { $0 = 0 }
    for picture in pictures { #expect(try sources.take(picture) == nil) }
    #expect(store.reads.withLock { $0 } == 2 * units.count)
  }
}
