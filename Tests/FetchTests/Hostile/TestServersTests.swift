import Glibc
import TestSupport
import Testing

/// The servers that other tests rely on, asked by hand.
struct TestServersTests {
  private func ask(
    _ server: ScriptedServer, _ target: String, waits: Bool = false
  ) throws -> String {
    let socket = try Socket(to: server.port)
    defer { socket.close() }
    socket.send("GET \(target) HTTP/1.1\r\nHost: \(server.host)\r\n\r\n".utf8)
    if !waits { socket.finish() }
    return String(decoding: socket.rest(), as: UTF8.self)
  }

  /// What a program prints.
  private func output(_ program: String, _ words: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Scripts

  @Test func `a scripted server does step by step what it is told`() throws {
    let server = try ScriptedServer([
      "/answer": [.answer(418, ["X-Tea": "yes"], text: "tea")],
      "/steps": [
        .head("HTTP/1.1 200 OK\nContent-Length: 2\n"), .pause(0.01),
        .drip("ab", every: 0), .close,
      ],
      "/close": [.send("HTTP/1.1 200 OK\r\n"), .close],
    ])
    #expect(
      try ask(server, "/answer")
        == "HTTP/1.1 418 \r\nX-Tea: yes\r\nContent-Length: 3\r\n\r\ntea")
    #expect(
      try ask(server, "/steps", waits: true)
        == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab")
    #expect(try ask(server, "/close") == "HTTP/1.1 200 OK\r\n")
    #expect(try ask(server, "/other") == "HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n")
    #expect(server.requests.map(\.target) == ["/answer", "/steps", "/close", "/other"])
    #expect(server.requests.map(\.connection) == [1, 2, 3, 4])
    #expect(server.requests[0]["HOST"] == server.host && server.mostRequests == 1)
  }

  @Test func `several requests on one connection are told apart`() throws {
    let server = try ScriptedServer { [.answer(200, text: "\($0.target)\($0.attempt);")] }
    let socket = try Socket(to: server.port)
    defer { socket.close() }
    socket.send("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\nGET /a HTTP/1.1\r\n\r\n".utf8)
    socket.finish()
    let text = String(decoding: socket.rest(), as: UTF8.self)
    #expect(text.contains("/a1;") && text.contains("/b1;") && text.hasSuffix("/a2;"))
    #expect(server.connections == 1 && server.isAbandoned())
    #expect(eventually { server.openConnections == 0 })
  }

