import Fetch
import TestSupport

extension HostileServer {
  static let statuses: [HostileServer] =
    [201, 202, 203, 204, 205, 206, 226, 300, 304, 305, 306].map { .status($0, .badAnswer) }
    + [404, 410].map { .status($0, .notFound) }
    + [
      400, 401, 402, 403, 405, 406, 407, 409, 411, 412, 413, 415, 416, 417, 418, 421, 422, 425, 426,
      428, 431, 451, 499,
    ].map { .status($0, .httpRefused) }
    + [408, 429, 500, 501, 502, 503, 504, 505, 507, 511, 520, 599].map {
      .status($0, .serverFailed, requests: 3...3)
    }

  static let retries: [HostileServer] =
    ["0", "", "soon", "-1", "1.5", "1e9", "Sun, 06 Nov 1994 08:49:37 GMT"].map {
      .status(503, .serverFailed, requests: 3...3, retryAfter: $0)
    }
    + ["100", "1000000000", "Fri, 31 Dec 9999 23:59:59 GMT"].flatMap {
      [.status(503, .serverFailed, retryAfter: $0), .status(429, .serverFailed, retryAfter: $0)]
    }
    + [
      .status(503, .serverFailed, retryAfter: "99999999999999999999999999"),
      .status(404, .notFound, retryAfter: "0"),
      .status(403, .httpRefused, retryAfter: "1"),
      .row("503, 503, then all is well", .picture, requests: 3...3) { request in
        [request.attempt < 3 ? .answer(503) : .answer(text: picture)]
      },
      .row("500, then it is not there", .fails(.notFound), requests: 2...2) { request in
        [.answer(request.attempt == 1 ? 500 : 404)]
      },
      .row("a redirect to 503, then all is well", .picture, requests: 3...3) { request in
        if request.target == "/start" { return [.answer(302, ["Location": "/end"])] }
        return [request.attempt == 1 ? .answer(503) : .answer(text: picture)]
      },
      patient("503 with Retry-After of a second") { .answer(503, ["Retry-After": "1"], text: $0) },
      patient("429 with Retry-After of a second") { .answer(429, ["Retry-After": "1"], text: $0) },
    ]

  /// Returns a server that asks the client to retry after a pause.
  private static func patient(
    _ name: String, _ refusal: @escaping @Sendable (String) -> Step
  ) -> HostileServer {
    var row = row(name, .picture, requests: 2...2) { request in
      [request.attempt == 1 ? refusal("not yet") : .answer(text: picture)]
    }
    row.pause = .milliseconds(990)
    return row
  }
}
