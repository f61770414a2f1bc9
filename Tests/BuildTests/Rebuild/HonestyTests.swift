import Build
import Files
import Foundation
import SiteSupport
import TestSupport
import Testing

/// What open pages are told is true in the end, whoever has built and whatever has failed.
struct HonestyTests {
  private func filled() throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.paint("blue.png", .blue)
    try site.write([Person("a", "red.png"), Person("b", "blue.png")])
    return site
  }

  @Test func `what another build has published is told, too`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    watch.rebuild()
    _ = watch.heard()
    try site.write([Person("a", name: "Another name", "red.png"), Person("b", "blue.png")])
    try site.build()
    watch.rebuild([site.source("manifest.yaml")])
    #expect(watch.heard().compactMap(\.paths).first?.contains("index.html") == true)
    // The next picture is swapped from what the other build has made.
    let old = try site.image(of: "a").path
    try site.repaint("red.png", .green)
    watch.rebuild()
    try site.repaint("red.png", .white)
    _ = watch.heard()
    let middle = try site.image(of: "a").path
    watch.rebuild([site.source("red.png")])
    #expect(watch.heard().compactMap(\.swaps) == [[middle: try site.image(of: "a").path]])
    #expect(old != middle)
  }

  @Test func `a swap that does not come true is taken back`() throws {
    let site = try filled()
    let watch = Rebuilding(site, strict: true)
    watch.rebuild()
    _ = watch.heard()
    let before = try site.image(of: "a").path
    try site.repaint("red.png", .green)
    try site.folder.write("no picture", to: "content/blue.png")
    let paths = ["red.png", "blue.png"].map(site.source)
    #expect(watch.rebuilder.rebuild(paths).failure != nil)
    let events = watch.heard()
    #expect(events.contains { $0.swaps?[before] != nil })
    #expect(events.last { $0.swaps != nil || $0.isAnything }?.isAnything == true)
    #expect(try site.image(of: "a").path == before)
  }

  @Test func `a swap of a build that gave way, and was undone, is taken back`() throws {
    let site = try filled()
    let rebuilder = Guarded<Rebuilder?>(nil)
    let watch = Rebuilding(site) { event in
      if event.swaps != nil { rebuilder.withLock { $0 }?.giveWay() }
    }
    watch.rebuild()
    rebuilder.withLock { $0 = watch.rebuilder }
    try site.repaint("red.png", .green)
    #expect(watch.rebuilder.rebuild([site.source("red.png")]).isSuperseded)
    _ = watch.heard()
    rebuilder.withLock { $0 = nil }
    try site.repaint("red.png", .red)
    watch.rebuild([site.source("red.png")])
    #expect(watch.heard().contains { $0.isAnything })
  }

  /// People with equal pictures share a file, of which nobody can say whose it is.
  @Test func `a picture that somebody else has, too, is not swapped`() throws {
    let site = try filled()
    try site.paint("twin.png", .red)
    try site.write([Person("a", "red.png"), Person("b", "twin.png")])
    let watch = Rebuilding(site)
    watch.rebuild()
    #expect(try site.image(of: "a").path == site.image(of: "b").path)
    try site.repaint("red.png", .green)
    _ = watch.heard()
    watch.rebuild([site.source("red.png")])
    let events = watch.heard()
    #expect(events.allSatisfy { $0.swaps == nil })
    #expect(events.compactMap(\.paths).first?.contains("index.html") == true)
  }

  @Test func `before the first site each style of a shared picture can be had`() throws {
    let site = try filled()
    try site.write(
      [Person("a", "red.png", styles: ["small"]), Person("b", "red.png", styles: ["wide"])],
      styles: [TestSite.small, "name: wide, size: [20, 10], scales: [1], formats: [png]"])
    let found = Guarded<[Bool]>([])
    let rebuilder = Guarded<Rebuilder?>(nil)
    let watch = Rebuilding(site) { event in
      guard case .provisional = event, let rebuilder = rebuilder.withLock({ $0 }),
        let page = rebuilder.fallback(for: "index.html")
      else { return }
      let text = String(decoding: page.bytes, as: UTF8.self)
      for path in HTMLPage(text).links(on: "index.html").compactMap(\.path)
      where path.hasPrefix("assets/") {
        let isThere = rebuilder.fallback(for: path) != nil
        found.withLock { $0.append(isThere) }
      }
    }
    rebuilder.withLock { $0 = watch.rebuilder }
    watch.rebuild()
    #expect(found.withLock { $0.count >= 2 && $0.allSatisfy(\.self) })
  }

  @Test func `where the first build fails, nothing is shown as if it stood`() throws {
    let site = try filled()
    try site.folder.write("no picture", to: "content/blue.png")
    let watch = Rebuilding(site, strict: true)
    #expect(watch.rebuilder.rebuild().failure != nil)
    #expect(watch.rebuilder.fallback(for: "index.html") == nil)
    #expect(watch.heard().last { $0.isAnything || $0.paths != nil }?.isAnything == true)
  }

  @Test func `after a clean the page opens at once again`() throws {
    let site = try filled()
    let opened = Guarded<[Bool]>([])
    let rebuilder = Guarded<Rebuilder?>(nil)
    let watch = Rebuilding(site) { event in
      guard case .provisional = event else { return }
      let isThere = rebuilder.withLock { $0 }?.fallback(for: "index.html") != nil
      opened.withLock { $0.append(isThere) }
    }
    rebuilder.withLock { $0 = watch.rebuilder }
    watch.rebuild()
    try site.clean()
    watch.rebuild()
    #expect(opened.withLock { $0 } == [true, true])
    #expect(watch.rebuilder.fallback(for: "index.html") == nil)
    #expect(try site.files() == site.coldSnapshot())
  }

  @Test func `an image is had by the name of an image only`() throws {
    let site = try filled()
    let watch = Rebuilding(site)
    watch.rebuild()
    let path = try site.image(of: "a").path
    #expect(watch.rebuilder.fallback(for: path) != nil)
    for ending in [".html", ".png.html", "", ".svg"] {
      #expect(watch.rebuilder.fallback(for: path.replacing(".png", with: ending)) == nil)
    }
  }

  @Test func `badges and pictures elsewhere are watched where they are allowed`() throws {
    let site = try filled()
    try site.folder.write(
      TestPicture.png(width: 8, height: 8, kind: .color) { _, _ in .green }, to: "other/badge.png")
    try site.write(
      [Person("a", "red.png"), Person("b", "../more/b.png")],
      styles: [
        TestSite.small + ", decorations: [{ name: x, badge: ../other/badge.png, size: 4 }]"
      ], more: "allowOutside: true")
    let watch = Rebuilding(site)
    _ = watch.rebuilder.rebuild()
    let places = watch.rebuilder.watchList.paths
    #expect(places.contains(site.folder.path(of: "other/badge.png")), "\(places)")
    #expect(places.contains(site.folder.path(of: "more/b.png")), "\(places)")
  }
}
