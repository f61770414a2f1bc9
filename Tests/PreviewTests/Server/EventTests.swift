import Preview
import TestSupport

@Suite(.timeLimit(.minutes(15))) struct EventTests {
  /// A page's event stream.
  final class Listener {
    let wire: Wire
    let head: String

    init(_ served: Served) throws {
      wire = try served.wire()
      wire.send(served.request("/-/events"))
      head = try #require(wire.text(through: "\r\n\r\n"))
    }

    /// Returns the next message with data, or nil on timeout.
    func next(within time: Duration = .seconds(60)) throws -> [String: Any]? {
      while let text = piece(within: time) {
        let lines = text.split(separator: "\n")
        guard let data = lines.first(where: { $0.hasPrefix("data: ") }) else { continue }
        let json = try JSONSerialization.jsonObject(with: Data(data.dropFirst(6).utf8))
        return try #require(json as? [String: Any])
      }
      return nil
    }

    /// Returns text up to an empty line.
    ///
    /// Chunks may end anywhere, so they are joined. Swift treats CR LF as one character.
    func piece(within time: Duration = .seconds(60)) -> String? {
      while true {
        if let end = text.range(of: "\n\n") {
          defer { text.removeSubrange(..<end.upperBound) }
          return String(text[..<end.lowerBound])
        }
        guard let size = wire.text(through: "\r\n", within: time),
          let count = Int(size.dropLast(), radix: 16), count > 0
        else { return nil }
        text += String(decoding: wire.bytes(count), as: UTF8.self)
        _ = wire.bytes(2)
      }
    }

    private var text = ""
  }

  @Test func `a page receives the current state and then every update`() throws {
    let served = try Served()
    let problem = LiveProblem(
      severity: "error", message: "a \"b\"\n\u{2028}ü", place: "m.yaml:1:2", details: ["why", "do"])
    served.live.send(.failed([problem]))
    let page = try Listener(served)
    #expect(page.head.contains("HTTP/1.1 200 OK\r\n"))
    #expect(page.head.contains("Content-Type: text/event-stream"))
    #expect(page.head.contains("Cache-Control: no-store\r\n"))
    for name in [
      "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
      "Cross-Origin-Resource-Policy: same-origin", "Content-Security-Policy: default-src 'self'",
    ] {
      #expect(page.head.contains("\r\n" + name), "\(name)")
    }
    let first = try #require(try page.next())
    #expect(first["revision"] as? Int == 1)
    #expect(first.keys.sorted() == ["isBuilt", "problems", "revision"])
    #expect(first["isBuilt"] as? Bool == false)
    let reported = try #require((first["problems"] as? [[String: Any]])?.first)
    #expect(reported["severity"] as? String == "error")
    #expect(reported["message"] as? String == problem.message)
    #expect(reported["place"] as? String == "m.yaml:1:2")
    #expect(reported["details"] as? [String] == ["why", "do"])

    func next(after update: LiveUpdate) throws -> [String: Any] {
      served.live.send(update)
      return try #require(try page.next())
    }
    let many = (0...1000).map { "\($0).html" }
    let paths = try next(after: .changed(["a/b.html", "index.html"]))
    #expect(paths["paths"] as? [String] == ["a/b.html", "index.html"])
    #expect(paths["isBuilt"] as? Bool == true)
    #expect(try next(after: .changed(many))["paths"] is NSNull)
    #expect(try next(after: .changed(nil))["paths"] is NSNull)
    #expect((try next(after: .changed(many.dropLast()))["paths"] as? [String])?.count == 1000)
    #expect((try next(after: .failed([problem]))["problems"] as? [Any])?.count == 1)
    #expect((try next(after: .flawed([problem]))["isBuilt"] as? Bool) == true)
    let last = try next(after: .mended)
    #expect(last["revision"] as? Int == 8)
    #expect((last["problems"] as? [Any])?.isEmpty == true)
    #expect((try Listener(served).next()?["problems"] as? [Any])?.isEmpty == true)
    #expect(try served.ask("/").text == served.injected(revision: 8))
  }

  @Test func `a restarted server starts with a higher revision number`() throws {
    let before = Int(Date().timeIntervalSince1970 * 1000)
    let live = LiveChannel()
    let served = try Served(live: live)
    let first = try #require(try Listener(served).next()?["revision"] as? Int)
    #expect(first >= before)
    #expect(first <= Int(Date().timeIntervalSince1970 * 1000))
    for _ in 0..<5 { live.send(.mended) }
    #expect(eventually { Int(Date().timeIntervalSince1970 * 1000) > first + 5 })
    let next = try Served(live: LiveChannel())
    let second = try #require(try Listener(next).next()?["revision"] as? Int)
    #expect(second > first + 5)
    #expect(try next.ask("/").text == next.injected(revision: second))
  }

  @Test func `every page receives all paths from parallel updates`() throws {
    let served = try Served()
    let pages = try (0..<10).map { _ in try Listener(served) }
    for page in pages { _ = try page.next() }
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<50 { served.live.send(.changed(["\(thread)-\(number).html"])) }
    }
    let all = Set((0..<4).flatMap { thread in (0..<50).map { "\(thread)-\($0).html" } })
    for page in pages {
      var paths: Set<String> = []
      var revision = 0
      while revision < 200 {
        let message = try #require(try page.next())
        #expect(try #require(message["revision"] as? Int) > revision)
        revision = try #require(message["revision"] as? Int)
        paths.formUnion(try #require(message["paths"] as? [String]))
      }
      #expect(paths == all)
    }
  }

  @Test(arguments: [true, false])
  func `a page that stops reading is skipped and later receives one summary`(
    isMended: Bool
  ) throws {
    let served = try Served()
    let problem = LiveProblem(severity: "error", message: "a")
    let slow = try Listener(served)
    let paths = (0..<900).map { "\($0)-" + String(repeating: "a", count: 100) }
    let start = ContinuousClock.now
    // The events are larger than the connection's buffers.
    for _ in 0..<1000 { served.live.send(.changed(paths)) }
    served.live.send(isMended ? .mended : .failed([problem]))
    #expect(ContinuousClock.now - start < .seconds(60))
    var revisions: [Int] = []
    var problems = 0
    while revisions.last != 1001 {
      let message = try #require(try slow.next())
      revisions.append(try #require(message["revision"] as? Int))
      problems = (message["problems"] as? [Any])?.count ?? 0
    }
    #expect(revisions == revisions.sorted())
    #expect(revisions.count < 1001)
    #expect(problems == (isMended ? 0 : 1))
  }

  /// S5: pages from other sites get no events.
  @Test func `only pages from this server receive events`() throws {
    let served = try Served()
    let port = served.port
    for (headers, isHeard) in [
      ([], true), (["Sec-Fetch-Site: same-origin"], true), (["Sec-Fetch-Site: none"], true),
      (["Origin: http://127.0.0.1:\(port)"], true), (["Origin: http://localhost:\(port)"], true),
      (["Sec-Fetch-Site: cross-site"], false), (["Sec-Fetch-Site: same-site"], false),
      (["Sec-Fetch-Site: "], false),
      (["Sec-Fetch-Site: same-origin", "sec-fetch-site: cross-site"], false),
      (["Origin: http://evil.example"], false), (["Origin: null"], false),
      (["Origin: http://127.0.0.1:1"], false), (["Origin: https://127.0.0.1:\(port)"], false),
      (["Origin: http://127.0.0.1:\(port)/"], false),
      (["Origin: http://evil.example", "Sec-Fetch-Site: same-origin"], false),
      (["Origin: http://127.0.0.1:\(port)", "Origin: http://evil.example"], false),
    ] {
      let head = try served.ask("/-/events", headers, method: "HEAD")
      #expect(head.status == (isHeard ? 200 : 403), "\(headers)")
      let wire = try served.wire()
      wire.send(served.request("/-/events", headers))
      let answer = try #require(wire.text(through: "\r\n"))
      #expect(answer.contains(isHeard ? " 200 " : " 403 "), "\(headers)")
      // Browsers enforce the origin for files.
      #expect(try served.ask("/a%20b.txt", headers).status == 200)
    }
  }

  @Test func `an idle stream sends keep-alive messages`() throws {
    var settings = PreviewSettings(port: 0)
    settings.keepAlive = .milliseconds(100)
    settings.idleTime = .seconds(1)
    let served = try Served(settings)
    let page = try Listener(served)
    var pieces: [String] = []
    while pieces.count(where: { $0 == ": " }) < 8 {
      pieces.append(try #require(page.piece()))
    }
    served.live.send(.mended)
    #expect(try page.next()?["revision"] as? Int == 1)
  }

  @Test func `the number of streams is limited, and closing one frees its slot`() throws {
    var settings = PreviewSettings(port: 0)
    settings.streams = 4
    let served = try Served(settings)
    var pages = try (0..<4).map { _ in try Listener(served) }
    #expect(try served.ask("/-/events").status == 503)
    #expect(try served.ask("/").status == 200)
    pages.removeFirst()
    #expect(try eventually { try served.wire().opens(served.request("/-/events")) })
    served.live.send(.mended)
    for page in pages {
      var revision = 0
      while revision < 1 { revision = try #require(try page.next()?["revision"] as? Int) }
    }
  }

  @Test func `HTTP/1.0 clients also receive events`() throws {
    let served = try Served()
    let wire = try served.wire()
    wire.send("GET /-/events HTTP/1.0\r\nHost: \(served.host)\r\n\r\n")
    #expect(wire.text(through: "\"revision\":0}\n\n") != nil)
    served.live.send(.mended)
    #expect(wire.text(through: "\"revision\":1}\n\n") != nil)
    #expect(try served.ask("/-/events", method: "HEAD").status == 200)
  }
}

extension Wire {
  fileprivate func opens(_ request: String) -> Bool {
    send(request)
    return text(through: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200") == true
  }
}
