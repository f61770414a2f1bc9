import Fetch
import Files
import Glibc
import TestSupport

@Suite struct FetcherLimitTests {
  /// Starts requests, and returns an object for each that waits for the response.
  private static func begin(_ count: Int, _ child: ChildFetcher) -> [Waiting] {
    (1...count).map { number in
      let waiting = Waiting()
      _ = child.fetcher.begin(FetchRequest("http://a/\(number)")) { waiting.take($0) }
      return waiting
    }
  }

  @Sendable private static func hasty(_ settings: inout FetchSettings) {
    settings.time = .seconds(1)
    settings.margin = .zero
  }

  /// An occasional response does not extend the time limit of other requests.
  @Test func `a fetcher that responds too slowly is stopped`() throws {
    let folder = TemporaryFolder()
    let answers = (1...8).map { FakeFetcher.answer($0, FakeFetcher.failed()) }
    let child = try FakeFetcher.child(saying: answers, every: 1.4, in: folder, Self.hasty)
    let reasons = Self.begin(8, child).map { $0.answer()?.failure?.reason }
    #expect(reasons.first == .notFound && reasons.last == .notStarted)
  }

  /// Four requests, the limit for one host, run in parallel and use all their time.
  @Test func `a fetcher that waits for slow servers is not stopped`() throws {
    let folder = TemporaryFolder()
    let answers = (0..<6).map { turn in
      (1...4).flatMap { FakeFetcher.answer(turn * 4 + $0, FakeFetcher.failed()) }
    }
    let child = try FakeFetcher.child(saying: answers, every: 1, in: folder, Self.hasty)
    for waiting in Self.begin(24, child) { #expect(waiting.answer()?.failure?.reason == .notFound) }
  }

  /// Each body is within its limit, but there are more bodies than parallel requests.
  @Test func `a fetcher that sends too many partial bodies is stopped`() throws {
    let folder = TemporaryFolder()
    let part = [UInt8](repeating: 0, count: 60_000)
    func answers(_ count: Int) throws -> [FetchReason?] {
      let says =
        (1...count).flatMap { FakeFetcher.piece($0, part) }
        + (1...count).flatMap { FakeFetcher.fetched($0, [1], isFirst: false) }
      let child = try FakeFetcher.child(saying: [says], every: 1, in: folder) {
        ($0.bytes, $0.overall, $0.spool) = (90_000, 4, folder.path)
      }
      return Self.begin(count, child).map { $0.answer()?.failure?.reason }
    }
    #expect(try answers(6).allSatisfy { $0 == nil })
    #expect(try answers(7).allSatisfy { $0 == .notStarted })
  }

  /// Partial bodies from failed attempts do not count towards the limit.
  @Test func `a partial body is dropped before a retry`() throws {
    let folder = TemporaryFolder()
    let half = String(repeating: "x", count: 400_000)
    let server = try ScriptedServer { asked in
      asked.attempt == 1
        ? [.head("HTTP/1.1 200 OK\nContent-Length: 500000\n"), .send(half), .close]
        : [.answer(text: "whole")]
    }
    let child = ChildFetcherTests.child(server) {
      ($0.bytes, $0.overall, $0.spool) = (500_000, 1, folder.path)
    }
    let answers = (1...4).map { number in
      let waiting = Waiting()
      _ = child.fetcher.begin(FetchRequest(server.url("/\(number)"))) { waiting.take($0) }
      return waiting
    }
    for answer in answers { #expect(answer.answer()?.text == "whole") }
  }

  @Test func `settings that exceed the message size limit are reported`() throws {
    let server = try ScriptedServer { _ in [.answer(text: "x")] }
    let child = ChildFetcherTests.child(server) {
      $0.userAgent = String(repeating: "a", count: 1 << 20)
    }
    let failure = child.fetcher.get(server.url())?.failure
    #expect(failure?.reason == .notStarted)
    #expect(failure?.detail == "`network` in the manifest exceeds 1 MiB")
    #expect(child.processID == nil)
  }

  /// These limits stop a compromised fetcher that outlives its build.
  @Test func `a fetcher has limits on CPU time, memory and file size`() throws {
    let server = try ScriptedServer { _ in [.answer(text: "x")] }
    let child = ChildFetcherTests.child(server)
    #expect(child.fetcher.get(server.url())?.text == "x")
    let process = try #require(child.processID)
    let text = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
    let limits = text.split(separator: "\n").map {
      $0.split(separator: " ", omittingEmptySubsequences: true)
    }
    for (name, value) in [
      ("Max cpu time", 3_600), ("Max address space", 4 << 30), ("Max file size", 0),
      ("Max core file size", 0),
    ] {
      let words = name.split(separator: " ")
      let line = limits.first { $0.starts(with: words) }
      #expect(
        line?.dropFirst(words.count).prefix(2).elementsEqual(["\(value)", "\(value)"]) == true,
        "\(name)")
    }
  }
}
