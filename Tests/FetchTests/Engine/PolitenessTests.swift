import Dispatch
import Fetch
import Files
import TestSupport
import Transfers

@Suite struct PolitenessTests {
  @Test func `at most four requests run per host, and sixteen in total`() throws {
    // The servers respond only once the limit is reached. Then each response starts a request.
    let gate = DispatchSemaphore(value: 0)
    let servers = try (0..<5).map { _ in
      try ScriptedServer { _ in
        gate.wait()
        return [.answer(text: "x")]
      }
    }
    let engine = Fetching.engine(Fetching.settings(servers.map(\.port)))
    let answers = Locked(0)
    for index in 0..<120 {
      let url = servers[index % 5].url("/\(index)")
      _ = engine.fetcher.begin(FetchRequest(url)) { answer in
        if answer.text == "x" { answers.withLock { $0 += 1 } }
      }
    }
    for answered in 0..<12 {
      #expect(eventually { servers.reduce(0) { $0 + $1.requests.count } == 16 + answered })
      gate.signal()
    }
    for _ in 12..<120 { gate.signal() }
    #expect(eventually { answers.withLock { $0 } == 120 })
    #expect(servers.allSatisfy { $0.mostRequests <= 4 })
    #expect(servers.contains { $0.mostRequests == 4 })
    #expect(servers.allSatisfy { $0.connections <= 4 })
  }

  @Test func `a paused request does not count towards the limits`() throws {
    let isServed = Locked(false)
    let wasServed = Locked<Bool?>(nil)
    let busy = try ScriptedServer { asked in
      guard asked.attempt == 1 else {
        wasServed.withLock { $0 = isServed.withLock(\.self) }
        return [.answer(text: "x")]
      }
      return [.answer(503, ["Retry-After": "5"])]
    }
    let other = try ScriptedServer { _ in [.answer(text: "x")] }
    let engine = Fetching.engine(
      Fetching.settings([busy.port, other.port]) {
        $0.overall = 1
        $0.perHost = 1
      })
    let first = Waiting()
    _ = engine.fetcher.begin(FetchRequest(busy.url())) { first.take($0) }
    #expect(eventually { busy.requests.count == 1 })
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
  func `requests are abandoned if the host keeps telling clients to wait`(status: Int) throws {
    let server = try ScriptedServer { _ in [.answer(status, ["Retry-After": "1"])] }
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

  @Test func `requests to a failing host are abandoned, and other requests continue`() throws {
    let dead = try ScriptedServer { _ in [.close] }
    let alive = try ScriptedServer { _ in [.answer(text: "x")] }
    let engine = Fetching.engine(
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
    #expect(dead.requests.count == 8)
  }

  @Test func `a 404 is not counted as a failure, and a success resets the count`() throws {
    let server = try ScriptedServer { asked in
      let number = Int(asked.target.dropFirst()) ?? 0
      if number < 20 { return [.answer(404)] }
      return [number % 8 == 7 ? .answer(text: "x") : .close]
    }
    let engine = Fetching.engine(server) { $0.retries = 0 }
    for index in 0..<60 {
      #expect(engine.fetcher.get(server.url("/\(index)"))?.failure?.reason != .hostGivenUp)
    }
  }

  /// F17: in a series of failed, offline and unmodified requests, each one gets a response.
  @Test func `every request in a mixed series gets a response`() throws {
    let server = try ScriptedServer { asked in
      switch asked.target {
      case "/there": [.answer(text: "x")]
      case "/same": [.answer(304)]
      case "/gone": [.answer(404)]
      case "/cut": [.close]
      case "/silent": [.hold]
      case "/loop": [.answer(302, ["Location": "/loop"])]
      default: [.answer(500)]
      }
    }
    let nobody = try ScriptedServer { _ in [] }.port
    let engine = Fetching.engine(
      Fetching.settings([server.port, nobody]) {
        $0.retries = 1
        $0.patience = 100
      })
    // Only the silent requests have a short timeout, because a busy machine delays the others.
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
