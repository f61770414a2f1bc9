import Fetch
import TestSupport
import Transfers

@Suite struct OwnTimeTests {
  @Test(arguments: ["http", "https"])
  func `a request to a silent port fails within its time limit`(scheme: String) throws {
    let silent = try ScriptedServer { _ in [.hold] }
    let time = 4.0
    let engine = Fetching.engine(silent) {
      $0.time = .seconds(time)
      $0.connectTime = .seconds(2)
      $0.perHost = 8
      $0.retries = 10
      $0.patience = 100
    }
    let answers = (0..<8).map { _ in Waiting() }
    for (index, answer) in answers.enumerated() {
      let url = "\(scheme)://127.0.0.1:\(silent.port)/\(index)"
      _ = engine.fetcher.begin(FetchRequest(url)) { answer.take($0) }
    }
    for answer in answers {
      #expect(answer.answer()?.failure?.reason == .timeout)
      #expect((answer.answer()?.cost.seconds ?? 100) < 1.8 * time)
    }
  }

  /// The requests wait for twice their time limit in the queue, and then for a retry.
  @Test func `waiting in the queue does not count as request time`() throws {
    let second = try ScriptedServer { asked in
      let isRefused = asked.target == "/12" && asked.attempt == 1
      return [.pause(0.3), isRefused ? .answer(503, ["Retry-After": "1"]) : .answer(text: "x")]
    }
    let first = try ScriptedServer { asked in
      [.answer(302, ["Location": "\(second.url(asked.target))"])]
    }
    let engine = Fetching.engine(
      Fetching.settings([first.port, second.port]) {
        $0.perHost = 1
        $0.time = .seconds(3)
      })
    let answers = (0..<20).map { _ in Waiting() }
    for (index, answer) in answers.enumerated() {
      _ = engine.fetcher.begin(FetchRequest(first.url("/\(index)"))) { answer.take($0) }
    }
    for answer in answers { #expect(answer.answer()?.text == "x") }
    #expect(second.requests.count == 21)
    // The last response took longer than the time limit.
    #expect((answers[19].answer()?.cost.seconds ?? 0) > 3)
  }

  @Test func `waiting for a paused host counts as request time`() throws {
    let server = try ScriptedServer { _ in [.answer(503, ["Retry-After": "1"])] }
    let engine = Fetching.engine(server) {
      $0.time = .milliseconds(2500)
      $0.retries = 100
    }
    let answer = engine.fetcher.get(server.url())
    #expect(answer?.failure?.reason == .serverFailed)
    #expect((2...3).contains(server.requests.count))
  }
}
