import Bytes
import Diagnostics
import Foundation
import Plan
import Recipes
import SiteSupport
import Store
import TestSupport
import Testing

@testable import Build

/// A site that many machines render: it must be the one that a build makes.
struct ShardTests {
  private let folder = TemporaryFolder()

  private var location: SharedStore.Location {
    SharedStore.Location("dir:\(folder.path(of: "store"))", mode: .readwrite)
  }

  init() throws { try folder.makeFolder("store") }

  /// People with photos, colours, letters, and pictures that cannot be had.
  private func machine(people: Int = 24, first: String? = nil) throws -> TestSite {
    let site = try TestSite()
    try site.put(Array("no picture".utf8), at: "broken.png")
    var all = first.map { [Person($0, "initials")] } ?? []
    for number in 0..<people {
      switch number % 6 {
      case 0: all.append(Person("p\(number)", "initials"))
      case 1: all.append(Person("p\(number)", "broken.png", background: "lime"))
      case 2: all.append(Person("p\(number)", "color:#\(100 + number)"))
      default:
        let color = TestPicture.Pixel(UInt8(number), UInt8(255 - number), 77, 255)
        try site.paint("\(number).png", color, side: 70 + number)
        all.append(Person("p\(number)", "\(number).png"))
      }
    }
    try site.write(
      all,
      styles: [
        "name: round, size: 96, formats: [png, webp]",
        "name: tile, size: 64, scales: [1], shape: square, formats: [png]",
      ], more: "exports: [sprites]")
    return site
  }

  private func plan(
    _ site: TestSite, shards: Int, sharesSources: Bool = false
  ) throws -> PlanUnits.Outcome {
    try PlanUnits(
      site.options(), store: location, shards: shards, sharesSources: sharesSources
    ).run()
  }

  @discardableResult
  private func render(
    _ plan: Digest, _ shard: Int, among shards: Int? = nil,
    _ adjust: (inout RenderUnits.Options) -> Void = { _ in }
  ) throws -> RenderUnits.Outcome {
    let worker = Programs(beside: BuiltProduct.sitegen).worker
    var options = RenderUnits.Options(PlanLocation(plan, in: location), jobs: 2, worker: worker)
    (options.shard, options.shards) = (shard, shards)
    adjust(&options)
    return try RenderUnits(options).run()
  }

  private func status(_ plan: Digest) throws -> PlanStatus {
    try PlanStatus(of: PlanLocation(plan, in: location))
  }

  private func assemble(_ plan: Digest, _ site: TestSite) throws -> BuildResult {
    try site.build { $0.plan = PlanLocation(plan, in: location) }
  }

  @Test(arguments: [1, 7])
  func `shards in any order, some of them twice, make the site of a build`(shards: Int) throws {
    let plain = try machine()
    try plain.build()
    let planner = try machine()
    let outcome = try plan(planner, shards: shards)
    #expect(outcome.finished == 0 && outcome.units >= min(shards, 3))
    var order = Array(0..<shards).shuffled()
    order += order.prefix(2)
    for shard in order { try render(outcome.plan, shard) }
    #expect(try status(outcome.plan).missing == [])
    let site = try machine()
    let result = try assemble(outcome.plan, site)
    #expect(result.report.counters.storeHits > 0)
    // The broken picture's user has the background, of which the plan says nothing.
    #expect(result.report.counters.renders < result.report.counters.storeHits / 4)
    #expect(try site.snapshot() == plain.snapshot())
    // Another plan of the same site, from another machine, is the same.
    let again = try plan(try machine(), shards: shards)
    #expect(again.plan == outcome.plan && again.finished == again.units)
    #expect(try render(again.plan, 0).rendered == 0)
  }

