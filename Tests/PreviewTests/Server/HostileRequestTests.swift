import Preview
import Testing

/// A malicious request and the expected response.
struct HostileRequest: Sendable, CustomTestStringConvertible {
  enum Outcome: Hashable, Sendable {
    case status(Int)
    /// Several responses on one connection, in order.
    case statuses([Int])
    /// The connection closes without a response.
    case silence
  }

  let name: String
  /// `HOST` is replaced by the server's name and port.
  let bytes: [UInt8]
  let outcome: Outcome

  init(_ name: String, _ text: String, _ outcome: Outcome) {
    self.init(name, Array(text.utf8), outcome)
  }

  init(_ name: String, _ bytes: [UInt8], _ outcome: Outcome) {
    self.name = name
    self.bytes = bytes
    self.outcome = outcome
  }

  static func target(_ target: String, _ status: Int) -> HostileRequest {
    let name =
      target.utf8.count > 60 ? "\(target.prefix(60))… (\(target.utf8.count) bytes)" : target
    return HostileRequest(
      "target \(name)", "GET \(target) HTTP/1.1\r\nHost: HOST\r\n\r\n", .status(status))
  }

  static func headers(_ headers: String, _ outcome: Outcome) -> HostileRequest {
    HostileRequest(
      "headers \(headers.prefix(70))", "GET /big.bin HTTP/1.1\r\n\(headers)\r\n\r\n", outcome)
  }

  static func range(_ range: String, _ status: Int) -> HostileRequest {
    .headers("Host: HOST\r\nRange: \(range)", .status(status))
  }

  static func head(_ head: String, _ outcome: Outcome) -> HostileRequest {
    HostileRequest("head \(head.prefix(70))", head, outcome)
  }

  var testDescription: String { name.debugDescription }

  func bytes(for host: String) -> [UInt8] {
    let mark = Array("HOST".utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: mark) {
        result += host.utf8
        index += mark.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}

@Suite(.timeLimit(.minutes(15))) struct HostileRequestTests {
  /// S1: paths that leave the folder are rejected.
  ///
  /// S4: foreign hosts are rejected.
  /// S7: only some methods are accepted.
  /// S8: ranges are ignored.
  /// S9: smuggled requests are rejected.
  /// docs/howto/preview.md documents the responses.
  @Test func `each hostile request gets the documented response, and the server survives`() throws {
    var settings = PreviewSettings(port: 0)
    settings.headTime = .seconds(2)
    let served = try Served(settings)
    for hostile in HostileRequest.all {
      let wire = try served.wire()
      wire.send(hostile.bytes(for: served.host))
      switch hostile.outcome {
      case .status(let status):
        let answer = wire.answer(hasBody: !hostile.bytes.starts(with: "HEAD".utf8))
        #expect(answer?.status == status, "\(hostile)")
        #expect(answer?.text.contains("canary") != true, "\(hostile)")
      case .statuses(let statuses):
        var seen: [Int] = []
        while seen.count < statuses.count, let answer = wire.answer() { seen.append(answer.status) }
        #expect(seen == statuses, "\(hostile)")
        wire.finish()
        #expect(wire.rest() == [], "\(hostile)")
      case .silence:
        wire.finish()
        #expect(wire.rest() == [], "\(hostile)")
        #expect(wire.hasEnded, "\(hostile)")
      }
      #expect(try served.ask("/index.html").text == served.injected(), "after \(hostile)")
    }
  }

  @Test func `the table contains at least the documented number of rows`() {
    #expect(HostileRequest.all.count >= 60)
    #expect(Set(HostileRequest.all.map(\.name)).count == HostileRequest.all.count)
  }
}
