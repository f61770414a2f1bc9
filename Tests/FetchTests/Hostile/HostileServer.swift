import Fetch
import TestSupport

/// A broken or malicious server, and the expected outcome of a request to it.
struct HostileServer: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable {
    case picture
    case fails([FetchReason])
    case pictureOr([FetchReason])

    static func fails(_ reason: FetchReason) -> Outcome { .fails([reason]) }
  }

  typealias Step = ScriptedServer.Step

  static let picture = "all of a picture"

  let name: String
  /// The requested URL; words in braces are ports, such as `{own}` for the server's own port.
  var url = "http://127.0.0.1:{own}/start"
  /// The bytes that the server sends on connect.
  var greeting: [Step] = []
  let outcome: Outcome
  /// The number of requests that the server receives, including redirects.
  var requests: ClosedRange<Int>
  /// The number of connections, for servers that do not read requests.
  var connections: ClosedRange<Int>?
  /// Whether the row expects a timeout; if so, the timeouts are short.
  var isSlow = false
  /// The minimum time between two requests.
  var pause: Duration?
  let script: @Sendable (ScriptedServer.Request, Ports) -> [Step]

  var testDescription: String { name.debugDescription }

  struct Ports: Sendable {
    var ports: [String: UInt16] = [:]

    func fill(_ text: String, own: UInt16) -> String {
      var text = text.replacing("{own}", with: "\(own)")
      for (word, port) in ports { text = text.replacing("{\(word)}", with: "\(port)") }
      return text
    }
  }

  static func row(
    _ name: String, _ outcome: Outcome, requests: ClosedRange<Int> = 1...1,
    _ script: @escaping @Sendable (ScriptedServer.Request) -> [Step]
  ) -> HostileServer {
    HostileServer(name: name, outcome: outcome, requests: requests) { request, _ in
      script(request)
    }
  }

  static func steps(
    _ name: String, _ outcome: Outcome, requests: ClosedRange<Int> = 1...1, _ steps: Step...
  ) -> HostileServer {
    row(name, outcome, requests: requests) { _ in steps }
  }

  /// Returns a row whose steps take longer than the timeout.
  static func slow(_ name: String, _ steps: Step...) -> HostileServer {
    var row = row(name, .fails(.timeout), requests: 0...3) { _ in steps }
    row.isSlow = true
    return row
  }

  /// Returns a row whose server sends before it reads a request, and nothing after that.
  static func greets(
    _ name: String, _ outcome: Outcome, connections: ClosedRange<Int> = 1...1,
    isSecure: Bool = false, isSlow: Bool = false, _ steps: Step...
  ) -> HostileServer {
    var row = row(name, outcome, requests: 0...3) { _ in [.hold] }
    row.greeting = steps
    row.connections = connections
    row.isSlow = isSlow
    if isSecure { row.url = "https://127.0.0.1:{own}/start" }
    return row
  }

  /// Returns a row whose server sends a text and closes the connection.
  static func sends(
    _ name: String, _ text: String, _ outcome: Outcome, requests: ClosedRange<Int> = 1...1
  ) -> HostileServer {
    steps(name, outcome, requests: requests, .send(text), .close)
  }

  /// Returns a row whose server sends status 200, header lines, and the picture without a length.
  static func headers(
    _ lines: String, _ outcome: Outcome, requests: ClosedRange<Int> = 1...1
  ) -> HostileServer {
    steps(
      "headers \(lines.prefix(60))", outcome, requests: requests,
      .head("HTTP/1.1 200 OK\n\(lines)\nConnection: close\n"), .send(picture), .close)
  }

  static func status(
    _ status: Int, _ reason: FetchReason, requests: ClosedRange<Int> = 1...1,
    retryAfter: String? = nil
  ) -> HostileServer {
    let name = "status \(status)" + (retryAfter.map { " Retry-After: \($0)" } ?? "")
    return steps(
      name, .fails(reason), requests: requests,
      retryAfter.map { .answer(status, ["Retry-After": $0], text: "sorry") }
        ?? .answer(status, text: "sorry"))
  }

  /// Returns a row whose server redirects; the picture is at `/end`.
  static func redirect(
    _ location: String, _ outcome: Outcome, requests: ClosedRange<Int> = 1...1, status: Int = 302
  ) -> HostileServer {
    HostileServer(
      name: "\(status) to \(location.prefix(60)) (\(location.utf8.count))", outcome: outcome,
      requests: requests
    ) { request, ports in
      let path = request.target.prefix { $0 != "?" }
      if path == "/end" || path == "/deep/end" { return [.answer(text: picture)] }
      if path != "/start" { return [.answer(404)] }
      let own = request["host"].flatMap { $0.split(separator: ":").last }.flatMap { UInt16($0) }
      return [.answer(status, ["Location": ports.fill(location, own: own ?? 0)], text: "there")]
    }
  }

  static func asked(
    _ url: String, _ outcome: Outcome, requests: ClosedRange<Int> = 0...0
  ) -> HostileServer {
    var row = steps(
      "asked for \(url.prefix(60))", outcome, requests: requests, .answer(text: picture))
    row.url = url
    return row
  }
}