  @Test func `five thousand people are the same site by 1, 7 and 200 shards`() throws {
    func machine() throws -> TestSite {
      let site = try TestSite()
      for number in 0..<50 {
        let color = TestPicture.Pixel(UInt8(number), UInt8(255 - number), 77, 255)
        try site.paint("\(number).png", color, side: 30 + number)
      }
      try site.write(
        (0..<5000).map { number in
          Person(
            "p\(number)",
            number % 3 == 0
              ? "\(number % 50).png" : "color:#" + String(0x10_0000 + number * 7, radix: 16))
        }, styles: ["name: round, size: 24, scales: [1], formats: [png]"])
      return site
    }
    let plain = try machine()
    try plain.build()
    let expected = try plain.snapshot()
    for shards in [1, 7, 200] {
      let outcome = try plan(try machine(), shards: shards)
      #expect(outcome.units >= shards)
      for shard in (0..<shards).shuffled() { try render(outcome.plan, shard) { $0.jobs = 1 } }
      let site = try machine()
      #expect(try assemble(outcome.plan, site).report.counters.renders == 0)
      #expect(try site.snapshot() == expected)
    }
  }

  @Test func `a unit ends where its sources are large`() {
    func cuts(_ side: Int) -> Int {
      var cutter = UnitCutter(pixels: 1 << 30, shards: 1)
      return (0..<64).count { number in
        let size = PixelSize(width: side, height: side)
        let source = Source(
          digest: Digest(of: "\(number)"), origin: .fetched, kind: "url",
          inspection: Inspection(format: .jpeg, size: size))
        return cutter.take([RenderJob(item: number, source: source, reduction: 1)]) != nil
      }
    }
    // Two of them are too much.
    #expect(cuts(8_192) == 32)
    #expect(cuts(512) == 0)
  }

  @Test func `one person more is another unit or two`() throws {
    let before = try plan(try machine(people: 120), shards: 20)
    #expect(before.units > 10)
    for shard in 0..<20 { try render(before.plan, shard) }
    let after = try plan(try machine(people: 120, first: "new"), shards: 20)
    #expect(after.finished >= after.units - 2)
    #expect(after.finished < after.units)
  }

  @Test func `what is missing is named, nothing is published, and a thief finishes it`() throws {
    let outcome = try plan(try machine(), shards: 5)
    try render(outcome.plan, 0)
    let missing = try status(outcome.plan)
    #expect(missing.shards == [1, 2, 3, 4] && missing.list == "1-4")
    let site = try machine()
    let failure = try #require(throws: BuildFailure.self) { try assemble(outcome.plan, site) }
    #expect(failure.exitStatus == 1)
    #expect(!site.folder.list().contains { $0.hasSuffix(".html") })
    let stolen = try render(outcome.plan, 1) { $0.steals = true }
    #expect(stolen.stolen > 0)
    #expect(try status(outcome.plan).missing == [])
    #expect(throws: BuildFailure.self) { try render(outcome.plan, 5) }
  }

