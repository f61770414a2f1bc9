import Fetch
import Files
import TestSupport
import Transfers

@Suite struct RedirectTests {
  /// Returns a server on which `/5` redirects to `/4`, and so on, and `/0` is the file.
  private static func chain(_ style: @escaping @Sendable (Int) -> String) throws -> ScriptedServer {
    try ScriptedServer { asked in
      let number = Int(asked.target.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0
      guard number == 0 else {
        return [.answer(302, ["Location": "\(style(number - 1))"], text: "moved")]
      }
      return [.answer(text: "there")]
    }
  }

  @Test(arguments: [
    "/N", "N", "./N", "../N?q=1", "/a/../N", "//127.0.0.1:PORT/N", "/N#part", "/?N",
  ])
  func `five redirects are followed`(style: String) throws {
    let port = Locked("")
    let server = try RedirectTests.chain { number in
      style.replacing("N", with: "\(number)").replacing("PORT", with: port.withLock { $0 })
    }
    port.withLock { $0 = "\(server.port)" }
    let answer = Fetching.engine(server).fetcher.get(server.url("/5"))
    #expect(answer?.text == "there")
    #expect(answer?.total.requests == 6)
    #expect(answer?.total.retries == 0)
    #expect(server.requests.count == 6)
    #expect(server.connections == 1)
  }

  @Test func `the sixth redirect is not followed`() throws {
    let server = try RedirectTests.chain { "/\($0)" }
    let answer = Fetching.engine(server).fetcher.get(server.url("/6"))
    #expect(answer?.failure?.reason == .tooManyRedirects)
    #expect(server.requests.count == 6)
  }

  @Test func `a redirect loop is rejected`() throws {
    let server = try ScriptedServer { asked in [.answer(301, ["Location": "\(asked.target)"])] }
    let answer = Fetching.engine(server).fetcher.get(server.url("/a"))
    #expect(answer?.failure?.reason == .tooManyRedirects)
    #expect(server.requests.count == 6)
  }

  @Test(arguments: [
    ("file:///etc/passwd", FetchReason.redirectRefused),
    ("data:image/png;base64,AAAA", .redirectRefused),
    ("ftp://127.0.0.1/a", .redirectRefused), ("gopher://127.0.0.1/", .redirectRefused),
    ("dict://127.0.0.1:11211/stat", .redirectRefused), ("javascript:alert(1)", .redirectRefused),
    ("", .redirectRefused), ("http://", .redirectRefused),
    ("http://user@127.0.0.1/", .redirectRefused),
    ("http://a:b@example.com/", .redirectRefused), ("http://exa mple.com/", .redirectRefused),
    ("http://127.0.0.1:22/", .portNotAllowed), ("http://example.com:6379/", .portNotAllowed),
    ("http://example.com:99999/", .redirectRefused),
    ("http://169.254.169.254/latest", .addressNotPublic),
    ("http://10.0.0.1/", .addressNotPublic), ("http://[::1]/", .addressNotPublic),
    ("http://127.0.0.2:PORT/", .addressNotPublic), ("http://0x7f.2:PORT/", .addressNotPublic),
    ("//localhost:PORT/", .addressNotPublic), ("http://LocalHost.:PORT/", .addressNotPublic),
  ]) func `an unsafe redirect target is rejected`(location: String, reason: FetchReason) throws {
    let port = Locked("")
    let server = try ScriptedServer { _ in
      [.answer(302, ["Location": "\(location.replacing("PORT", with: port.withLock { $0 }))"])]
    }
    port.withLock { $0 = "\(server.port)" }
    let answer = Fetching.engine(server).fetcher.get(server.url("/a"))
    #expect(answer?.failure?.reason == reason, "\(String(describing: answer?.failure))")
    #expect(server.requests.count == 1)
  }

  @Test func `a redirect must have exactly one target`() throws {
    let server = try ScriptedServer { asked in
      switch asked.target {
      case "/none": [.answer(302)]
      case "/two": [.answer(302, ["Location": "/a", "Location": "/b"])]
      case "/same": [.answer(302, ["Location": "/a", "Location": "/a"])]
      default: [.answer(text: "there")]
      }
    }
    let fetcher = Fetching.engine(server).fetcher
    #expect(fetcher.get(server.url("/none"))?.failure?.reason == .redirectRefused)
    #expect(fetcher.get(server.url("/two"))?.failure?.reason == .redirectRefused)
    #expect(fetcher.get(server.url("/same"))?.text == "there")
  }

  @Test func `a redirect with an endless body is followed`() throws {
    let server = try ScriptedServer { asked in
      guard asked.target == "/a" else { return [.answer(text: "there")] }
      return [
        .head("HTTP/1.1 302 Found\nContent-Length: 1000000000000\nLocation: /b\n"),
        .forever(String(repeating: "A", count: 1 << 16)),
      ]
    }
    let answer = Fetching.engine(server).fetcher.get(server.url("/a"))
    #expect(answer?.text == "there")
    #expect((answer?.total.bytes ?? .max) < 1 << 20)
  }

  @Test func `a redirect keeps the entity tag but drops If-Modified-Since`() throws {
    let server = try ScriptedServer { asked in
      if asked.target == "/a" {
        [.answer(302, ["Location": "/b"])]
      } else {
        [.answer(304)]
      }
    }
    let validators = Validators(etag: "\"a\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
    let answer = Fetching.engine(server).fetcher.get(server.url("/a"), validators)
    guard case .notModified = answer?.outcome else {
      Issue.record("\(String(describing: answer))")
      return
    }
    #expect(server.requests.map { $0["if-none-match"] } == ["\"a\"", "\"a\""])
    #expect(server.requests.map { $0["if-modified-since"] != nil } == [true, false])
  }

  @Test func `once a redirect leaves the host, validators are no longer sent`() throws {
    let ports = Locked<[UInt16]>([])
    let other = try ScriptedServer { asked in
      let back = "http://127.0.0.1:\(ports.withLock { $0[0] })/end"
      return [.answer(302, ["Location": "\(back)"])]
    }
    let server = try ScriptedServer { asked in
      switch asked.target {
      case "/a": [.answer(302, ["Location": "/b"])]
      case "/b": [.answer(302, ["Location": "\(other.url())"])]
      default: [.answer(text: "there")]
      }
    }
    ports.withLock { $0 = [server.port] }
    let engine = Fetching.engine(Fetching.settings([server.port, other.port]))
    let validators = Validators(etag: "\"a\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(engine.fetcher.get(server.url("/a"), validators)?.text == "there")
    #expect(server.requests.map { $0["if-none-match"] } == ["\"a\"", "\"a\"", nil])
    #expect(server.requests.map { $0["if-modified-since"] != nil } == [true, false, false])
    #expect(other.requests.count == 1)
    #expect(
      other.requests.allSatisfy { request in
        request.headers.allSatisfy { !$0.name.lowercased().hasPrefix("if-") }
      })
  }

  @Test func `after a redirect, an entity tag is sent to the host that issued it`() throws {
    let other = try ScriptedServer { asked in
      if asked["if-none-match"] == "\"1\"" {
        [.answer(304)]
      } else {
        [.answer(200, ["ETag": "\"1\""], text: "there")]
      }
    }
    let server = try ScriptedServer { _ in [.answer(302, ["Location": "\(other.url())"])] }
    let engine = Fetching.engine(Fetching.settings([server.port, other.port]))
    guard case .fetched(_, let fields) = engine.fetcher.get(server.url("/a"))?.outcome else {
      Issue.record("no response arrived")
      return
    }
    #expect(fields.host == "127.0.0.1:\(other.port)")
    guard
      case .notModified = engine.fetcher.get(server.url("/a"), Validators(fields))?.outcome
    else {
      Issue.record("expected a 304 response")
      return
    }
    #expect(other.requests.map { $0["if-none-match"] } == [nil, "\"1\""])
    #expect(server.requests.allSatisfy { $0["if-none-match"] == nil })
  }
}
