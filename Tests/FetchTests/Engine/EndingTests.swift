import Dispatch
import Fetch
import TestSupport
import Transfers

@Suite struct EndingTests {
  @Test func `closing an engine ends all its requests immediately`() throws {
    let server = try ScriptedServer { _ in [.hold] }
    let engine = Fetching.engine(server)
    let answers = (0..<50).map { _ in Waiting() }
    for (index, answer) in answers.enumerated() {
      _ = engine.fetcher.begin(FetchRequest(server.url("/\(index)"))) { answer.take($0) }
    }
    #expect(eventually { server.requests.count == 4 })
    let start = ContinuousClock.now
    engine.close()
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(answers.allSatisfy { $0.count == 1 && $0.answer()?.failure?.reason == .cancelled })
    #expect(eventually { server.openConnections == 0 })
    engine.close()
    #expect(engine.fetcher.get(server.url())?.failure?.reason == .cancelled)
  }

  @Test func `an engine can be closed inside a callback or before its first request`() throws {
    Fetching.engine(FetchSettings()).close()
    let server = try ScriptedServer { _ in [.answer(text: "x")] }
    let engine = Fetching.engine(server)
    let waiting = Waiting()
    _ = engine.fetcher.begin(FetchRequest(server.url())) { answer in
      engine.close()
      waiting.take(answer)
    }
    #expect(waiting.answer()?.text == "x")
  }

  @Test func `every request in a list gets exactly one response`() throws {
    let server = try ScriptedServer { asked in
      if asked.target == "/13" { [.answer(404)] } else { [.answer(text: asked.target)] }
    }
    let requests = (0..<500).map { FetchRequest(server.url("/\($0)")) }
    var texts: [Int: String?] = [:]
    try Fetching.engine(server).fetcher.all(requests) { index, answer in
      #expect(texts[index] == nil)
      texts[index] = answer.text
    }
    #expect(texts.count == 500)
    for index in 0..<500 where index != 13 { #expect(texts[index] == "/\(index)") }
    #expect(server.requests.count == 500)
    #expect(server.connections <= 4)
  }

  @Test func `a batch of requests stops if it is cancelled or its receiver throws`() throws {
    let server = try ScriptedServer { asked in
      if asked.target == "/0" { [.answer(text: "x")] } else { [.hold] }
    }
    let requests = (0..<200).map { FetchRequest(server.url("/\($0)")) }
    let engine = Fetching.engine(server)
    var came = 0
    #expect(throws: CancellationError.self) {
      try engine.fetcher.all(requests, isCancelled: { came > 0 }, receive: { _, _ in came += 1 })
    }
    #expect(eventually { server.unfinished == 0 })
    struct Unwanted: Error {}
    #expect(throws: Unwanted.self) {
      try engine.fetcher.all(requests) { _, _ in throw Unwanted() }
    }
    #expect(eventually { server.unfinished == 0 })
    #expect(came == 1)
  }

  /// Runs in a child process, because parallel tests also open files.
  @Test func `a closed engine leaves no descriptors or threads behind`() async {
    await #expect(processExitsWith: .success) {
      try EndingTests.once()
      let before = EndingTests.count("fd")
      for _ in 0..<20 { try EndingTests.once() }
      let isClean = eventually { EndingTests.count("fd") <= before }
      precondition(isClean, "\(EndingTests.count("fd")) descriptors, before \(before)")
      precondition(eventually { !EndingTests.hasThread() })
    }
  }

  private static func once() throws {
    let server = try ScriptedServer { asked in
      if asked.target == "/never" { [.hold] } else { [.answer(text: "x")] }
    }
    let engine = Fetching.engine(server)
    precondition(engine.fetcher.get(server.url())?.text == "x")
    for _ in 0..<3 { _ = engine.fetcher.begin(FetchRequest(server.url("/never"))) { _ in } }
    _ = eventually { server.requests.count == 2 }
    engine.close()
  }

  private static func count(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? 0
  }

  private static func hasThread() -> Bool {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.contains {
      (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8))?
        .hasPrefix("sitegen.fetch") == true
    }
  }
}
