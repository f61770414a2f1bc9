import Preview
import TestSupport

@Suite(.timeLimit(.minutes(15))) struct LimitTests {
  /// S10: a head has a deadline.
  @Test func `a head that does not come to its end ends the connection, however slowly it comes`()
    throws
  {
    var settings = PreviewSettings(port: 0)
    settings.headTime = .milliseconds(500)
    let served = try Served(settings)
    let silent = try served.wire()
    let trickling = try served.wire()
    let start = ContinuousClock.now
    trickling.send("GET / HTTP/1.1\r\nHost: \(served.host)\r\n")
    while !trickling.ends(within: .milliseconds(50)) {
      trickling.send("X: y\r\n")
      if ContinuousClock.now - start > .seconds(60) { break }
    }
    #expect(trickling.hasEnded)
    #expect(ContinuousClock.now - start >= .milliseconds(500))
    #expect(silent.ends(within: .seconds(60)))
    #expect(try served.ask("/").status == 200)
  }

  @Test func `a connection that is idle ends after a while, and not before`() throws {
    var settings = PreviewSettings(port: 0)
    settings.idleTime = .milliseconds(600)
    let served = try Served(settings)
    let wire = try served.wire()
    let opened = ContinuousClock.now
    var lastRequest = opened
    // In use for longer than it may be idle.
    while lastRequest - opened < .milliseconds(900) {
      lastRequest = .now
      wire.send(served.request("/a%20b.txt"))
      try #require(wire.answer()?.text == "a b")
    }
    #expect(wire.ends(within: .seconds(60)))
    #expect(ContinuousClock.now - lastRequest >= .milliseconds(600))
  }

  /// S10: a reply has a deadline.
  @Test func `who does not read what he asked for is let go`() throws {
    var settings = PreviewSettings(port: 0)
    settings.idleTime = .seconds(1)
    settings.connections = 1
    let served = try Served(settings)
    try served.folder.write(Data(count: 64 << 20), to: "site/huge.bin")
    let wire = try served.wire()
    wire.send(served.request("/huge.bin"))
    #expect(wire.text(through: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200") == true)
    // There is room for another one only when the first is let go.
    #expect(
      try eventually {
        let other = try served.wire()
        other.send(served.request("/a%20b.txt"))
        return other.answer()?.text == "a b"
      })
    #expect(wire.rest().count < 64 << 20)
    #expect(wire.hasEnded)
  }

  @Test func `who reads, but too slowly, is let go`() throws {
    var settings = PreviewSettings(port: 0)
    settings.sendTime = .milliseconds(500)
    settings.sendRate = 64 << 20
    let served = try Served(settings)
    try served.folder.write(Data(count: 64 << 20), to: "site/huge.bin")
    let slow = try served.wire()
    let quick = try served.wire()
    slow.send(served.request("/huge.bin"))
    quick.send(served.request("/huge.bin"))
    #expect(quick.answer()?.body.count == 64 << 20)
    let start = ContinuousClock.now
    var count = 0
    while !slow.hasEnded, ContinuousClock.now - start < .seconds(60) {
      count += slow.bytes(1 << 16).count
      usleep(50_000)
    }
    #expect(slow.hasEnded)
    #expect(count < 64 << 20)
    // Between two requests no time counts.
    quick.send(served.request("/a%20b.txt"))
    #expect(quick.answer()?.text == "a b")
  }

  @Test func `more connections than are granted end, and then there is room again`()
    throws
  {
    var settings = PreviewSettings(port: 0)
    settings.connections = 50
    let served = try Served(settings)
    var wires = try (0..<200).map { _ in try served.wire() }
    for wire in wires { wire.send(served.request("/a%20b.txt")) }
    let answers = wires.map { $0.answer()?.text }
    // Who comes late is let in for one that has its answer and waits. So those count that are there
    // at the same time; each thread may let one more in.
    for wire in wires { wire.send(served.request("/a%20b.txt")) }
    #expect(wires.count { $0.answer()?.text == "a b" } <= 54)
    // An eighth is kept free for those who come.
    #expect(answers.count { $0 == "a b" } >= 40)
    #expect(answers.allSatisfy { $0 == nil || $0 == "a b" })
    wires = []
    #expect(
      try eventually {
        let wire = try served.wire()
        wire.send(served.request("/a%20b.txt"))
        return wire.answer()?.text == "a b"
      })
  }

  /// S10: connections that say nothing, or do not read, give way, and everybody is served in time.
  @Test(arguments: [false, true])
  func `all connections taken by others`(areAsking: Bool) throws {
    var settings = PreviewSettings(port: 0)
    settings.connections = 128
    // No deadline frees a connection.
    settings.headTime = .seconds(3_600)
    settings.idleTime = .seconds(3_600)
    settings.sendTime = .seconds(3_600)
    let served = try Served(settings)
    try served.folder.write(Data(count: 64 << 20), to: "site/huge.bin")
    let live = try served.wire()
    live.send(served.request("/-/events"))
    #expect(live.text(through: "\r\n\r\n", within: .seconds(60))?.contains("200") == true)
    let taking = try (0..<300).map { _ in
      let wire = try served.wire()
      if areAsking { wire.send(served.request("/huge.bin")) }
      return wire
    }
    for _ in 0..<20 {
      // A refused connection may try again.
      #expect(
        eventually {
          guard let wire = Wire(to: served.port) else { return false }
          wire.send(served.request("/a%20b.txt"))
          return wire.answer()?.text == "a b"
        })
    }
    served.live.send(.mended)
    #expect(live.text(through: "\"paths\":[]", within: .seconds(60)) != nil)
    #expect(eventually { taking.contains { $0.ends(within: .zero) } })
  }

  @Test func `thousands of requests on one connection leave the server well`() throws {
    let served = try Served()
    let requests = String(repeating: served.request("/a%20b.txt"), count: 100)
    let wire = try served.wire()
    for _ in Extent.seeds(30, all: 200) {
      wire.send(requests)
      for _ in 0..<100 {
        guard wire.answer()?.text == "a b" else {
          Issue.record("an answer is missing")
          return
        }
      }
    }
  }

  @Test func `a flood of connections that say nothing does not stop those who ask`() throws {
    var settings = PreviewSettings(port: 0)
    settings.connections = 300
    settings.headTime = .seconds(1)
    let served = try Served(settings)
    let silent = try (0..<250).map { _ in try served.wire() }
    for _ in 0..<50 { #expect(try served.ask("/").status == 200) }
    #expect(silent.allSatisfy { $0.ends(within: .seconds(60)) })
  }
}
