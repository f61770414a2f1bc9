import Preview
import TestSupport

@Suite(.timeLimit(.minutes(15))) struct StopTests {
  /// Runs in a child process, since parallel tests also open files.
  @Test func `a busy server stops immediately and leaks no descriptors`() async {
    await #expect(processExitsWith: .success) {
      try StopTests.stopOnce()
      let before = StopTests.descriptors()
      for _ in 0..<5 { try StopTests.stopOnce() }
      let isClean = eventually { StopTests.descriptors() <= before }
      precondition(isClean, "\(StopTests.descriptors()) descriptors, before \(before)")
    }
  }

  @Test func `a stopped server can be stopped again and released`() throws {
    let port: UInt16
    do {
      let served = try Served()
      port = served.port
      served.server.stop()
      served.server.stop()
      #expect(Wire(to: port) == nil)
    }
    #expect(Wire(to: port) == nil)
  }

  /// Opens streams, slow requests, partly read files and idle connections.
  private static func stopOnce() throws {
    let served = try Served()
    try served.folder.write(Data(count: 16 << 20), to: "site/huge.bin")
    var wires: [Wire] = []
    for _ in 0..<20 {
      for request in [
        served.request("/-/events"), "GET / HT", served.request("/huge.bin"), served.request("/"),
        "",
      ] {
        let wire = try served.wire()
        wire.send(request)
        wires.append(wire)
      }
    }
    for wire in wires.prefix(1) { _ = wire.text(through: "\r\n\r\n") }
    let start = ContinuousClock.now
    served.server.stop()
    precondition(ContinuousClock.now - start < .seconds(30), "\(ContinuousClock.now - start)")
    precondition(wires.allSatisfy { $0.ends(within: .seconds(60)) })
    precondition(Wire(to: served.port) == nil)
  }

  private static func descriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }
}
