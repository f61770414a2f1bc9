import Build
import Files
import Foundation
import SiteSupport
import TestSupport
import Testing

/// Pages and pictures before the first build is finished.
struct ProvisionalTests {
  private static let count = 12

  private func filled() throws -> TestSite {
    let site = try TestSite()
    for number in 0..<Self.count {
      try site.paint("\(number).png", .init(UInt8(number * 20), 99, 7))
    }
    try site.put(Array("no picture".utf8), at: "bad.png")
    try site.write(
      (0..<Self.count).map { Person("p\($0)", "\($0).png") } + [Person("bad", "bad.png")],
      styles: [TestSite.small, "name: wide, size: [20, 10], scales: [1, 2], formats: [png, webp]"])
    return site
  }

  /// F15: while the first build is at work the page opens, everyone is on it, and every picture
  /// that it names can be had, whole and the one that the build will publish.
  ///
  /// D7: what is asked for is rendered before everything else.
  @Test func `the page opens before the first picture is made`() throws {
    let site = try filled()
    let visit = Visit()
    let watch = Rebuilding(site) { if case .provisional = $0 { visit.come() } }
    visit.rebuilder.withLock { $0 = watch.rebuilder }
    let report = try #require(watch.rebuild())
    #expect(visit.isWithoutOutput)
    let pictures = visit.pictures.withLock { $0 }
    #expect(pictures.count == Self.count)
    // Looked at one by one: each provisional picture is the finished one.
    for (name, bytes) in pictures {
      let image = try site.image(of: name)
      #expect(bytes == (try site.folder.read("output/\(image.path)")), "\(name)")
    }
    #expect(visit.missing.withLock { $0 } == ["bad"])
    // What was made for the visitor is not made again.
    #expect(report.counters.renders == Self.count * 5)
    #expect(report.users.failed == 1)
    #expect(try site.files() == site.coldSnapshot())

    // A page that is still open asks late.
    let late = try #require(visit.addresses.withLock { $0["p3"] })
    #expect(watch.rebuilder.fallback(for: late)?.isForEver == false)
    #expect(watch.rebuilder.fallback(for: late)?.bytes == pictures["p3"])
    #expect(watch.rebuilder.fallback(for: "no-such-page.html") == nil)
  }

  @Test func `a site without pages has no provisional ones`() throws {
    let site = try TestSite()
    try site.write([Person("a", background: "red")], more: "pages: false")
    let watch = Rebuilding(site) { event in
      if case .provisional = event { Issue.record("there is nothing to open") }
    }
    for color in ["lime", "blue"] {
      try #require(watch.rebuild() != nil)
      try site.write([Person("a", background: color)], more: "pages: false")
    }
  }

  /// A20: fifty ask for one picture at once: one render, fifty answers.
  @Test func `a picture that many ask for is made once`() throws {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.write([Person("a", "red.png")])
    let answers = Guarded<[Data]>([])
    let rebuilder = Guarded<Rebuilder?>(nil)
    let watch = Rebuilding(site, jobs: 2) { event in
      guard case .provisional = event, let rebuilder = rebuilder.withLock({ $0 }) else { return }
      let page = rebuilder.fallback(for: "index.html").map {
        String(decoding: $0.bytes, as: UTF8.self)
      }
      let path = HTMLPage(page ?? "").links(on: "index.html").compactMap(\.path)
        .first { $0.hasPrefix("assets/") }
      DispatchQueue.concurrentPerform(iterations: 50) { _ in
        let bytes = path.flatMap { rebuilder.fallback(for: $0)?.bytes }
        if let bytes { answers.withLock { $0.append(bytes) } }
      }
    }
    rebuilder.withLock { $0 = watch.rebuilder }
    let report = try #require(watch.rebuild())
    #expect(report.counters.renders == 1 && report.counters.decodes == 1)
    let all = answers.withLock { $0 }
    #expect(all.count == 50 && Set(all).count == 1)
  }

  /// Whether the build gives way before or after somebody asks.
  @Test(arguments: [false, true])
  func `a picture of a build that gave way comes from the next one`(isLate: Bool) throws {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.write([Person("a", "red.png")])
    let gate = ProgramGate("before-decode")
    let path = Guarded<String?>(nil)
    let rebuilder = Guarded<Rebuilder?>(nil)
    let watch = Rebuilding(site, gate: gate) { event in
      guard case .provisional = event else { return }
      let page = rebuilder.withLock(\.self)?.fallback(for: "index.html")
      let text = page.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
      let paths = HTMLPage(text).links(on: "index.html").compactMap(\.path)
      path.withLock { $0 = paths.first { $0.hasPrefix("assets/") } }
    }
    rebuilder.withLock { $0 = watch.rebuilder }
    let running = watch.begin()
    try gate.reached()
    let answer = Guarded<Data??>(nil)
    func ask() {
      let path = path.withLock { $0 } ?? ""
      let rebuilder = watch.rebuilder
      Thread.detachNewThread {
        let bytes = rebuilder.fallback(for: path)?.bytes
        answer.withLock { $0 = .some(bytes) }
      }
    }
    if !isLate { ask() }
    watch.rebuilder.giveWay()
    #expect(running.ended()?.isSuperseded == true)
    if isLate { ask() }
    #expect(answer.withLock { $0 } == nil)
    try gate.open()
    let rebuilt = watch.rebuilder.rebuild(nil)
    try #require(rebuilt.report != nil, "\(rebuilt)")
    #expect(eventually { answer.withLock { $0 } != nil })
    let image = try site.image(of: "a")
    let bytes = try site.folder.read("output/\(image.path)")
    #expect(answer.withLock { $0 } == .some(bytes))
  }

  /// G27: where a site stands, nobody sees a placeholder: its pages are shown until there are new.
  @Test func `an old site is never replaced by a provisional one`() throws {
    let site = try filled()
    try site.build()
    let watch = Rebuilding(site)
    try site.folder.remove("cache")
    watch.rebuild()
    #expect(!watch.heard().contains { if case .provisional = $0 { true } else { false } })
    #expect(watch.rebuilder.fallback(for: "index.html") == nil)
  }

  /// Somebody who opens the page at the first moment.
  private final class Visit: Sendable {
    let rebuilder = Guarded<Rebuilder?>(nil)
    /// By user.
    let pictures = Guarded<[String: Data]>([:])
    let addresses = Guarded<[String: String]>([:])
    let missing = Guarded<[String]>([])
    private let page = Guarded("")

    var isWithoutOutput: Bool { page.withLock { !$0.isEmpty } }

    func come() {
      guard let rebuilder = rebuilder.withLock({ $0 }),
        let file = rebuilder.fallback(for: "assets.json"),
        let index = rebuilder.fallback(for: "index.html"),
        let assets = try? JSONDecoder().decode(AssetsFile.self, from: file.bytes)
      else { return }
      page.withLock { $0 = String(decoding: index.bytes, as: UTF8.self) }
      for (name, user) in assets.users {
        guard let path = user.avatars["small"]?.first?.path else { continue }
        addresses.withLock { $0[name] = path }
        guard let picture = rebuilder.fallback(for: path) else {
          missing.withLock { $0.append(name) }
          continue
        }
        pictures.withLock { $0[name] = picture.bytes }
      }
    }
  }
}
