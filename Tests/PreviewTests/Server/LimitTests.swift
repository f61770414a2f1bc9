import Preview
import TestSupport

@Suite(.timeLimit(.minutes(15))) struct LimitTests {
  /// S10: request headers have a deadline.
  @Test func `a connection with incomplete headers times out even if bytes keep arriving`()
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

  @Test func `an idle connection is closed after the timeout`() throws {
    var settings = PreviewSettings(port: 0)
    settings.idleTime = .milliseconds(600)
    let served = try Served(settings)
    let wire = try served.wire()
    let opened = ContinuousClock.now
    var lastRequest = opened
    // The requests keep the connection in use beyond the idle timeout.
    while lastRequest - opened < .milliseconds(900) {
      lastRequest = .now
      wire.send(served.request("/a%20b.txt"))
      try #require(wire.answer()?.text == "a b")
    }
    #expect(wire.ends(within: .seconds(60)))
    #expect(ContinuousClock.now - lastRequest >= .milliseconds(600))
  }

  /// S10: responses have a deadline.
  @Test func `a client that does not read is disconnected`() throws {
    var settings = PreviewSettings(port: 0)
    settings.idleTime = .seconds(1)
    settings.connections = 1
    let served = try Served(settings)
    try served.folder.write(Data(count: 64 << 20), to: "site/huge.bin")
    let wire = try served.wire()
    wire.send(served.request("/huge.bin"))
    #expect(wire.text(through: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200") == true)
    // A second connection fits only after the first one is closed.
    #expect(
      try eventually {
        let other = try served.wire()
        other.send(served.request("/a%20b.txt"))
        return other.answer()?.text == "a b"
      })
    #expect(wire.rest().count < 64 << 20)
    #expect(wire.hasEnded)
  }

  @Test func `a client that reads too slowly is disconnected`() throws {
    // The file is larger than the socket buffers.
    let size = 24 << 20
    var settings = PreviewSettings(port: 0)
    settings.sendTime = .milliseconds(500)
    settings.sendRate = size
    let served = try Served(settings)
    try served.folder.write(Data(count: size), to: "site/huge.bin")
    let slow = try served.wire()
    slow.send(served.request("/huge.bin"))
    var quick: Wire?
    // On a busy machine, even a client that reads immediately may be too slow, but not every time.
    let isRead = try eventually {
      let wire = try served.wire()
      wire.send(served.request("/huge.bin"))
      quick = wire
      return wire.answer()?.body.count == size
    }
    #expect(isRead)
    var count = 0
    #expect(
      eventually {
        count += slow.bytes(1 << 16).count
        if !slow.hasEnded { usleep(20_000) }
        return slow.hasEnded
      })
    #expect(count < size)
    // Idle time between requests does not count.
    quick?.send(served.request("/a%20b.txt"))
    #expect(quick?.answer()?.text == "a b")
  }

  @Test func `connections above the limit are closed, and later ones are accepted`()
    throws
  {
    var settings = PreviewSettings(port: 0)
    settings.connections = 50
    let served = try Served(settings)
    var wires = try (0..<200).map { _ in try served.wire() }
    for wire in wires { wire.send(served.request("/a%20b.txt")) }
    let answers = wires.map { $0.answer()?.text }
    // An idle client is replaced by a new one, so this counts parallel connections. Each thread may
    // let one more in.
    for wire in wires { wire.send(served.request("/a%20b.txt")) }
    #expect(wires.count { $0.answer()?.text == "a b" } <= 54)
    // An eighth of the connections is reserved for new clients.
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

  /// S10: connections that are idle or do not read are closed to make room for new clients.
  @Test(arguments: [false, true])
  func `new clients are served even if others hold all connections`(areAsking: Bool) throws {
    var settings = PreviewSettings(port: 0)
    settings.connections = 128
    // These deadlines are so long that they cannot free a connection.
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
      // A rejected client may retry.
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

  @Test func `a server survives thousands of requests on one connection`() throws {
    let served = try Served()
    let requests = String(repeating: served.request("/a%20b.txt"), count: 100)
    let wire = try served.wire()
    for _ in Extent.seeds(30, all: 200) {
      wire.send(requests)
      for _ in 0..<100 {
        guard wire.answer()?.text == "a b" else {
          Issue.record("a response is missing or incorrect")
          return
        }
      }
    }
  }

  @Test func `a flood of silent connections does not block other clients`() throws {
    var settings = PreviewSettings(port: 0)
    settings.connections = 300
    settings.headTime = .seconds(1)
    let served = try Served(settings)
    let silent = try (0..<250).map { _ in try served.wire() }
    for _ in 0..<50 { #expect(try served.ask("/").status == 200) }
    #expect(silent.allSatisfy { $0.ends(within: .seconds(60)) })
  }
}
