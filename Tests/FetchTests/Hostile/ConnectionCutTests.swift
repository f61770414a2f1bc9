import Fetch
import TestSupport
import Transfers

struct ConnectionCutTests {
  struct Answer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    /// The number of bytes in a complete response.
    let needed: Int
    init(_ name: String, _ text: String, spare: Int) {
      testDescription = name
      bytes = Array(text.utf8)
      needed = bytes.count - spare
    }

    var firstLine: Int { (bytes.firstIndex(of: 0x0A) ?? 0) + 1 }
  }

  static let answers = [
    Answer(
      "with a length",
      "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 16\r\n\r\nall of a picture", spare: 0),
    // The last chunk marks the end, so the final LF may be missing.
    Answer(
      "in chunks",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "7\r\nall of \r\n9\r\na picture\r\n0\r\n\r\n", spare: 1),
  ]

  private static var settings: FetchSettings {
    var settings = FetchSettings()
    settings.time = .seconds(60)
    settings.slowTime = .seconds(30)
    settings.connectTime = .seconds(30)
    settings.backOff = .milliseconds(1)
    settings.perHost = 16
    settings.patience = 100_000
    settings.policy.networks = ["127.0.0.1/32"]
    return settings
  }

  /// Returns a server that sends the number of bytes given in the path, then takes a final step.
  private static func server(_ answer: Answer, _ end: ScriptedServer.Step, times: Int) throws
    -> ScriptedServer
  {
    try ScriptedServer { request in
      let count = Int(request.target.dropFirst()) ?? 0
      if request.attempt > times { return [.bytes(answer.bytes)] }
      return [.bytes(Array(answer.bytes.prefix(count))), end]
    }
  }

  private static func answers(
    from server: ScriptedServer, upTo count: Int, _ settings: FetchSettings
  ) throws -> [FetchAnswer?] {
    var settings = settings
    settings.policy.ports = [server.port]
    let engine = Fetching.engine(settings)
    defer { engine.close() }
    var answers = [FetchAnswer?](repeating: nil, count: count)
    let requests = (0..<count).map { FetchRequest(server.url("/\($0)")) }
    try engine.fetcher.all(requests) { answers[$0] = $1 }
    return answers
  }

  @Test(arguments: answers, [false, true])
  func `a response truncated at any byte is never treated as complete`(
    answer: Answer, isBroken: Bool
  ) throws {
    let server = try Self.server(answer, isBroken ? .reset : .close, times: .max)
    var settings = Self.settings
    settings.retries = 0
    let cut = try Self.answers(from: server, upTo: answer.needed, settings)
    for (count, reported) in cut.enumerated() {
      let reason = reported?.failure?.reason
      // A truncated status line may look like another protocol.
      let isKnown = count == 0 || count >= answer.firstLine || isBroken
      #expect(
        reason == .connectionCut || (!isKnown && reason == .badAnswer),
        "\(count) bytes: \(String(describing: reported?.outcome))")
    }
    #expect(server.requests.count == answer.needed)
    if isBroken { return }
    let whole = try Self.answers(from: server, upTo: answer.bytes.count + 1, settings).last
    #expect(whole??.text == HostileServer.picture)
  }

  @Test(arguments: answers)
  func `a truncated response is retried`(answer: Answer) throws {
    let server = try Self.server(answer, .close, times: 1)
    let reported = try Self.answers(from: server, upTo: answer.needed, Self.settings)
    for (count, reported) in reported.enumerated() where count == 0 || count >= answer.firstLine {
      #expect(
        reported?.text == HostileServer.picture, "\(count) bytes: \(String(describing: reported))")
      #expect(server.requests("/\(count)").count == 2, "\(count) bytes")
      #expect(reported?.cost.hosts[server.host]?.retries == 1, "\(count) bytes")
    }
  }
}
