import Files
import Glibc
import SiteSupport

@Suite(.timeLimit(.minutes(15))) struct KilledFetchTests {
  // A picture of noise, which is incompressible.
  private static let large: Data = {
    var random = SystemRandomNumberGenerator()
    return TestPicture.png(width: 800, height: 800, kind: .color) { _, _ in
      .init(.random(in: 0...255, using: &random), .random(in: 0...255, using: &random), 9)
    }
  }()

  /// Kills the build while some pictures are complete and others are partial.
  @Test(arguments: Extent.isAll ? Array(1...6) : [2, 6])
  func `a build killed while fetching caches only complete pictures`(round: Int) throws {
    let site = try TestSite()
    let isSlow = Locked(true)
    let small = TestPicture.png(width: 16, height: 16) { _, _ in .green }
    let server = try ScriptedServer { request in
      let bytes = request.target.hasPrefix("/large") ? Self.large : small
      guard isSlow.withLock({ $0 }), request.attempt == 1, request.target.hasSuffix("slow.png")
      else { return [.answer(200, ["ETag": "\"1\""], body: bytes)] }
      return [
        .head("HTTP/1.1 200 OK\nContent-Length: \(bytes.count)"),
        .bytes(Array(bytes.prefix(bytes.count * round / 7))), .hold,
      ]
    }
    try site.write(
      (0..<12).map { Person("u\($0)", server.url("/\($0).png")) } + [
        Person("slow", server.url("/slow.png")), Person("large", server.url("/large-slow.png")),
      ], more: "network: { allow: [127.0.0.1], ports: [\(server.port)] }")
    let program = try site.start("build")
    // All requests have arrived, and two responses are still incomplete.
    #expect(eventually { Set(server.requests.map(\.target)).count == 14 })
    program.send(SIGKILL)
    _ = try program.ending()
    isSlow.withLock { $0 = false }

    let result = try site.build(jobs: 2)
    #expect(result.exitStatus == 0 && result.report.users.ok == 14, "\(result.reasons)")
    #expect(try site.pixels(of: "slow").center == TestPicture.Pixel.green.rgba)
    #expect(try site.files() == site.coldSnapshot())
    // Partial files have been removed, and all originals are complete.
    let originals = site.folder.list().filter {
      $0.hasPrefix("cache/originals/") && $0.split(separator: "/").count == 4
    }
    #expect(originals.count == 2)
  }
}
