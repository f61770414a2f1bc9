import Fetch
import TestSupport
import Transfers

@Suite struct LimitTests {
  /// Returns the failure after one scripted response, and the number of requests.
  private func failure(
    _ steps: ScriptedServer.Step..., change: (inout FetchSettings) -> Void = { _ in }
  ) throws -> (FetchFailure?, requests: Int) {
    let server = try ScriptedServer { _ in steps }
    let answer = Fetching.engine(server, change).fetcher.get(server.url())
    return (answer?.failure, server.requests.count)
  }

  /// N7: bodies that are too long, truncated or malformed are failures.
  @Test func `an endless body is rejected`() throws {
    for head in ["Content-Type: image/png", "Transfer-Encoding: chunked"] {
      let (failure, requests) = try failure(
        .head("HTTP/1.1 200 OK\n\(head)\n"),
        .forever("10000\r\n" + String(repeating: "A", count: 0x10000) + "\r\n")
      ) { $0.bytes = 3 << 20 }
      #expect(failure?.reason == .tooManyBytes)
      #expect(failure?.detail.contains("3 MiB") == true)
      #expect(requests == 1)
    }
  }

  @Test func `a silent server times out`() throws {
    let start = ContinuousClock.now
    let (failure, requests) = try failure(.hold) {
      $0.slowTime = .seconds(1)
      $0.retries = 1
    }
    #expect(failure?.reason == .timeout)
    #expect(failure?.detail.contains("no data received for 1 second") == true)
    #expect(requests == 2)
    #expect(ContinuousClock.now - start < .seconds(45))
  }

  /// N6: slow and silent servers time out.
  @Test func `a slow server times out`() throws {
    let (failure, _) = try failure(
      .head("HTTP/1.1 200 OK\nContent-Length: 10000\n"),
      .drip(String(repeating: "x", count: 10_000), every: 0.05)
    ) {
      $0.slowTime = .seconds(1)
      $0.retries = 0
    }
    #expect(failure?.reason == .timeout)
    #expect(failure?.detail.contains("under 1024 bytes per second") == true)
  }

  @Test func `a request has a total time limit`() throws {
    let start = ContinuousClock.now
    let (failure, requests) = try failure(
      .head("HTTP/1.1 200 OK\nContent-Length: 100000\n"),
      .drip(String(repeating: "x", count: 100_000), every: 0.002)
    ) {
      $0.time = .seconds(2)
      $0.slowRate = 1
      $0.slowTime = .seconds(20)
      $0.retries = 10
    }
    #expect(failure?.reason == .timeout)
    #expect(failure?.detail.contains("not finished within 2 seconds") == true)
    #expect(requests == 1)
    #expect(ContinuousClock.now - start < .seconds(45))
  }
}
