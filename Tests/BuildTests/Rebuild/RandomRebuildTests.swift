import Files
import SiteSupport

struct RandomRebuildTests {
  /// Makes a hundred edits and rebuilds, many of them cancelled, and compares with a cold build.
  ///
  /// script/sanitize runs this test under ThreadSanitizer.
  @Test(arguments: [UInt64.random(in: 0..<1_000_000)])
  func `after many cancelled rebuilds, the site matches a cold build`(seed: UInt64) throws {
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

    let watch = Rebuilding(site, jobs: 2)
    let rebuilder = watch.rebuilder
    let done = Cancellation()
    let thread = DispatchGroup()
    thread.enter()
    Thread.detachNewThread {
      var random = SeededRandom(seed: seed &+ 1)
      while !done.isCancelled {
        usleep(UInt32(random.next() % 20_000))
        rebuilder.cancelForNewerBuild()
      }
      thread.leave()
    }
    var superseded = 0
    for _ in 0..<100 {
      if random.next() % 4 == 0 {
        try save(random.next() % 0xEF_FFFF)
      } else {
        let name = names[Int(random.next() % 5)]
        try site.repaint(name, .init(UInt8(random.next() % 256), 9, UInt8(random.next() % 256)))
      }
      if rebuilder.rebuild().isSuperseded { superseded += 1 }
    }
    done.cancel(signal: 1)
    thread.wait()
    #expect(watch.rebuild() != nil, "seed \(seed)")
    #expect(superseded > 0, "seed \(seed)")
    #expect(try site.files() == site.coldSnapshot(), "seed \(seed)")
    #expect(site.folder.list().allSatisfy { !$0.contains(".sitegen-tmp-") }, "seed \(seed)")
  }
}