  @Test func `a broken connection, one that is held, and one that never ends`() throws {
    let server = try ScriptedServer([
      "/reset": [.reset], "/hold": [.hold], "/forever": [.forever("more and more")],
    ])
    #expect(try ask(server, "/reset").isEmpty)
    #expect(server.abandoned == 0)
    for (target, isSilent) in [("/hold", true), ("/forever", false)] {
      let socket = try Socket(to: server.port)
      socket.send("GET \(target) HTTP/1.1\r\n\r\n".utf8)
      let reading = socket.receive(within: isSilent ? .milliseconds(50) : .seconds(60))
      if isSilent { #expect(reading == .late) } else { #expect(reading != .late) }
      socket.close()
    }
    #expect(server.isAbandoned(times: 2))
  }

  @Test func `requests at the same time are counted`() throws {
    let server = try ScriptedServer { _ in [.pause(0.3), .answer()] }
    let sockets = try (0..<3).map { _ in try Socket(to: server.port) }
    for socket in sockets { socket.send("GET / HTTP/1.1\r\n\r\n".utf8) }
    #expect(eventually { server.requests.count == 3 })
    for socket in sockets { #expect(socket.receive(within: .seconds(60)) != .late) }
    #expect((1...3).contains(server.mostRequests))
    for socket in sockets { socket.close() }
  }

  @Test func `a server that is gone leaves nothing open`() throws {
    var server: ScriptedServer? = try ScriptedServer { _ in [.hold] }
    let port = try #require(server?.port)
    let (busy, idle) = (try Socket(to: port), try Socket(to: port))
    busy.send("GET / HTTP/1.1\r\n\r\n".utf8)
    #expect(eventually { server?.openConnections == 2 && server?.requests.count == 1 })
    server = nil
    #expect(busy.receive(within: .seconds(60)) == .end)
    #expect(idle.receive(within: .seconds(60)) == .end)
    #expect(throws: Socket.Failure.self) { try Socket(to: port) }
    for socket in [busy, idle] { socket.close() }
  }

  // MARK: - Programs

  @Test(.needs(.nginx))
  func `nginx serves a folder, with validators, and says what it did`() throws {
    let folder = TemporaryFolder()
    try folder.write("picture", to: "a.png")
    var server: NginxServer? = try NginxServer(serving: folder.path)
    let port = try #require(server?.port)
    func ask(_ header: String) throws -> String {
      let socket = try Socket(to: port)
      defer { socket.close() }
      socket.send(
        "GET /a.png HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(header)\r\n".utf8)
      return String(decoding: socket.rest(), as: UTF8.self)
    }
    let answer = try ask("")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\npicture"))
    let etag = try #require(answer.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") })
    #expect(try ask("If-None-Match: \(etag.dropFirst(6))\r\n").hasPrefix("HTTP/1.1 304 "))
    #expect(eventually { (try? server?.requests().count) == 2 })
    let requests = try server?.requests() ?? []
    #expect(requests.map(\.status) == [200, 304] && requests.map(\.bytes) == [7, 0])
    #expect(requests.map(\.target) == ["/a.png", "/a.png"])
    server = nil
    #expect(throws: Socket.Failure.self) { try Socket(to: port) }
  }

  @Test(.needs(.nginx))
  func `each certificate is refused for its own reason`() throws {
    let certificates = try TestCertificates.shared()
    let reasons: [TestCertificates.Kind: String] = [
      .good: "OK", .expired: "certificate has expired",
      .future: "certificate is not yet valid", .other: "IP address mismatch",
      .unknown: "unable to get local issuer certificate", .own: "self-signed certificate",
    ]
    for kind in TestCertificates.Kind.allCases {
      let pair = certificates.pair(kind)
      let said = try output(
        "/bin/sh",
        [
          "-c", "openssl verify -verify_ip 127.0.0.1 -no-CApath -CAfile $0 $1 2>&1",
          certificates.authority, pair.certificate,
        ])
      let reason = try #require(reasons[kind])
      #expect(said.contains(reason), "\(kind): \(said)")
    }
    let folder = TemporaryFolder()
    try folder.write("picture", to: "a.png")
    let server = try NginxServer(serving: folder.path, secureBy: certificates.pair(.good))
    let said = try output(
      "/bin/sh",
      [
        "-c",
        "openssl s_client -connect 127.0.0.1:$0 -alpn h2 -verify_return_error -CAfile $1 2>&1",
        "\(server.port)", certificates.authority,
      ])
    #expect(said.contains("Verify return code: 0") && said.contains("ALPN protocol: h2"))
  }

  @Test func `the name server answers as its table says`() throws {
    let server = try NameServer([
      "a.example": ["A": [.records(["198.41.0.4", "198.41.0.5"]), .records(["127.0.0.1"])]],
      "other.example": ["CNAME": [.records(["a.example"])]],
      "broken.example": ["A": [.servfail]],
    ])
    let ask = """
      import socket, struct, sys
      wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      wire.settimeout(60)
      for word in sys.argv[2:]:
          kind, name = word.split(":")
          wire.sendto(struct.pack(">HHHHHH", 7, 256, 1, 0, 0, 0)
              + b"".join(bytes([len(part)]) + part.encode() for part in name.split(".")) + b"\\0"
              + struct.pack(">HH", int(kind), 1), ("127.0.0.1", int(sys.argv[1])))
          answer = wire.recv(4096)
          print(struct.unpack(">H", answer[:2])[0], answer[3] & 15,
              struct.unpack(">H", answer[6:8])[0], answer[-4:].hex())
      """
    let said = try output(
      "/usr/bin/python3",
      [
        "-c", ask, "\(server.port)", "1:A.example", "1:a.example", "1:other.example",
        "28:a.example", "1:nobody.example", "1:broken.example",
      ])
    #expect(
      said.split(separator: "\n") == [
        "7 0 2 c6290005", "7 0 1 7f000001", "7 0 2 7f000001", "7 0 0 001c0001", "7 3 0 00010001",
        "7 2 0 00010001",
      ])
    #expect(server.questions.first == "A a.example")
  }
}
