import Dispatch
import Fetch
import Files
import Foundation
import TestSupport
import Testing

@Suite struct PolitenessTests {
  @Test func `four at once to one host, sixteen to all`() {
    // Nobody is answered before as many are there as may be; then a moment for those who may not.
    let gate = DispatchSemaphore(value: 0)
    let servers = (0..<5).map { _ in
      TinyServer { _, line in
        gate.wait()
        line.answer(200, [], "x")
      }
    }
    let engine = FetchEngine(Fetching.settings(servers.map(\.port)))
    let answers = Guarded(0)
    for index in 0..<120 {
      let url = servers[index % 5].url("/\(index)")
      _ = engine.fetcher.begin(FetchRequest(url)) { answer in
        if answer.text == "x" { answers.withLock { $0 += 1 } }
      }
    }
    #expect(eventually { servers.reduce(0) { $0 + $1.running } == 16 })
    usleep(200_000)
    #expect(servers.reduce(0) { $0 + $1.running } == 16)
    for _ in 0..<120 { gate.signal() }
    #expect(eventually { answers.withLock { $0 } == 120 })
    #expect(servers.allSatisfy { $0.most <= 4 })
    #expect(servers.contains { $0.most == 4 })
    #expect(servers.allSatisfy { $0.connections <= 4 })
  }

  @Test func `who pauses holds no place`() {
    let isServed = Guarded(false)
    let wasServed = Guarded<Bool?>(nil)
    let busy = TinyServer { asked, line in
      if asked.turn == 1 {
        line.answer(503, ["Retry-After: 5"])
      } else {
        wasServed.withLock { $0 = isServed.withLock(\.self) }
        line.answer(200, [], "x")
      }
    }
    let other = TinyServer { _, line in line.answer(200, [], "x") }
    let engine = FetchEngine(
      Fetching.settings([busy.port, other.port]) {
        $0.overall = 1
        $0.perHost = 1
      })
    let first = Waiting()
    _ = engine.fetcher.begin(FetchRequest(busy.url())) { first.take($0) }
    #expect(eventually { busy.asked.count == 1 })
    let second = Waiting()
    _ = engine.fetcher.begin(FetchRequest(other.url())) { answer in
      isServed.withLock { $0 = true }
      second.take(answer)
    }
    #expect(second.answer()?.text == "x")
    #expect(first.answer()?.text == "x")
    #expect(wasServed.withLock(\.self) == true)
  }

  @Test(arguments: [429, 408, 503])
  func `a host that only ever puts off is given up`(status: Int) {
    let server = TinyServer { _, line in line.answer(status, ["Retry-After: 1"]) }
    let engine = Fetching.engine(server) {
      $0.time = .milliseconds(1500)
      $0.perHost = 4
    }
    let answers = (0..<60).map { _ in Waiting() }
    for (index, answer) in answers.enumerated() {
      _ = engine.fetcher.begin(FetchRequest(server.url("/\(index)"))) { answer.take($0) }
    }
    let reasons = answers.map { $0.answer()?.failure?.reason }
    #expect(reasons.allSatisfy { $0 == .serverFailed || $0 == .hostGivenUp })
    #expect(reasons.count { $0 == .hostGivenUp } > 20)
    #expect(engine.fetcher.get(server.url("/later"))?.failure?.reason == .hostGivenUp)
  }

  @Test func `a host that fails again and again is given up, others are not`() {
    let dead = TinyServer { _, line in line.hangUp() }
    let alive = TinyServer { _, line in line.answer(200, [], "x") }
    let engine = FetchEngine(
      Fetching.settings([dead.port, alive.port]) {
        $0.retries = 0
        $0.perHost = 1
      })
    let answers = (0..<40).map { _ in Waiting() }
    for (index, answer) in answers.enumerated() {
      _ = engine.fetcher.begin(FetchRequest(dead.url("/\(index)"))) { answer.take($0) }
    }
    let reasons = answers.map { $0.answer()?.failure?.reason }
    #expect(reasons.count { $0 == .connectionCut } == 8)
    #expect(reasons.count { $0 == .hostGivenUp } == 32)
    #expect(engine.fetcher.get(dead.url("/later"))?.failure?.reason == .hostGivenUp)
    #expect(engine.fetcher.get(alive.url())?.text == "x")
    #expect(dead.asked.count == 8)
  }

  @Test func `refusals do not tire, and one success makes good`() {
    let server = TinyServer { asked, line in
      let number = Int(asked.path.dropFirst()) ?? 0
      if number < 20 {
        line.answer(404)
      } else if number % 8 == 7 {
        line.answer(200, [], "x")
      } else {
        line.hangUp()
      }
    }
    let engine = Fetching.engine(server) { $0.retries = 0 }
    for index in 0..<60 {
      #expect(engine.fetcher.get(server.url("/\(index)"))?.failure?.reason != .hostGivenUp)
    }
  }

  /// F17: a serial chain of requests that fail, end, are offline or are not modified goes to its end: none is
  /// left without an answer.
  @Test func `every request of a chain ends, whatever becomes of it`() {
    let server = TinyServer { asked, line in
      switch asked.path {
      case "/there": line.answer(200, [], "x")
      case "/same": line.answer(304)
      case "/gone": line.answer(404)
      case "/cut": line.hangUp()
      case "/silent": line.waitForEnd()
      case "/loop": line.answer(302, ["Location: /loop"])
      default: line.answer(500)
      }
    }
    let nobody = TinyServer { _, _ in }.port
    let engine = FetchEngine(
      Fetching.settings([server.port, nobody]) {
        $0.retries = 1
        $0.patience = 100
      })
    // Silence costs a time that a busy machine needs for the others.
    let hasty = Fetching.engine(server) {
      $0.slowTime = .seconds(1)
      $0.retries = 1
    }
    let kept = Validators(etag: "\"a\"")
    let chain: [(String, Validators, FetchReason?)] = [
      (server.url("/there"), Validators(), nil), (server.url("/gone"), Validators(), .notFound),
      (server.url("/same"), kept, nil), (server.url("/cut"), Validators(), .connectionCut),
      ("http://127.0.0.1:\(nobody)/", Validators(), .connectionFailed),
      (server.url("/silent"), Validators(), .timeout),
      ("http://nobody.invalid/", Validators(), .hostNotFound),
      (server.url("/loop"), Validators(), .tooManyRedirects),
      (server.url("/error"), Validators(), .serverFailed), ("nonsense", Validators(), .badAddress),
      ("http://127.0.0.1:1/", Validators(), .portNotAllowed), (server.url("/there"), kept, nil),
    ]
    for (url, validators, reason) in chain {
      let answer = (reason == .timeout ? hasty : engine).fetcher.get(url, validators)
      #expect(answer != nil)
      #expect(answer?.failure?.reason == reason, "\(url)")
    }
  }
}
