import Synchronization
import TestSupport

@Suite(.timeLimit(.minutes(15))) struct TornFileTests {
  /// Returns a version in which every byte identifies the version, so that a mixture is detected.
  private static func version(_ number: Int) -> [UInt8] {
    Array(repeating: UInt8(97 + number % 26), count: 1_000 + number * 7_919 % 150_000)
  }

  /// Repeatedly renames new versions over a file, on a separate thread.
  private final class Writer: Sendable {
    private let isOver = Atomic(false)

    var hasEnded: Bool { isOver.load(ordering: .acquiring) }

    init(_ served: Served, _ name: String) {
      let thread = Thread { [self] in
        defer { isOver.store(true, ordering: .releasing) }
        for number in 1..<400 {
          do {
            try served.folder.write(TornFileTests.version(number), to: "site/new")
            try served.rename("new", to: name)
          } catch {
            Issue.record(error)
          }
        }
      }
      thread.start()
    }
  }

  /// S12: a response contains bytes from only one version.
  @Test(arguments: ["v.bin", "v.css", "v.html"])
  func `a response never mixes two versions of a file`(name: String) throws {
    let served = try Served()
    try served.folder.write(TornFileTests.version(0), to: "site/\(name)")
    let versions = Set((0..<400).map { "\($0 % 26) \(TornFileTests.version($0).count)" })
    var seen: Set<String> = []
    let wire = try served.wire()
    let writer = Writer(served, name)
    while !writer.hasEnded || seen.isEmpty {
      wire.send(served.request("/\(name)"))
      let answer = try #require(wire.answer())
      #expect(answer.status == 200)
      let body = answer.body.prefix { $0 != UInt8(ascii: "<") }
      let first = try #require(body.first)
      #expect(body.allSatisfy { $0 == first })
      let version = "\(first - 97) \(body.count)"
      #expect(versions.contains(version))
      seen.insert(version)
    }
    #expect(seen.count > 1)
  }

  @Test func `a file that is replaced while it is being sent arrives complete`() throws {
    let served = try Served()
    let bytes = (0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 11) }
    try served.folder.write(bytes, to: "site/huge.bin")
    for change in ["replaced", "removed"] {
      let wire = try served.wire()
      wire.send(served.request("/huge.bin"))
      let head = try #require(wire.text(through: "\r\n\r\n"))
      #expect(head.contains("Content-Length: \(bytes.count)\r\n"))
      if change == "replaced" {
        try served.folder.write("new", to: "site/other")
        try served.rename("huge.bin", to: "old")
        try served.rename("other", to: "huge.bin")
        #expect(try served.ask("/huge.bin").text == "new")
      } else {
        try served.folder.remove("site/huge.bin")
        #expect(try served.ask("/huge.bin").status == 404)
      }
      #expect(wire.bytes(bytes.count) == bytes)
      try served.folder.write(bytes, to: "site/huge.bin")
    }
  }
}
