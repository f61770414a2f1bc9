import Foundation
import Preview
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct EventTests {
  /// A page that listens: what it is told, message by message.
  final class Listener {
    let wire: Wire
    let head: String

    init(_ served: Served) throws {
      wire = try served.wire()
      wire.send(served.request("/-/events"))
      head = try #require(wire.text(through: "\r\n\r\n"))
    }

    /// The next message that has data; nil when none comes.
    func next(within time: Duration = .seconds(10)) throws -> [String: Any]? {
      while let text = piece(within: time) {
        guard text.hasPrefix("data: ") else { continue }
        let json = try JSONSerialization.jsonObject(with: Data(text.dropFirst(6).utf8))
        return try #require(json as? [String: Any])
      }
      return nil
    }

    /// Up to an empty line.
    ///
    /// Chunks may end anywhere, so they are put together again. Swift takes a line end for one letter.
    func piece(within time: Duration = .seconds(10)) -> String? {
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

  @Test func `a page is greeted, and then told everything in its order`() throws {
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
    let hello = try #require(try page.next())
    #expect(hello["type"] as? String == "hello")
    #expect(hello["revision"] as? Int == 1)
    let told = try #require((hello["problems"] as? [[String: Any]])?.first)
    #expect(told["severity"] as? String == "error")
    #expect(told["message"] as? String == problem.message)
    #expect(told["place"] as? String == "m.yaml:1:2")
    #expect(told["details"] as? [String] == ["why", "do"])

    let many = (0...1000).map { "\($0).html" }
    for event in [
      LiveEvent.swapped(["assets/a": "assets/b"]), .changed(["a/b.html", "index.html"]),
      .changed(many), .changed(Array(many.dropLast())), .failed([problem]), .mended,
    ] {
      served.live.send(event)
    }
    let messages = try (0..<6).map { _ in try #require(try page.next()) }
    #expect(messages.map { $0["revision"] as? Int } == [2, 3, 4, 5, 6, 7])
    #expect(
      messages.map { $0["type"] as? String }
        == ["swapped", "changed", "changed", "changed", "failed", "mended"])
    #expect(messages[0]["images"] as? [String: String] == ["assets/a": "assets/b"])
    #expect(messages[1]["paths"] as? [String] == ["a/b.html", "index.html"])
    #expect(messages[2]["paths"] is NSNull)
    #expect((messages[3]["paths"] as? [String])?.count == 1000)
    let later = try Listener(served)
    #expect((try later.next()?["problems"] as? [Any])?.isEmpty == true)
    #expect(try served.ask("/").text == served.injected(revision: 7))
  }

  @Test func `that anything may have changed is said without paths`() throws {
    let served = try Served()
    let page = try Listener(served)
    _ = try page.next()
    served.live.send(.changed(nil))
    served.live.send(.changed([]))
    #expect(try page.next()?["paths"] is NSNull)
    #expect((try page.next()?["paths"] as? [String])?.isEmpty == true)
  }

  @Test func `a server that was started later counts from a higher revision`() throws {
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

  @Test func `all pages are told the same in the same order`() throws {
    let served = try Served()
    let pages = try (0..<10).map { _ in try Listener(served) }
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<50 { served.live.send(.changed(["\(thread)-\(number).html"])) }
    }
    var first: [String] = []
    for page in pages {
      _ = try page.next()
      let told = try (0..<200).map { number in
        let message = try #require(try page.next())
        #expect(message["revision"] as? Int == number + 1)
        return try #require((message["paths"] as? [String])?.first)
      }
      if first.isEmpty { first = told }
      #expect(told == first)
    }
  }

  @Test
  func `a page that does not read is not waited for, and is greeted anew`()
    throws
  {
    let served = try Served()
    let slow = try Listener(served)
    let quick = try Listener(served)
    _ = try quick.next()
    let paths = (0..<900).map { "\($0)-" + String(repeating: "a", count: 100) }
    let start = ContinuousClock.now
    // More than the buffers of the connection hold.
    for _ in 0..<1000 {
      served.live.send(.changed(paths))
    }
    #expect(ContinuousClock.now - start < .seconds(20))
    served.live.send(.mended)
    var revisions: [Int] = []
    var hasSummary = false
    while revisions.last != 1001 {
      let message = try #require(try slow.next())
      revisions.append(try #require(message["revision"] as? Int))
      if revisions.count > 1, message["type"] as? String == "hello" { hasSummary = true }
    }
    #expect(hasSummary)
    #expect(revisions == revisions.sorted())
    #expect(revisions.count < 1001)
    #expect(try quick.next() != nil)
  }

  @Test(arguments: [true, false])
  func `whatever a page did not hear, it knows in the end what is wrong`(isMended: Bool) throws {
    let served = try Served()
    let problem = LiveProblem(severity: "error", message: "a")
    if isMended { served.live.send(.failed([problem])) }
    let slow = try Listener(served)
    let paths = (0..<900).map { "\($0)-" + String(repeating: "a", count: 100) }
    for _ in 0..<400 { served.live.send(.changed(paths)) }
    served.live.send(isMended ? .mended : .failed([problem]))
    for _ in 0..<400 { served.live.send(.changed(paths)) }
    served.live.send(.swapped(["assets/last": "assets/new"]))
    var problems: [String] = []
    var heard = 0
    while let message = try slow.next() {
      heard += 1
      if let told = message["problems"] as? [[String: Any]] {
        problems = told.compactMap { $0["message"] as? String }
      }
      if message["type"] as? String == "mended" { problems = [] }
      if message["type"] as? String == "swapped" { break }
    }
    #expect(heard < 700)
    #expect(problems == (isMended ? [] : ["a"]))
  }

  @Test func `who has closed his side and does not read makes room, too`() throws {
    var settings = PreviewSettings(port: 0)
    settings.streams = 1
    let served = try Served(settings)
    let slow = try Listener(served)
    let paths = (0..<900).map { "\($0)-" + String(repeating: "a", count: 100) }
    // More than the buffers of the connection hold.
    for _ in 0..<200 { served.live.send(.changed(paths)) }
    #expect(try served.ask("/-/events").status == 503)
    slow.wire.finish()
    #expect(try eventually { try served.wire().opens(served.request("/-/events")) })
  }

  // MARK: - Who may listen

  /// S5: a page of another site hears no events.
  @Test func `events are for pages of this server`() throws {
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
      // Files are told from each other by what browsers do with them.
      #expect(try served.ask("/a%20b.txt", headers).status == 200)
    }
  }

  @Test func `a silent stream shows that it lives`() throws {
    var settings = PreviewSettings(port: 0)
    settings.keepAlive = .milliseconds(100)
    settings.idleTime = .milliseconds(300)
    let served = try Served(settings)
    let page = try Listener(served)
    var pieces: [String] = []
    while pieces.count(where: { $0 == ": " }) < 8 {
      pieces.append(try #require(page.piece()))
    }
    served.live.send(.mended)
    #expect(try page.next()?["type"] as? String == "mended")
  }

  @Test func `there are only so many streams, and those who leave make room`() throws {
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
      _ = try page.next()
      #expect(try page.next()?["type"] as? String == "mended")
    }
  }

  @Test func `older browsers get events too`() throws {
    let served = try Served()
    let wire = try served.wire()
    wire.send("GET /-/events HTTP/1.0\r\nHost: \(served.host)\r\n\r\n")
    #expect(wire.text(through: "\"type\":\"hello\"}\n\n") != nil)
    served.live.send(.mended)
    #expect(wire.text(through: "\"type\":\"mended\"}\n\n") != nil)
    #expect(try served.ask("/-/events", method: "HEAD").status == 200)
  }
}

extension Wire {
  /// Whether a stream begins.
  fileprivate func opens(_ request: String) -> Bool {
    send(request)
    return text(through: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200") == true
  }
}
