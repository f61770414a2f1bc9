import Bytes
import Diagnostics
import Foundation
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

  private func plan(_ site: TestSite, base: Digest? = nil) throws -> PlanUnits.Outcome {
    try PlanUnits(site.options(), store: location, shards: 2, base: base).run()
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
      var pieces = try #require(try Pack.get(key, in: store))
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
}
