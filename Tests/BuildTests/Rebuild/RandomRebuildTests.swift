import Build
import Files
import Foundation
import SiteSupport
import TestSupport
import Testing

/// Rebuilds that give way at random moments, while visitors ask for whatever there is.
struct RandomRebuildTests {
  /// A hundred edits and as many rebuilds, many of them overtaken: the site is that of a cold build.
  ///
  /// Under ThreadSanitizer this is what its threads have in common (script/sanitize).
  @Test(arguments: [UInt64.random(in: 0..<1_000_000)])
  func `whoever gives way when, the last one wins`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let site = try TestSite()
    let names = (0..<5).map { "p\($0).png" }
    for name in names { try site.repaint(name, .init(1, 2, 3)) }
    func save(_ color: UInt64) throws {
      try site.write(
        names.enumerated().map { Person("u\($0)", $1) },
        styles: [
          "name: small, size: 16, scales: [1, 2], formats: [png]"
            + ", border: { width: 2, color: \"#\(String(0x100000 + color, radix: 16))\" }"
        ])
    }
    try save(0)

    let known = Guarded<Set<String>>(["index.html"])
    let page = Page(site.folder)
    let watch = Rebuilding(site, jobs: 2) { event in
      page.hear(event)
      if let swaps = event.swaps { known.withLock { $0.formUnion(swaps.values) } }
      if let paths = event.paths { known.withLock { $0.formUnion(paths) } }
    }
    let rebuilder = watch.rebuilder
    let done = Cancellation()
    let threads = DispatchGroup()
    for number in 0..<2 {
      threads.enter()
      Thread.detachNewThread {
        var random = SeededRandom(seed: seed &+ UInt64(number) &+ 1)
        while !done.isCancelled {
          if number == 0 {
            usleep(UInt32(random.next() % 20_000))
            rebuilder.giveWay()
          } else {
            let paths = known.withLock { Array($0) }
            _ = rebuilder.fallback(for: paths[Int(random.next() % UInt64(paths.count))])
          }
        }
        threads.leave()
      }
    }
    var superseded = 0
    for _ in 0..<100 {
      var changed: [String] = []
      if random.next() % 4 == 0 {
        try save(random.next() % 0xEF_FFFF)
        changed.append(site.source("manifest.yaml"))
      } else {
        let name = names[Int(random.next() % 5)]
        try site.repaint(name, .init(UInt8(random.next() % 256), 9, UInt8(random.next() % 256)))
        changed.append(site.source(name))
      }
      if rebuilder.rebuild(changed).isSuperseded { superseded += 1 }
    }
    done.cancel(signal: 1)
    threads.wait()
    #expect(watch.rebuild() != nil, "seed \(seed)")
    #expect(superseded > 0, "seed \(seed)")
    #expect(try page.shown == page.written(), "seed \(seed)")
    #expect(try site.files() == site.coldSnapshot(), "seed \(seed)")
    #expect(site.folder.list().allSatisfy { !$0.contains(".sitegen-tmp-") }, "seed \(seed)")
  }
}

/// What a page that is open shows of each user, if it believes all that it is told.
private final class Page: Sendable {
  private let folder: TemporaryFolder
  private let state = Guarded<[String: String]>([:])

  init(_ folder: TemporaryFolder) {
    self.folder = folder
  }

  var shown: [String: String] { state.withLock { $0 } }

  func hear(_ event: RebuildEvent) {
    switch event {
    case .swapped(let swaps): state.withLock { $0 = $0.mapValues { swaps[$0] ?? $0 } }
    // It looks at itself again if it is among the paths.
    case .published(let paths) where paths?.contains("index.html") != false:
      if let written = try? written() { state.withLock { $0 = written } }
    case .published, .provisional, .progress: break
    }
  }

  /// What the output says.
  func written() throws -> [String: String] {
    try JSONDecoder().decode(AssetsFile.self, from: folder.read("output/assets.json"))
      .users.compactMapValues { $0.avatars["small"]?.first?.path }
  }
}
