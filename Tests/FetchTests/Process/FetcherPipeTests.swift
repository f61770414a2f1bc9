import Fetch
import Files
import Glibc
import TestSupport

@Suite struct FetcherPipeTests {
  /// Returns a program that sends bytes and then falls silent.
  private static func child(
    saying bytes: [UInt8], in folder: TemporaryFolder,
    _ change: (inout FetchSettings) -> Void = { _ in }
  ) throws -> ChildFetcher {
    try FakeFetcher.child(saying: [bytes], in: folder, change)
  }

  private static func frame(_ json: String) -> [UInt8] { FakeFetcher.answer(1, json) }

  private static func failed(
    _ detail: String = "x", reason: String = "not-found", status: String = "404",
    seconds: String = "1", hosts: [String] = ["a"], bytes: String = "1"
  ) -> String {
    let part = #"{"requests":1,"retries":0,"reused":0,"bytes":\#(bytes)}"#
    return FakeFetcher.failed(
      detail, reason: reason, status: status, seconds: seconds,
      hosts: hosts.map { #""\#($0)":\#(part)"# }.joined(separator: ","))
  }

  @Test func `a valid response is accepted`() throws {
    let folder = TemporaryFolder()
    let child = try Self.child(saying: Self.frame(Self.failed()), in: folder)
    let answer = child.fetcher.get("http://a/")
    #expect(answer?.failure?.reason == .notFound && answer?.failure?.detail == "x")
    #expect(answer?.total.bytes == 1)
  }

  /// Numbers that would trap, text that would forge log lines, and reasons a fetcher must not use.
  @Test(arguments: [
    failed(seconds: "1e300"), failed(seconds: "-1"), failed(bytes: "9223372036854775807"),
    failed(bytes: "-1"), failed(bytes: "1e400"), failed(status: "-9223372036854775808"),
    failed(#"a\nerror: b"#), failed(#"\u001b[2J"#), failed(#"a\u2028b"#),
    failed(String(repeating: "a", count: 5_000)), failed(hosts: [#"a\nb"#]), failed(hosts: ["a b"]),
    failed(hosts: [String(repeating: "a", count: 260)]), failed(hosts: (1...17).map { "a\($0)" }),
    failed(reason: "cancelled"), failed(reason: "machine-failed"),
    #"{"outcome":{"notModified":{"_0":{"values":{},"host":"a\nb"}}},"cost":{"seconds":1,"hosts":{}}}"#,
    #"{"outcome":{"other":{}},"cost":{"seconds":1,"hosts":{}}}"#,
  ]) func `a fetcher that sends an invalid response is stopped`(json: String) throws {
    let folder = TemporaryFolder()
    let child = try Self.child(saying: Self.frame(json), in: folder)
    let failure = child.fetcher.get("http://a/")?.failure
    #expect(failure?.reason == .notStarted)
    #expect(failure?.detail == "the network worker sent a malformed message")
  }

  @Test func `a fetcher that never completes a response is stopped`() throws {
    let folder = TemporaryFolder()
    let child = try Self.child(saying: FakeFetcher.piece(1, []), in: folder, Self.soon)
    let failure = child.fetcher.get("http://a/")?.failure
    #expect(failure?.detail == "the network worker did not answer")
    #expect(child.processID == nil)
  }

  @Test func `a suspended fetcher is killed, and the next request starts a new one`() throws {
    let server = try ScriptedServer { asked in
      asked.target == "/never" ? [.hold] : [.answer(text: "x")]
    }
    let child = ChildFetcherTests.child(server, Self.soon)
    #expect(child.fetcher.get(server.url())?.text == "x")
    let process = try #require(child.processID)
    #expect(kill(process, SIGSTOP) == 0)
    let failure = child.fetcher.get(server.url("/never"))?.failure
    #expect(failure?.detail == "the network worker did not answer")
    #expect(kill(process, 0) != 0)
    #expect(child.fetcher.get(server.url())?.text == "x")
  }

  @Sendable private static func soon(_ settings: inout FetchSettings) {
    settings.time = .seconds(2)
    settings.margin = .zero
  }

  /// Fills the pipe to the program's standard input, and returns its write end.
  private static func fill(_ process: Int32) throws -> Descriptor {
    let path = "/proc/\(process)/fd/0"
    let pipe = Descriptor(adopting: unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC))
    let bytes = [UInt8](repeating: 0, count: 4_096)
    while unsafe write(pipe.number, bytes, bytes.count) > 0 {}
    try #require(errno == EAGAIN)
    return pipe
  }

  @Test func `a fetcher that does not read cancellations is stopped without blocking`() throws {
    let folder = TemporaryFolder()
    let child = try Self.child(saying: [], in: folder)
    let ticket = child.fetcher.begin(FetchRequest("http://a/")) { _ in }
    let process = try #require(child.processID)
    let pipe = try Self.fill(process)
    let start = ContinuousClock.now
    ticket()
    #expect(!child.isOutdated && child.processID == process)
    #expect(ContinuousClock.now - start < .seconds(4))
    #expect(eventually { kill(process, 0) != 0 && child.processID == nil })
    _ = consume pipe
  }
}