  @Test(arguments: ["flip", "cut", "empty", "gone", "swap"])
  func `a damaged pack is never shown, and rendered again`(lie: String) throws {
    let plain = try machine()
    try plain.build()
    let outcome = try plan(try machine(), shards: 4)
    let before = Set(objects)
    for shard in 0..<4 { try render(outcome.plan, shard) }
    let packs = objects.filter { !before.contains($0) }
    #expect(packs.count >= 4)
    try damage(packs, lie)
    let site = try machine()
    let failure = try #require(throws: BuildFailure.self) { try assemble(outcome.plan, site) }
    #expect(failure.exitStatus == 1)
    #expect(try status(outcome.plan).missing.count == outcome.units)
    for shard in 0..<4 { #expect(try render(outcome.plan, shard).rendered > 0) }
    let result = try assemble(outcome.plan, site)
    #expect(result.report.counters.storeHits > 0)
    #expect(try site.snapshot() == plain.snapshot())
  }

  @Test(arguments: ["flip", "gone"])
  func `what a plan has put there and the store has damaged is put there again`(lie: String) throws
  {
    let planner = try machine()
    let outcome = try plan(planner, shards: 2)
    try damage(objects, lie)
    // Each run finds one more of fonts, units and sources that is damaged.
    var statuses: [Int32] = []
    while statuses.count < 20 {
      let again = try plan(planner, shards: 2)
      #expect(again.plan == outcome.plan)
      do {
        for shard in 0..<2 { try render(outcome.plan, shard) }
        break
      } catch let failure as BuildFailure {
        statuses.append(failure.exitStatus)
      }
    }
    #expect(statuses.count < 20 && statuses.allSatisfy { $0 == 3 })
    #expect(try status(outcome.plan).missing == [])
    // Units are also what tells an assembler whose pictures these are.
    try damage(objects, lie)
    #expect(throws: BuildFailure.self) { try assemble(outcome.plan, try machine()) }
    for _ in 0..<20 where try !isWhole(outcome.plan) {
      _ = try plan(planner, shards: 2)
      for shard in 0..<2 { _ = try? render(outcome.plan, shard) }
    }
    #expect(try isWhole(outcome.plan))
  }

  private func isWhole(_ plan: Digest) throws -> Bool {
    (try? assemble(plan, try machine())) != nil
  }

  /// The paths of all objects that are named by their bytes.
  private var objects: [String] {
    folder.list().filter { $0.hasPrefix("store/cas/") && $0.utf8.count > 64 }
  }

  private func damage(_ paths: [String], _ lie: String) throws {
    let all = try paths.map { try folder.read($0) }
    for (number, path) in paths.enumerated() {
      var bytes = all[number]
      switch lie {
      case "flip": bytes[bytes.count / 2] ^= 1
      case "cut": bytes = bytes.prefix(bytes.count - 1)
      case "empty": bytes = Data()
      case "swap": bytes = all[(number + 1) % all.count]
      default: break
      }
      try lie == "gone" ? folder.remove(path) : folder.write(bytes, to: path)
    }
  }

  @Test func `a sweep spares plans that are kept, and what somebody uses`() throws {
    let (kept, other) = try (machine(), machine(people: 30, first: "new"))
    let plan = try plan(kept, shards: 3).plan
    for shard in 0..<3 { try render(plan, shard) }
    let needed = Set(folder.list().filter { $0.utf8.count > 64 })
    let later = try self.plan(other, shards: 3)
    for shard in 0..<3 { try render(later.plan, shard) }
    try folder.write("left by a killed writer", to: "store/cas/00/.sitegen-tmp-1-1")
    try folder.write("of somebody else", to: "store/cas/00/README")
    let all = folder.list()

    func sweep(
      _ plans: [Digest], days: Int64, in time: Int64 = 0, deletes: Bool = true
    ) throws -> PruneStore.Outcome {
      try PruneStore(
        location, keeping: plans, age: days * 86_400, deletes: deletes,
        now: Int64(Date().timeIntervalSince1970) + time * 86_400
      ).run()
    }
    // Young, or only said.
    #expect(try sweep([], days: 30, in: 29).removed == 0)
    #expect(try sweep([plan], days: -1, in: 1000).removed == 0)
    let dry = try sweep([plan], days: 30, in: 31, deletes: false)
    #expect(dry.removed > 3 && dry.kept == needed.count)
    #expect(folder.list() == all)
    // A plan that is not there is no reason to remove all others.
    let failure = try #require(throws: BuildFailure.self) {
      try sweep([plan, Digest(of: "mistyped")], days: 0)
    }
    #expect(failure.exitStatus == 2 && folder.list() == all)

    #expect(try sweep([plan], days: 30, in: 31) == dry)
    #expect(Set(folder.list().filter { $0.utf8.count > 64 }) == needed)
    #expect(folder.list().contains("store/cas/00/README"))
    #expect(!folder.list().contains { $0.contains("sitegen-tmp") })
    let site = try machine()
    #expect(try assemble(plan, site).report.counters.storeHits > 0)
    #expect(try status(plan).missing == [])
    // Somebody may be writing it.
    try folder.write("half of it", to: "store/cas/00/.sitegen-tmp-2-1")
    #expect(try sweep([], days: 0).kept == 1)
    #expect(try sweep([], days: 0, in: 1).removed == 1)
  }

