import Fetch
import TestSupport
import Testing
import Transfers

@Suite struct LimitTests {
  /// What one answer of a server comes to.
  private func failure(
    _ steps: ScriptedServer.Step..., change: (inout FetchSettings) -> Void = { _ in }
  ) throws -> (FetchFailure?, requests: Int) {
    let server = try ScriptedServer { _ in steps }
    let answer = Fetching.engine(server, change).fetcher.get(server.url())
    return (answer?.failure, server.requests.count)
  }

  /// N7: bodies that are too long, cut or malformed are no answers.
  @Test func `a body without an end`() throws {
    for head in ["Content-Type: image/png", "Transfer-Encoding: chunked"] {
      let (failure, requests) = try failure(
        .head("HTTP/1.1 200 OK\n\(head)\n"),
        .forever("10000\r\n" + String(repeating: "A", count: 0x10000) + "\r\n")
      ) { $0.bytes = 3 << 20 }
      #expect(failure?.reason == .tooManyBytes)
      #expect(failure?.detail.contains("3 MiB") == true)
      #expect(requests == 1)
    }
  }

  @Test func `a body that says that it is too large is not begun`() throws {
    let (failure, requests) = try failure(
      .head("HTTP/1.1 200 OK\nContent-Length: \((32 << 20) + 1)\n"), .hold)
    #expect(failure?.reason == .tooManyBytes)
    #expect(requests == 1)
  }

  /// N8: what is encoded all the same is no answer.
  @Test(arguments: [
    "gzip", "br", "zstd", "deflate", "x-gzip", "gzip, gzip", "identity, gzip", "nonsense",
  ])
  func `an encoded body is refused`(encoding: String) throws {
    for field in ["Content-Encoding", "Transfer-Encoding"] {
      let (failure, requests) = try failure(
        .send("HTTP/1.1 200 OK\r\n\(field): \(encoding)\r\n\r\n0\r\n\r\n"), .close)
      #expect([.encodedBody, .badAnswer].contains(failure?.reason), "\(field)")
      #expect(field == "Transfer-Encoding" || failure?.reason == .encodedBody)
      #expect(requests == 1)
    }
  }

  @Test func `an identity is no encoding`() throws {
    let server = try ScriptedServer { _ in
      [.answer(200, ["Content-Encoding": "Identity"], text: "x")]
    }
    #expect(Fetching.engine(server).fetcher.get(server.url())?.text == "x")
  }

  /// N12: header lines are limited in number and length; cookies are not kept.
  @Test func `too many header lines, and too long ones`() throws {
    let flood = try failure(
      .send("HTTP/1.1 200 OK\r\n"),
      .send((0..<100_000).map { "X-\($0): words\r\n" }.joined()), .hold)
    #expect(flood.0?.reason == .badAnswer)
    #expect(flood.0?.detail.contains("64 KiB") == true)
    #expect(flood.requests == 1)
    for count in [70_000, 2 << 20] {
      let long = try failure(
        .head("HTTP/1.1 200 OK\nX-Long: " + String(repeating: "a", count: count) + "\n"), .hold)
      #expect(long.0?.reason == .badAnswer, "\(count): \(String(describing: long.0))")
      #expect(long.requests == 1)
    }
    let interim = try failure(.forever("HTTP/1.1 103 Early\r\nLink: x\r\n\r\n"))
    #expect(interim.0?.reason == .badAnswer)
  }

  @Test(arguments: [
    "", "\r\n\r\n", "picture", "SSH-2.0-OpenSSH\r\n", "HTTP/9.9 200 OK\r\n\r\nx",
    "HTTP/1.1 abc\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx",
    "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nx",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
  ]) func `what is no HTTP is no answer`(text: String) throws {
    let (failure, _) = try failure(.send(text), .close)
    #expect(
      [.badAnswer, .connectionCut].contains(failure?.reason), "\(String(describing: failure))")
  }

  @Test func `an answer cut at any byte is none`() throws {
    let answer = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 7\r\n\r\npicture"
    let server = try ScriptedServer { asked in
      [.bytes(Array(answer.utf8.prefix(Int(asked.target.dropFirst()) ?? 0))), .close]
    }
    let engine = Fetching.engine(server) {
      $0.retries = 0
      $0.patience = 1000
    }
    for count in 0..<answer.utf8.count {
      let cut = engine.fetcher.get(server.url("/\(count)"))
      #expect([.connectionCut, .badAnswer].contains(cut?.failure?.reason), "\(count)")
    }
    #expect(engine.fetcher.get(server.url("/\(answer.utf8.count)"))?.text == "picture")
  }

  @Test func `a chunked answer cut at any byte is none`() throws {
    let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\npicture\r\n0\r\n\r\n"
    let server = try ScriptedServer { asked in
      [.bytes(Array(answer.utf8.prefix(Int(asked.target.dropFirst()) ?? 0))), .close]
    }
    let engine = Fetching.engine(server) {
      $0.retries = 0
      $0.patience = 1000
    }
    for count in 0..<(answer.utf8.count - 5) {
      let cut = engine.fetcher.get(server.url("/\(count)"))
      #expect([.connectionCut, .badAnswer].contains(cut?.failure?.reason), "\(count)")
    }
    #expect(engine.fetcher.get(server.url("/\(answer.utf8.count)"))?.text == "picture")
  }

  @Test func `who says nothing is not waited for`() throws {
    let start = ContinuousClock.now
    let (failure, requests) = try failure(.hold) {
      $0.slowTime = .seconds(1)
      $0.retries = 1
    }
    #expect(failure?.reason == .timeout)
    #expect(failure?.detail.contains("nothing came for 1 second") == true)
    #expect(requests == 2)
    #expect(ContinuousClock.now - start < .seconds(45))
  }

  /// N6: slow servers and silent ones end in time.
  @Test func `who says little is not waited for`() throws {
    let (failure, _) = try failure(
      .head("HTTP/1.1 200 OK\nContent-Length: 10000\n"),
      .drip(String(repeating: "x", count: 10_000), every: 0.05)
    ) {
      $0.slowTime = .seconds(1)
      $0.retries = 0
    }
    #expect(failure?.reason == .timeout)
    #expect(failure?.detail.contains("less than 1024 bytes a second") == true)
  }

  @Test func `all together has its time`() throws {
    let start = ContinuousClock.now
    let (failure, requests) = try failure(
      .head("HTTP/1.1 200 OK\nContent-Length: 100000\n"),
      .drip(String(repeating: "x", count: 100_000), every: 0.002)
    ) {
      $0.time = .seconds(2)
      $0.slowRate = 1
      $0.slowTime = .seconds(20)
      $0.retries = 10
    }
    #expect(failure?.reason == .timeout)
    #expect(failure?.detail.contains("not done within 2 seconds") == true)
    #expect(requests == 1)
    #expect(ContinuousClock.now - start < .seconds(45))
  }
}
