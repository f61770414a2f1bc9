import Dispatch
import Fetch
import Files
import TestSupport
import Transfers

@Suite struct JoiningTests {
  @Test func `requests with different validators do not share a fetch`() throws {
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

  @Test func `every caller gets its response, even while other threads cancel theirs`() throws {
    let server = try ScriptedServer { asked in [.answer(text: asked.target)] }
    let engine = Fetching.engine(server)
    let reported = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 400) { index in
      let path = "/\(index % 7)"
      let waiting = Waiting()
      let ticket = engine.fetcher.begin(FetchRequest(server.url(path))) { waiting.take($0) }
      if index % 3 == 0 {
        ticket()
      } else if waiting.answer()?.text == path {
        reported.withLock { $0 += 1 }
      }
    }
    #expect(reported.withLock { $0 } == (0..<400).count { $0 % 3 != 0 })
  }
}
