import Build
import Diagnostics
import Foundation
import SiteSupport
import TestSupport
import Testing

/// Rebuilds of a site that somebody watches.
struct RebuildTests {
  private func filled() throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.paint("blue.png", .blue)
    try site.write(
      [Person("a", "red.png"), Person("b", "blue.png"), Person("c", "none.png", "red.png")])
    return site
  }

  /// A19: an edited picture renders the images of its users and no others, and they can be had
  /// before the site is published; then the site is what a cold build makes of it.
  @Test func `a saved picture is shown first and published then`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    #expect(watch.rebuild()?.counters.renders == 2)
    _ = watch.heard()
    let old = try site.image(of: "a").path

    try site.repaint("red.png", .green)
    let report = try #require(watch.rebuild([site.source("red.png")]))
    #expect(report.counters.renders == 1 && report.counters.decodes == 1)
    let new = try site.image(of: "a").path
    let events = watch.heard().filter { if case .progress = $0 { false } else { true } }
    #expect(events.first?.swaps == [old: new])
    let published = try #require(events.last?.paths)
    #expect(events.count == 2)
    #expect(published.contains(old) && published.contains(new) && published.contains("index.html"))
    #expect(try site.pixels(of: "a").center == TestPicture.Pixel.green.rgba)
    #expect(try site.files() == site.coldSnapshot())
  }

  @Test func `files that come into a folder of people, change and go are noticed`() throws {
    let site = try TestSite()
    let manifest = "version: 1\navatars:\n  - { \(TestSite.small) }\nusers: { from: _people }\n"
    try site.put(Array(manifest.utf8), at: "manifest.yaml")
    func put(_ name: String, _ file: String) throws -> [String] {
      try site.put(Array("---\nname: \(name)\nphoto: initials\n---\n".utf8), at: "_people/\(file)")
      return [site.source("_people/\(file)")]
    }
    _ = try put("Dan", "dan.md")
    let watch = Rebuilding(site)
    #expect(watch.rebuild()?.users.total == 1)
    #expect(watch.rebuild(try put("Eve", "eve.md"))?.users.total == 2)
    watch.rebuild(try put("Eva", "eve.md"))
    #expect(try site.text("assets.json").contains("Eva"))
    try site.folder.remove("content/_people/dan.md")
    #expect(watch.rebuild([site.source("_people/dan.md")])?.users.total == 1)
  }

  @Test func `only a check tells what it took for what`() throws {
    let site = try TestSite()
    let manifest = "version: 1\navatars:\n  - { \(TestSite.small) }\nusers: { from: team.csv }\n"
    try site.put(Array(manifest.utf8), at: "manifest.yaml")
    try site.put(Array("Full Name;phone\nAda;1\n".utf8), at: "team.csv")
    let told = try Check(site.options()).run().diagnostics.sorted
    #expect(
      told.contains {
        $0.message == "1 person from CSV: name from \"Full Name\"; not used: \"phone\""
      })
    #expect(try !site.build().diagnostics.sorted.contains { $0.id == "users-guess" })
  }

  /// G27: a user whose picture changes is never without one: the new one can be had when it is
  /// told, and the old one when it has gone.
  @Test func `images can be had before they are published and after they are removed`() throws {
    let site = try filled()
    let box = Shelf()
    let watch = Rebuilding(site) { box.look(at: $0) }
    box.fallback = { [rebuilder = watch.rebuilder] in rebuilder.fallback(for: $0) }
    box.isThere = { [folder = site.folder] in folder.exists("output/\($0)") }
    watch.rebuild()
    let old = try site.image(of: "a").path
    try site.repaint("red.png", .green)
    watch.rebuild([site.source("red.png")])
    let new = try site.image(of: "a").path
    #expect(box.early == [new: try site.folder.read("output/\(new)")])
    #expect(box.unpublished == [new])

    #expect(!site.folder.exists("output/\(old)"))
    let gone = try #require(watch.rebuilder.fallback(for: old))
    #expect(gone.isForEver)
    #expect(try Pixels(png: gone.bytes).center == TestPicture.Pixel.red.rgba)
    #expect(watch.rebuilder.fallback(for: old.replacing("assets/", with: "other/")) == nil)
    #expect(
      watch.rebuilder.fallback(for: "assets/00/\(String(repeating: "0", count: 64)).png") == nil)
  }

  /// What a page shows after two quick saves leads on, whichever of them it has seen.
  @Test func `pictures saved twice before they are published lead to the last one`() throws {
    let site = try filled()
    let haste = Haste()
    let watch = Rebuilding(site) { if $0.swaps != nil { haste.giveWay() } }
    watch.rebuild()
    let first = try site.image(of: "a").path
    haste.action = { [rebuilder = watch.rebuilder] in rebuilder.giveWay() }
    try site.repaint("red.png", .green)
    #expect(watch.rebuilder.rebuild([site.source("red.png")]).isSuperseded)
    let second = try #require(watch.heard().compactMap(\.swaps).first?[first])
    #expect(!site.folder.exists("output/\(second)"))

    haste.action = {}
    try site.repaint("red.png", .white)
    watch.rebuild([site.source("red.png")])
    let third = try site.image(of: "a").path
    #expect(watch.heard().compactMap(\.swaps) == [[first: third, second: third]])
  }

  /// Does something as soon as a swap is told.
  private final class Haste: @unchecked Sendable {
    // Sendable: changed only while no rebuild runs.
    var action: () -> Void = {}

    func giveWay() { action() }
  }

  /// A19: what was only touched, and what is no file of ours, renders and writes nothing.
  @Test func `a touch changes nothing`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    watch.rebuild()
    _ = watch.heard()
    let stamps = try site.stamps()
    try site.age("content", to: TestSite.longAgo + 5)
    try site.folder.write("notes", to: "content/notes.txt")
    let report = try #require(
      watch.rebuild([site.source("red.png"), site.source("notes.txt")]))
    #expect(report.counters.renders == 0 && report.counters.written == 0)
    #expect(watch.heard().allSatisfy { $0.paths == nil && $0.swaps == nil })
    #expect(try site.stamps() == stamps)
  }

  /// C2: a user who has neither picture nor colour any more: the files are gone, the status is
  /// `skipped`, and nothing has failed.
  @Test func `a picture that is taken away takes its files along`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    watch.rebuild()
    let old = try site.image(of: "b").path
    try site.write([Person("a", "red.png"), Person("b"), Person("c", "red.png")])
    let report = try #require(watch.rebuild([site.source("manifest.yaml")]))
    #expect(report.users.skipped == 1 && report.users.failed == 0)
    #expect(!site.folder.exists("output/\(old)"))
    #expect(try site.assets().users["b"]?.status == "skipped")
  }

  /// E9: a source that fails is in the report and shown as such, and with `--strict` nothing is
  /// published; the last good site stays.
  @Test func `a failing source is told, and under strict the old site stays`() throws {
    let site = try filled()
    let watch = Rebuilding(site, strict: true)
    try site.write([Person("a"), Person("b", "blue.png")])
    #expect(watch.rebuild() != nil)
    let before = site.files()
    try site.folder.write("no picture", to: "content/spoilt.png")
    try site.write([Person("a", "spoilt.png"), Person("b", "blue.png")])
    guard
      case .strict(let result)? = watch.rebuilder.rebuild([site.source("manifest.yaml")]).failure
    else {
      Issue.record("it was published")
      return
    }
    #expect(result.report.failures.map(\.user) == ["a"])
    #expect(site.files() == before)

    let lenient = Rebuilding(site)
    let report = try #require(lenient.rebuild())
    #expect(report.users.failed == 1 && report.failures.count == 1)
    #expect(try site.text("index.html").contains("no-picture"))
  }

  @Test func `a broken manifest changes nothing, and a mended one is built`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    watch.rebuild()
    let before = site.files()
    let good = try site.folder.text(of: site.manifest)
    try site.folder.write("version: 1\nusers: [", to: site.manifest)
    guard case .usage? = watch.rebuilder.rebuild([site.source("manifest.yaml")]).failure else {
      Issue.record("no failure of the manifest")
      return
    }
    #expect(site.files() == before)
    try site.folder.write(good, to: site.manifest)
    #expect(watch.rebuild([site.source("manifest.yaml")])?.counters.written == 0)
    #expect(site.files() == before)
  }

  @Test func `workers stay warm from one rebuild to the next`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    #expect(watch.rebuild()?.counters.workersStarted == 1)
    for color in [TestPicture.Pixel.green, .blue, .red] {
      try site.repaint("red.png", color)
      #expect(watch.rebuild([site.source("red.png")])?.counters.workersStarted == 0)
    }
  }

  @Test func `what is watched is the content and the templates`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    #expect(
      watch.rebuilder.watchList.paths
        == [site.source(""), site.folder.path(of: "templates")]
        .map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
    watch.rebuild()
    #expect(watch.rebuilder.watchList.paths.contains(site.folder.path(of: "content")))
    #expect(
      watch.rebuilder.watchList.own == ["cache", "output"].map { site.folder.path(of: $0) })
  }

  @Test func `of a list without a manifest its pictures are watched, and nothing beside them`()
    throws
  {
    let site = try TestSite()
    try site.folder.write("name,photo\nAda,photos/ada.png\n", to: "team.csv")
    try site.folder.write("", to: "diary.txt")
    let watch = Rebuilding(site, list: "team.csv")
    watch.rebuild()
    let paths = watch.rebuilder.watchList.paths
    #expect(
      Set(paths).isSuperset(of: ["team.csv", "photos"].map { site.folder.path(of: $0) }))
    #expect(!paths.contains(site.folder.path) && !paths.contains(site.folder.path(of: "diary.txt")))
  }

  /// What pages can have at the moment at which they are told of it.
  private final class Shelf: @unchecked Sendable {
    // Sendable: written before the first rebuild and then only by its thread.
    var fallback: (String) -> (bytes: Data, isForEver: Bool)? = { _ in nil }
    var isThere: (String) -> Bool = { _ in true }
    private(set) var early: [String: Data] = [:]
    private(set) var unpublished: [String] = []

    func look(at event: RebuildEvent) {
      for new in (event.swaps ?? [:]).values {
        early[new] = fallback(new)?.bytes
        if !isThere(new) { unpublished.append(new) }
      }
    }
  }
}
