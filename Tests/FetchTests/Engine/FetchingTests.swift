import Fetch
import TestSupport
import Transfers

@Suite struct FetchingTests {
  /// N8: requests do not ask for a content encoding.
  @Test func `a fetch returns the file, its header fields and statistics`() throws {
    let server = try ScriptedServer { _ in
      [.answer(200, ["ETag": "\"a\"", "Content-Type": "image/png"], text: "picture")]
    }
    let engine = Fetching.engine(server)
    let answer = engine.fetcher.get(server.url("/a"))
    #expect(answer?.text == "picture")
    guard case .fetched(_, let fields) = answer?.outcome else {
      Issue.record("\(String(describing: answer))")
      return
    }
    #expect(fields["etag"] == "\"a\"")
    #expect(fields["Content-Type"] == "image/png")
    let cost = try #require(answer?.cost.hosts["127.0.0.1:\(server.port)"])
    #expect(cost.requests == 1 && cost.bytes == 7 && cost.reused == 0 && cost.retries == 0)
    let asked = try #require(server.requests.first)
    #expect(asked["user-agent"] == "sitegen")
    #expect(asked["accept"] == "image/*,*/*;q=0.5")
    #expect(asked["accept-encoding"] == nil)
    #expect(asked["cookie"] == nil)
  }

  @Test func `a cached file is revalidated with its validators`() throws {
    let server = try ScriptedServer { asked in
      let isSame = asked["if-none-match"] == "\"a\""
      return [.answer(isSame ? 304 : 200, ["ETag": "\"a\"", "Cache-Control": "max-age=5"])]
    }
    let engine = Fetching.engine(server)
    let same = engine.fetcher.get(
      server.url(), Validators(etag: "\"a\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"))
    guard case .notModified(let fields) = same?.outcome else {
      Issue.record("\(String(describing: same))")
      return
    }
    #expect(fields["cache-control"] == "max-age=5")
    #expect(server.requests[0]["if-modified-since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(same?.total.bytes == 0)
  }

  @Test func `a 304 response to a request without validators is a failure`() throws {
    let server = try ScriptedServer { _ in [.answer(304)] }
    let answer = Fetching.engine(server).fetcher.get(server.url())
    #expect(answer?.failure?.reason == .badAnswer)
    #expect(answer?.failure?.status == 304)
  }

  @Test(arguments: [
    "\"a\r\nX-Evil: 1\"", "\"a\nX-Evil: 1\"", "\"" + String(repeating: "a", count: 1100) + "\"", "",
    "\"\0\"",
  ]) func `an invalid validator is not sent`(etag: String) throws {
    let server = try ScriptedServer { _ in [.answer(text: "x")] }
    let answer = Fetching.engine(server).fetcher.get(server.url(), Validators(etag: etag))
    #expect(answer?.text == "x")
    let asked = try #require(server.requests.first)
    #expect(asked["if-none-match"] == nil && asked["x-evil"] == nil)
  }

  @Test func `requests to the same host share a connection`() throws {
    let server = try ScriptedServer { _ in [.answer(text: "x")] }
    let engine = Fetching.engine(server)
    var reused = 0
    for index in 0..<20 { reused += engine.fetcher.get(server.url("/\(index)"))?.total.reused ?? 0 }
    #expect(server.connections == 1)
    #expect(reused == 19)
  }

  @Test(arguments: [
    (400, FetchReason.httpRefused), (401, .httpRefused), (403, .httpRefused), (404, .notFound),
    (410, .notFound), (418, .httpRefused), (204, .badAnswer), (206, .badAnswer), (300, .badAnswer),
    (305, .badAnswer), (600, .badAnswer), (299, .badAnswer),
  ]) func `a permanent error status is not retried`(status: Int, reason: FetchReason)
    throws
  {
    let server = try ScriptedServer { _ in [.answer(status, text: status == 204 ? "" : "words")] }
    let answer = Fetching.engine(server).fetcher.get(server.url("/secret?person"))
    #expect(answer?.failure?.reason == reason)
    #expect(answer?.failure?.status == status)
    #expect(server.requests.count == 1)
    #expect(answer?.failure?.detail.contains("secret") == false)
    #expect(answer?.failure?.detail.contains("person") == false)
  }

  @Test func `an empty body is a failure`() throws {
    let server = try ScriptedServer { _ in [.answer()] }
    #expect(Fetching.engine(server).fetcher.get(server.url())?.failure?.reason == .empty)
  }

  @Test func `a refused connection is a failure`() throws {
    let port = try ScriptedServer { _ in [] }.port
    let engine = Fetching.engine(Fetching.settings([port]))
    let answer = engine.fetcher.get("http://127.0.0.1:\(port)/")
    #expect(answer?.failure?.reason == .connectionFailed)
    #expect(answer?.total.requests == 3)
    #expect(answer?.total.retries == 2)
  }

  @Test func `a large body is written to an unnamed temporary file`() throws {
    let folder = TemporaryFolder()
    let bytes = Data((0..<(5 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
    let server = try ScriptedServer { _ in
      [.answer(body: bytes)]
    }
    let engine = Fetching.engine(server) { $0.spool = folder.path }
    let answer = engine.fetcher.get(server.url())
    guard case .fetched(let body, _) = answer?.outcome else {
      Issue.record("\(String(describing: answer))")
      return
    }
    #expect(body.isSpooled)
    #expect(body.count == bytes.count)
    #expect(try body.read() == bytes)
    #expect(try body.read() == bytes)
    #expect(folder.list() == [])
  }
}
