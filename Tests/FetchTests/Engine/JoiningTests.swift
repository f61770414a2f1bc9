import Dispatch
import Fetch
import Files
import TestSupport
import Testing
import Transfers

@Suite struct JoiningTests {
  /// G26: ref-counted single-flight: 5 waiters, cancel 4 → still 1 fetch and 1 result; cancel 5 → aborted.
  @Test func `five ask for the same, four leave, one is told`() throws {
    let gate = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { _ in
      gate.wait()
      return [.answer(text: "x")]
    }
    let engine = Fetching.engine(server)
    let answers = (0..<5).map { _ in Waiting() }
    let tickets = answers.map { answer in
      engine.fetcher.begin(FetchRequest(server.url())) { answer.take($0) }
    }
    #expect(eventually { server.requests.count == 1 })
    for ticket in tickets.dropLast() { ticket.cancel() }
    gate.signal()
    #expect(answers[4].answer()?.text == "x")
    #expect(answers.dropLast().allSatisfy { $0.count == 0 })
    #expect(server.requests.count == 1)
    gate.signal()
    #expect(engine.fetcher.get(server.url())?.text == "x")
    #expect(server.requests.count == 2)
  }

  /// G26: cancel 5 → aborted.
  @Test func `five ask for the same, all leave, the server sees the connection end`() throws {
    let server = try ScriptedServer { _ in
      [.head("HTTP/1.1 200 OK\nContent-Length: 10\n"), .send("abc"), .hold]
    }
    let other = try ScriptedServer { _ in [.answer(text: "x")] }
    let engine = Fetching.engine(Fetching.settings([server.port, other.port]))
    let answers = (0..<5).map { _ in Waiting() }
    let tickets = answers.map { answer in
      engine.fetcher.begin(FetchRequest(server.url())) { answer.take($0) }
    }
    #expect(eventually { server.requests.count == 1 })
    for ticket in tickets.dropLast() { ticket.cancel() }
    // The engine has seen to the four when it has answered another request.
    #expect(engine.fetcher.get(other.url())?.text == "x")
    #expect(server.abandoned == 0)
    tickets[4].cancel()
    #expect(server.isAbandoned())
    #expect(answers.allSatisfy { $0.count == 0 })
  }

  @Test func `different validators are different requests`() throws {
    let server = try ScriptedServer { asked in
      [.pause(0.02), .answer(text: asked["if-none-match"] ?? "none")]
    }
    let engine = Fetching.engine(server)
    let answers = [Waiting(), Waiting()]
    _ = engine.fetcher.begin(FetchRequest(server.url())) { answers[0].take($0) }
    _ = engine.fetcher.begin(
      FetchRequest(server.url(), validators: Validators(etag: "\"a\""))
    ) { answers[1].take($0) }
    #expect(answers[0].answer()?.text == "none")
    #expect(answers[1].answer()?.text == "\"a\"")
  }

  @Test func `many threads that join and leave lose nothing`() throws {
    let server = try ScriptedServer { asked in [.answer(text: asked.target)] }
    let engine = Fetching.engine(server)
    let told = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 400) { index in
      let path = "/\(index % 7)"
      let waiting = Waiting()
      let ticket = engine.fetcher.begin(FetchRequest(server.url(path))) { waiting.take($0) }
      if index % 3 == 0 {
        ticket.cancel()
      } else if waiting.answer()?.text == path {
        told.withLock { $0 += 1 }
      }
    }
    #expect(told.withLock { $0 } == (0..<400).count { $0 % 3 != 0 })
  }
}
