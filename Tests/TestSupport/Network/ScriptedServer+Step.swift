extension ScriptedServer {
  package enum Step: Sendable {
    case bytes([UInt8])
    /// Waits for a number of seconds.
    case pause(Double)
    /// Sends one byte at a time, with a pause in seconds after each.
    case drip([UInt8], every: Double)
    /// Repeats the bytes until the client closes the connection.
    case forever([UInt8])
    case close
    case reset
    /// Sends nothing until the client closes the connection.
    case hold

    package static func send(_ text: String) -> Step { .bytes(Array(text.utf8)) }

    package static func drip(_ text: String, every seconds: Double) -> Step {
      .drip(Array(text.utf8), every: seconds)
    }

    package static func forever(_ text: String) -> Step { .forever(Array(text.utf8)) }

    /// Returns a valid response with a Content-Length header.
    package static func answer(
      _ status: Int = 200, _ headers: KeyValuePairs<String, String> = [:],
      body: some Collection<UInt8> = []
    ) -> Step {
      var head = "HTTP/1.1 \(status) \n"
      for (name, value) in headers { head += "\(name): \(value)\n" }
      let hasLength = status >= 200 && status != 204 && status != 304
      if hasLength { head += "Content-Length: \(body.count)\n" }
      return .bytes(Array(lines(head).utf8) + (hasLength ? Array(body) : []))
    }

    package static func answer(
      _ status: Int = 200, _ headers: KeyValuePairs<String, String> = [:], text: String
    ) -> Step {
      .answer(status, headers, body: text.utf8)
    }

    /// Sends header lines, with `\r\n` for each `\n`.
    package static func head(_ text: String) -> Step { .send(lines(text + "\n")) }

    private static func lines(_ head: String) -> String {
      head.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        + (head.hasSuffix("\n\n") ? "" : "\r\n")
    }
  }
}
