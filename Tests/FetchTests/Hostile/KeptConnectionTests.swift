import Fetch
import TestSupport
import Transfers

struct KeptConnectionTests {
  private static let picture = HostileServer.picture

  /// Requests `/1` and then `/2`.
  private func ask(
    _ server: ScriptedServer, _ validators: Validators = Validators(),
    slowTime: Duration = .seconds(60)
  ) throws -> (FetchAnswer, FetchAnswer) {
    var settings = FetchSettings()
    settings.time = .seconds(120)
    settings.connectTime = .seconds(60)
    settings.slowTime = slowTime
    settings.backOff = .milliseconds(10)
    settings.policy.networks = ["127.0.0.1/32"]
    settings.policy.ports = [server.port]
    let engine = Fetching.engine(settings)
    defer { engine.close() }
    let first = try #require(engine.fetcher.get(server.url("/1"), validators))
    return (first, try #require(engine.fetcher.get(server.url("/2"))))
  }

  @Test func `a connection is reused for the next request`() throws {
    let server = try ScriptedServer { [.answer(text: $0.target)] }
    let (first, second) = try ask(server)
    #expect(first.text == "/1" && second.text == "/2")
    #expect(server.connections == 1)
    #expect(second.cost.hosts[server.host]?.reused == 1)
  }

  @Test func `an unsolicited response is ignored`() throws {
    let stolen = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen"
    let server = try ScriptedServer { request in
      request.target == "/1"
        ? [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst" + stolen + stolen)]
        : [.answer(text: "second")]
    }
    let (first, second) = try ask(server)
    #expect(first.text == "first" && second.text == "second")
  }

  @Test func `a reused connection that stays silent is replaced`() throws {
    let server = try ScriptedServer { request in
      request.target == "/2" && request.attempt == 1 ? [.hold] : [.answer(text: request.target)]
    }
    let (first, second) = try ask(server, slowTime: .seconds(1))
    #expect(first.text == "/1" && second.text == "/2")
    #expect(server.requests("/2").count == 2)
  }

  @Test(arguments: [false, true])
  func `a reused connection that the server closes is replaced`(isBroken: Bool) throws {
    let server = try ScriptedServer { request in
      if request.target == "/1" { return [.answer(text: "/1"), isBroken ? .reset : .close] }
      return [.answer(text: "/2")]
    }
    let (first, second) = try ask(server)
    #expect(second.text == "/2")
    // A connection reset may discard bytes that were already sent.
    if !isBroken { #expect(first.text == "/1") }
  }

  /// N12: the next request does not send cookies or credentials from an earlier response.
  @Test func `cookies and credentials are not kept between requests`() throws {
    let server = try ScriptedServer { _ in
      [
        .answer(
          200,
          [
            "Set-Cookie": "a=b; Path=/", "Alt-Svc": "h2=\":443\"", "WWW-Authenticate": "Basic",
            "Strict-Transport-Security": "max-age=1000",
          ], text: Self.picture)
      ]
    }
    let (first, second) = try ask(server)
    #expect(first.text == Self.picture && second.text == Self.picture)
    for request in server.requests {
      #expect(request["cookie"] == nil && request["authorization"] == nil)
    }
  }

  /// N15: validators are limited in length and cannot inject headers.
  ///
  /// Builds cache validators, and the server chooses their text.
  @Test(arguments: ["\"a\"\r\nX-Injected: yes", "\"a\"\nX-Injected: yes", "\"a\0b\"", "\"a\rb\""])
  func `a validator cannot inject a header`(text: String) throws {
    let server = try ScriptedServer { [.answer(text: $0.target)] }
    let (_, second) = try ask(server, Validators(etag: text, lastModified: text))
    #expect(second.text == "/2")
    for request in server.requests {
      #expect(request["x-injected"] == nil)
      #expect(request["if-none-match"]?.utf8.contains { $0 < 0x20 } != true)
      #expect(request["if-modified-since"]?.utf8.contains { $0 < 0x20 } != true)
    }
  }
}