  @Test func `sources may stay in a folder that all machines see`() throws {
    let plain = try machine()
    try plain.build()
    let planner = try machine()
    let outcome = try plan(planner, shards: 2, sharesSources: true)
    // Units and the plan, and no pictures.
    let sizes = try folder.list().filter { $0.hasPrefix("store/cas/") && $0.utf8.count > 64 }
      .map { try folder.read($0).count }
    #expect(sizes.count <= outcome.units + 2)
    // Who does not see the folder must not say that nothing can be rendered.
    try folder.makeFolder("unmounted")
    for (sources, status) in [(nil, 2), ("unmounted", 3), ("nowhere", 3)] as [(String?, Int32)] {
      let failure = try #require(throws: BuildFailure.self) {
        try render(outcome.plan, 0) { $0.sources = sources.map(folder.path) }
      }
      #expect(failure.exitStatus == status)
    }
    #expect(try status(outcome.plan).shards == [0, 1])
    try planner.put(Array("changed".utf8), at: "3.png")
    for shard in 0..<2 {
      let done = try render(outcome.plan, shard) {
        $0.sources = planner.folder.path(of: "content")
      }
      #expect(done.rendered > 0)
    }
    let site = try machine()
    let result = try assemble(outcome.plan, site)
    #expect(result.report.counters.storeHits > 0)
    #expect(try site.snapshot() == plain.snapshot())
  }

  @Test func `a plan of another renderer is refused, and so is none at all`() throws {
    let outcome = try plan(try machine(), shards: 1)
    let path = "store/cas/\(outcome.plan.hex.prefix(2))/\(outcome.plan.hex)"
    let text = try #require(String(data: try folder.read(path), encoding: .utf8))
    let other = Data(
      text.replacingOccurrences(of: "\"renderer\":\"", with: "\"renderer\":\"x").utf8)
    let digest = Digest(of: other)
    try folder.write(other, to: "store/cas/\(digest.hex.prefix(2))/\(digest.hex)")
    for plan in [digest, Digest(of: "nothing")] {
      #expect(try #require(throws: BuildFailure.self) { try render(plan, 0) }.exitStatus == 2)
      let site = try machine()
      #expect(
        try #require(throws: BuildFailure.self) { try assemble(plan, site) }.exitStatus == 2)
    }
    // The store is away for now.
    try folder.remove("store")
    #expect(
      try #require(throws: BuildFailure.self) { try render(outcome.plan, 0) }.exitStatus == 75)
  }

  @Test func `a unit whose numbers would overflow is none, nor is one of random bytes`() throws {
    func unit(_ box: Int, top: Int = 0, reduction: Int = 1) throws -> JobUnit {
      let size = PixelSize(width: box, height: 8)
      let recipe = Recipe(
        frame: Frame(base: size, box: size, fit: .fill),
        outline: Outline(topLeft: 0, topRight: 0, bottomRight: 0, bottomLeft: 0),
        margins: Margins(top: top, right: 0, bottom: 0, left: 0), effects: [],
        encoding: Encoding(format: .png))
      let file = Inspection(format: .png, size: PixelSize(width: 9, height: 9))
      var unit = JobUnit(renderer: "r")
      unit.add([recipe], of: .encoded(file, reduction: reduction), Digest(of: "a"), file: nil)
      return try JobUnit(try unit.encoded())
    }
    #expect(try unit(8).keys().count == 1)
    for bad in [0, -1, 1 << 16, Int.max] { #expect(throws: (any Error).self) { try unit(bad) } }
    for bad in [-1, 1 << 16, Int.max] {
      #expect(throws: (any Error).self) { try unit(8, top: bad) }
    }
    for bad in [0, -8, 9] { #expect(throws: (any Error).self) { try unit(8, reduction: bad) } }
    var random = SeededRandom(seed: 3)
    let whole = try unit(8).encoded()
    for _ in 0..<2_000 {
      var bytes = whole
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      _ = try? JobUnit(bytes.prefix(.random(in: 0...bytes.count, using: &random))).keys()
    }
  }
}
