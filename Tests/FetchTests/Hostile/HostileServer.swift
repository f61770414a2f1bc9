import Fetch
import TestSupport

/// A server that is broken or means no good, and what becomes of a request to it.
struct HostileServer: Sendable, CustomTestStringConvertible {
  /// What may come of a request.
  enum Outcome: Sendable {
    case picture
    case fails([FetchReason])
    /// Either is right.
    case pictureOr([FetchReason])

    static func fails(_ reason: FetchReason) -> Outcome { .fails([reason]) }
  }

  typealias Step = ScriptedServer.Step

  static let picture = "all of a picture"

  let name: String
  /// What is asked for; words in braces are ports, `{own}` that of the server itself.
  var url = "http://127.0.0.1:{own}/start"
  /// Sent to those who connect.
  var greeting: [Step] = []
  let outcome: Outcome
  /// That the server gets, redirects among them.
  var requests: ClosedRange<Int>
  /// For servers that do not read.
  var connections: ClosedRange<Int>?
  /// For which time runs out: they are given less.
  var isSlow = false
  /// Between any two requests.
  var pause: Duration?
  let script: @Sendable (ScriptedServer.Request, Ports) -> [Step]

  var testDescription: String { name.debugDescription }

  /// Ports by the words that stand for them.
  struct Ports: Sendable {
    var ports: [String: UInt16] = [:]

    func fill(_ text: String, own: UInt16) -> String {
      var text = text.replacing("{own}", with: "\(own)")
      for (word, port) in ports { text = text.replacing("{\(word)}", with: "\(port)") }
      return text
    }
  }

  // MARK: - Rows

  /// Whatever it does.
  static func row(
    _ name: String, _ outcome: Outcome, requests: ClosedRange<Int> = 1...1,
    _ script: @escaping @Sendable (ScriptedServer.Request) -> [Step]
  ) -> HostileServer {
    HostileServer(name: name, outcome: outcome, requests: requests) { request, _ in
      script(request)
    }
  }

  /// The same steps after each request.
  static func steps(
    _ name: String, _ outcome: Outcome, requests: ClosedRange<Int> = 1...1, _ steps: Step...
  ) -> HostileServer {
    row(name, outcome, requests: requests) { _ in steps }
  }

  /// Takes more time than there is.
  static func slow(_ name: String, _ steps: Step...) -> HostileServer {
    var row = row(name, .fails(.timeout), requests: 0...3) { _ in steps }
    row.isSlow = true
    return row
  }

  /// Does something before it reads anything, and nothing after.
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

  /// Sends such bytes and ends the connection.
  static func sends(
    _ name: String, _ text: String, _ outcome: Outcome, requests: ClosedRange<Int> = 1...1
  ) -> HostileServer {
    steps(name, outcome, requests: requests, .send(text), .close)
  }

  /// Says that all is well, with such header lines, and sends the picture without a length.
  static func headers(
    _ lines: String, _ outcome: Outcome, requests: ClosedRange<Int> = 1...1
  ) -> HostileServer {
    steps(
      "headers \(lines.prefix(60))", outcome, requests: requests,
      .head("HTTP/1.1 200 OK\n\(lines)\nConnection: close\n"), .send(picture), .close)
  }

  /// Answers properly, but not as one would like.
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

  /// Sends elsewhere; at `/end` there is the picture.
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

  /// Asked for in such a way.
  static func asked(
    _ url: String, _ outcome: Outcome, requests: ClosedRange<Int> = 0...0
  ) -> HostileServer {
    var row = steps(
      "asked for \(url.prefix(60))", outcome, requests: requests, .answer(text: picture))
    row.url = url
    return row
  }
}
