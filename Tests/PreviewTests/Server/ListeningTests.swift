import Foundation
import Preview
import Testing

@Suite(.timeLimit(.minutes(15))) struct ListeningTests {
  /// S6: without --host, only this machine can connect.
  @Test func `a server listens on both loopback addresses and accepts loopback hosts`()
    throws
  {
    let served = try Served()
    #expect(served.server.url == "http://127.0.0.1:\(served.port)/")
    for isNew in [false, true] {
      guard let probe = Wire(to: served.port, isNew: isNew) else {
        // A machine may lack IPv6, but not IPv4.
        #expect(isNew)
        continue
      }
      for name in ["localhost", "LocalHost", "127.0.0.1", "127.8.9.10", "[::1]", "[0:0:0::1]"] {
        probe.send("GET / HTTP/1.1\r\nHost: \(name):\(served.port)\r\n\r\n")
        #expect(probe.answer()?.status == 200, "\(name)")
      }
    }
  }

  @Test func `a server on all addresses accepts any IP address but no foreign host name`() throws {
    for host in ["0.0.0.0", "::"] {
      let served = try Served(PreviewSettings(host: host, port: 0))
      #expect(served.server.url == "http://127.0.0.1:\(served.port)/")
      for (name, status) in [
        ("192.168.1.20", 200), ("[fe80::1]", 200), ("localhost", 200), ("evil.example", 421),
        ("192.168.1.20.evil.example", 421),
      ] {
        let wire = try served.wire()
        wire.send("GET / HTTP/1.1\r\nHost: \(name):\(served.port)\r\n\r\n")
        #expect(wire.answer()?.status == status, "\(name) at \(host)")
      }
    }
  }

  @Test func `a server that is given an address listens only on that address`() throws {
    let served = try Served(PreviewSettings(host: "127.0.0.1", port: 0))
    #expect(Wire(to: served.port, isNew: true) == nil)
    #expect(try served.ask("/").status == 200)
  }

  /// S6: other addresses are rejected.
  @Test func `addresses of other machines are rejected`() {
    for host in ["evil.example", "192.0.2.1", "", "127.0.0.1:80", "::1%lo", "[::1]"] {
      #expect(throws: PreviewError.self, "\(host)") {
        try Served(PreviewSettings(host: host, port: 0))
      }
    }
    #expect(throws: PreviewError.badHost("evil.example")) {
      try Served(PreviewSettings(host: "evil.example", port: 0))
    }
  }

  /// S13: the error names the port in use.
  @Test func `a server uses the given port or fails`() throws {
    let first = try Served()
    #expect(throws: PreviewError.portTaken(first.port)) {
      try Served(PreviewSettings(port: first.port))
    }
    let port = first.port
    first.server.stop()
    #expect(Wire(to: port) == nil)
    let second = try Served(PreviewSettings(port: port))
    #expect(try second.ask("/").status == 200)
  }

  @Test func `a server uses the next free port by default`() throws {
    let first = try Served(PreviewSettings())
    let second = try Served(PreviewSettings())
    #expect((8080...8180).contains(first.port))
    #expect((8080...8180).contains(second.port))
    #expect(second.port != first.port)
    #expect(try first.ask("/").status == 200)
    #expect(try second.ask("/").status == 200)
  }
}
