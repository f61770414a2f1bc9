import Fetch
import TestSupport
import Testing
import Transfers

@Suite struct StartTests {
  @Test func `a request that libcurl refuses to start fails alone`() throws {
    let server = try ScriptedServer { [.answer(text: $0.target)] }
    let engine = FetchEngine(
      Fetching.settings([server.port]), canStart: { !$0.hasSuffix("/refused") })
    for _ in 0..<10 {
      let refused = engine.fetcher.get(server.url("/refused"))?.failure
      #expect(refused?.reason == .notStarted)
      #expect(refused?.detail == "127.0.0.1:\(server.port): this machine cannot start a request")
      // The refused ones hold no slot, and say nothing about the host.
      #expect(engine.fetcher.get(server.url("/picture"))?.text == "/picture")
    }
  }
}
