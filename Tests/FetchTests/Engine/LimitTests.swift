import Fetch
import Files
import Foundation
import TestSupport
import Testing

@Suite struct LimitTests {
  /// What one answer of a server comes to.
  private func failure(
    _ change: (inout FetchSettings) -> Void = { _ in },
    _ answer: @escaping @Sendable (TinyServer.Line) -> Void
  ) -> (FetchFailure?, requests: Int) {
    let server = TinyServer { _, line in answer(line) }
    let answer = Fetching.engine(server, change).fetcher.get(server.url())
    return (answer?.failure, server.asked.count)
  }

  @Test func `a body without an end`() {
    for head in ["Content-Type: image/png", "Transfer-Encoding: chunked"] {
      let (failure, requests) = failure(
        { $0.bytes = 3 << 20 },
        { line in
          line.send("HTTP/1.1 200 OK\r\n\(head)\r\n\r\n")
          let chunk = Array("10000\r\n".utf8) + Array(repeating: 65, count: 0x10000) + [13, 10]
          while line.send(chunk) {}
          line.hangUp()
        })
      #expect(failure?.reason == .tooManyBytes)
      #expect(failure?.detail.contains("3 MiB") == true)
      #expect(requests == 1)
    }
  }

  @Test func `a body that says that it is too large is not begun`() {
    let (failure, requests) = failure { line in
      line.send("HTTP/1.1 200 OK\r\nContent-Length: \((32 << 20) + 1)\r\n\r\n")
      line.waitForEnd()
    }
    #expect(failure?.reason == .tooManyBytes)
    #expect(requests == 1)
  }

  @Test(arguments: [
    "gzip", "br", "zstd", "deflate", "x-gzip", "gzip, gzip", "identity, gzip", "nonsense",
  ])
  func `an encoded body is refused`(encoding: String) {
    for field in ["Content-Encoding", "Transfer-Encoding"] {
      let (failure, requests) = failure { line in
        line.send("HTTP/1.1 200 OK\r\n\(field): \(encoding)\r\n\r\n0\r\n\r\n")
        line.hangUp()
      }
      #expect([.encodedBody, .badAnswer].contains(failure?.reason), "\(field)")
      #expect(field == "Transfer-Encoding" || failure?.reason == .encodedBody)
      #expect(requests == 1)
    }
  }

  @Test func `an identity is no encoding`() {
    let server = TinyServer { _, line in line.answer(200, ["Content-Encoding: Identity"], "x") }
    #expect(Fetching.engine(server).fetcher.get(server.url())?.text == "x")
  }

  @Test func `too many header lines, and too long ones`() {
    let flood = failure { line in
      line.send("HTTP/1.1 200 OK\r\n")
      for index in 0..<100_000 where !line.send("X-\(index): words\r\n") { break }
      line.waitForEnd()
    }
    #expect(flood.0?.reason == .badAnswer)
    #expect(flood.0?.detail.contains("64 KiB") == true)
    #expect(flood.requests == 1)
    for count in [70_000, 2 << 20] {
      let long = failure { line in
        line.send("HTTP/1.1 200 OK\r\nX-Long: " + String(repeating: "a", count: count) + "\r\n\r\n")
        line.waitForEnd()
      }
      #expect(long.0?.reason == .badAnswer, "\(count): \(String(describing: long.0))")
      #expect(long.requests == 1)
    }
    let interim = failure { line in
      while line.send("HTTP/1.1 103 Early\r\nLink: x\r\n\r\n") {}
      line.hangUp()
    }
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
  ]) func `what is no HTTP is no answer`(text: String) {
    let (failure, _) = failure { line in
      line.send(text)
      line.hangUp()
    }
    #expect(
      [.badAnswer, .connectionCut].contains(failure?.reason), "\(String(describing: failure))")
  }

  @Test func `an answer cut at any byte is none`() {
    let answer = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 7\r\n\r\npicture"
    let server = TinyServer { asked, line in
      let count = Int(asked.path.dropFirst()) ?? 0
      line.send(answer.utf8.prefix(count))
      line.hangUp()
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

  @Test func `a chunked answer cut at any byte is none`() {
    let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\npicture\r\n0\r\n\r\n"
    let server = TinyServer { asked, line in
      line.send(answer.utf8.prefix(Int(asked.path.dropFirst()) ?? 0))
      line.hangUp()
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

  @Test func `who says nothing is not waited for`() {
    let start = ContinuousClock.now
    let (failure, requests) = failure(
      {
        $0.slowTime = .seconds(1)
        $0.retries = 1
      }, { line in line.waitForEnd() })
    #expect(failure?.reason == .timeout)
    #expect(failure?.detail.contains("nothing came for 1 second") == true)
    #expect(requests == 2)
    #expect(ContinuousClock.now - start < .seconds(45))
  }

  @Test func `who says little is not waited for`() {
    let (failure, _) = failure(
      {
        $0.slowTime = .seconds(1)
        $0.retries = 0
      },
      { line in
        line.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while line.send("x") { usleep(50_000) }
      })
    #expect(failure?.reason == .timeout)
    #expect(failure?.detail.contains("less than 1024 bytes a second") == true)
  }

  @Test func `all together has its time`() {
    let start = ContinuousClock.now
    let (failure, requests) = failure(
      {
        $0.time = .seconds(2)
        $0.slowRate = 1
        $0.slowTime = .seconds(20)
        $0.retries = 10
      },
      { line in
        line.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while line.send("xxxxxxxxxx") { usleep(20_000) }
      })
    #expect(failure?.reason == .timeout)
    #expect(failure?.detail.contains("not done within 2 seconds") == true)
    #expect(requests == 1)
    #expect(ContinuousClock.now - start < .seconds(45))
  }
}
