import Fetch
import Files
import TestSupport
import Transfers

struct CrowdTests {
  private func settings(_ servers: [ScriptedServer]) -> FetchSettings {
    var settings = FetchSettings()
    settings.time = .seconds(120)
    settings.connectTime = .seconds(60)
    settings.slowTime = .seconds(60)
    settings.policy.networks = ["127.0.0.1/32"]
    settings.policy.ports = servers.map(\.port)
    return settings
  }

  /// N14: each URL is requested once, with at most four parallel requests to a host.
  @Test func `concurrent requests for the same URL share one fetch`() throws {
    let server = try ScriptedServer { _ in [.pause(0.2), .answer(text: HostileServer.picture)] }
    let engine = Fetching.engine(settings([server]))
    defer { engine.close() }
    let answers = Locked<[FetchAnswer]>([])
    let tickets = (0..<1_000).map { _ in
      engine.fetcher.begin(FetchRequest(server.url("/a"))) { answer in
        answers.withLock { $0.append(answer) }
      }
    }
    #expect(eventually { answers.withLock(\.count) == 1_000 })
    #expect(answers.withLock(\.self).allSatisfy { $0.text == HostileServer.picture })
    // Requests that begin only after the first response share a second fetch.
    #expect(server.requests.count <= 2)
    withExtendedLifetime(tickets) {}
  }

  /// N14: a dead host does not delay other hosts.
  @Test func `a dead host is abandoned quickly and does not slow down other hosts`() throws {
    let good = try ScriptedServer { [.answer(text: $0.target)] }
    let dead = try ScriptedServer(greeting: [.hold]) { _ in [] }
    // Only silent connections time out quickly; the good host has the usual time limit.
    var settings = settings([good, dead])
    settings.slowTime = .seconds(3)
    settings.backOff = .milliseconds(10)
    settings.retries = 1
    let engine = Fetching.engine(settings)
    defer { engine.close() }
    let start = ContinuousClock.now
    let ends = Locked<[(isGood: Bool, answer: FetchAnswer, time: Duration)]>([])
    let tickets = (0..<800).map { number in
      let isGood = number % 4 == 3
      return engine.fetcher.begin(FetchRequest((isGood ? good : dead).url("/\(number)"))) {
        answer in
        let time = ContinuousClock.now - start
        ends.withLock { $0.append((isGood, answer, time)) }
      }
    }
    #expect(eventually { ends.withLock(\.count) == 800 })
    let (served, lost) = ends.withLock { ends in
      (ends.filter(\.isGood), ends.filter { !$0.isGood })
    }
    #expect(served.allSatisfy { $0.answer.text != nil })
    let reasons = lost.map { $0.answer.failure?.reason }
    #expect(reasons.allSatisfy { $0 == .timeout || $0 == .hostGivenUp })
    #expect(reasons.count { $0 == .hostGivenUp } > 500)
    // Sequential requests would take an hour.
    let last = lost.map(\.time).max() ?? .zero
    #expect(last < .seconds(50))
    #expect(served.map(\.time).max() ?? .zero < last)
    withExtendedLifetime(tickets) {}
  }

  @Test func `a dead host at the start of a list does not block other hosts`() throws {
    let good = try ScriptedServer { [.answer(text: $0.target)] }
    let dead = try ScriptedServer(greeting: [.hold]) { _ in [] }
    var settings = settings([good, dead])
    settings.slowTime = .seconds(8)
    settings.retries = 0
    let engine = Fetching.engine(settings)
    defer { engine.close() }
    let requests = (0..<600).map { FetchRequest(($0 < 200 ? dead : good).url("/\($0)")) }
    var order: [Int] = []
    var isGood: [Bool] = []
    try engine.fetcher.all(requests) { index, answer in
      order.append(index)
      isGood.append(answer.text != nil)
    }
    #expect(order.sorted() == Array(0..<600))
    #expect(isGood == order.map { $0 >= 200 })
    // Of the first 256 requests, 56 are for the good host, and end before any of the others.
    #expect(isGood.prefix(56).allSatisfy { $0 })
  }

  /// G26: if 4 of 5 waiters leave, the fetch continues; if all 5 leave, it is cancelled.
  @Test(arguments: [4, 5])
  func `a fetch continues until its last caller cancels it`(leaving: Int) throws {
    let gate = Locked(false)
    let server = try ScriptedServer { _ in
      [.head("HTTP/1.1 200 OK\nContent-Length: 10\n"), .send("begun")]
        + (leaving == 5
          ? [.hold] : (eventually { gate.withLock(\.self) } ? [.send(" done")] : []))
    }
    let engine = Fetching.engine(settings([server]))
    defer { engine.close() }
    let reported = Locked<[String?]>([])
    let tickets = (0..<5).map { _ in
      engine.fetcher.begin(FetchRequest(server.url("/a"))) { answer in
        reported.withLock { $0.append(answer.text) }
      }
    }
    #expect(eventually { server.requests.count == 1 })
    for ticket in tickets.prefix(leaving) { ticket() }
    gate.withLock { $0 = true }
    if leaving == 5 {
      #expect(server.isAbandoned())
    } else {
      #expect(eventually { reported.withLock(\.count) == 1 })
    }
    #expect(reported.withLock(\.self) == (leaving == 5 ? [] : ["begun done"]))
    #expect(server.requests.count == 1 && server.connections == 1)
  }
}
