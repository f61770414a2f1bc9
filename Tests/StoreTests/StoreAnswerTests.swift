import Bytes
import Foundation
import Store
import TestSupport
import Testing

/// What servers answer, and what becomes of the request.
struct StoreAnswerTests {
  typealias Step = ScriptedServer.Step

  enum Outcome: Sendable {
    /// The object; for `put` and `has`, that it is there.
    case done
    case none
    /// Asking again brings the same.
    case lasting(String)
    case away(String)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let ask: String
    let outcome: Outcome
    let requests: ClosedRange<Int>
    /// By the number of the attempt, from 1; the last one counts for all that follow.
    let answers: [[Step]]

    var testDescription: String { name.debugDescription }

    init(
      _ name: String, _ ask: String, _ outcome: Outcome, requests: ClosedRange<Int> = 1...1,
      _ answers: [Step]...
    ) {
      (self.name, self.ask, self.outcome) = (name, ask, outcome)
      (self.requests, self.answers) = (requests, answers)
    }
  }

  static let bytes = Data("all of an object".utf8)
  static let object = Step.answer(body: bytes)

  static func error(_ status: Int, _ code: String) -> Step {
    .answer(status, text: "<Error><Code>\(code)</Code><Message>sekret</Message></Error>")
  }

  static let rows: [Row] = [
    Row("an object", "get", .done, [object]),
    Row("nothing there", "get", .none, [.answer(404)]),
    Row("no more", "get", .none, [.answer(410, text: "sekret")]),
    Row("other bytes", "get", .none, requests: 2...2, [.answer(text: "other")]),
    Row(
      "other bytes, then the right ones", "get", .done, requests: 2...2, [.answer(text: "o")],
      [object]),
    Row("other bytes under a key that is none of theirs", "get ac", .done, [object]),
    Row("no bytes", "get", .none, requests: 2...2, [.answer()]),
    Row(
      "unauthorized", "get", .lasting("SITEGEN_STORE_TOKEN_FILE"), [.answer(401, text: "sekret")]),
    Row("forbidden", "get", .lasting("it answered 403"), [.answer(403)]),
    Row("a bad request", "get", .lasting("it answered 400"), [.answer(400)]),
    Row(
      "elsewhere", "get", .lasting("name the address to which it leads"),
      [.answer(302, ["Location": "http://127.0.0.1:1/sekret"])]),
    Row(
      "too many, come in a second", "get", .done, requests: 2...2,
      [.answer(429, ["Retry-After": "1"])],
      [object]),
    Row(
      "too many, come in a minute", "get", .away("left alone for 60 seconds"),
      [.answer(429, ["Retry-After": "60"])]),
    Row("too many", "get", .done, requests: 2...2, [.answer(429)], [object]),
    Row("a server's error, once", "get", .done, requests: 2...2, [.answer(500)], [object]),
    Row(
      "a server's error, always", "get", .away("it answered 500"), requests: 3...8, [.answer(500)]),
    Row(
      "a gateway's error, twice", "get", .done, requests: 3...3, [.answer(502)], [.answer(503)],
      [object]),
    Row("a timeout of the server", "get", .done, requests: 2...2, [.answer(408)], [object]),
    Row(
      "a cut body, once", "get", .done, requests: 2...2,
      [.head("HTTP/1.1 200 OK\nContent-Length: 16"), .send("all of"), .close], [object]),
    Row(
      "a cut body, always", "get", .away("ended before the answer did"), requests: 3...8,
      [.head("HTTP/1.1 200 OK\nContent-Length: 16"), .send("all of"), .close]),
    Row(
      "a cut head", "get", .done, requests: 2...2, [.send("HTTP/1.1 200 OK\r\nContent-"), .close],
      [object]
    ),
    Row("no answer, once", "get", .done, requests: 2...2, [.close], [object]),
    Row("a broken connection, once", "get", .done, requests: 2...2, [.reset], [object]),
    Row("silence", "get", .away("no answer in time"), requests: 1...3, [.hold]),
    Row(
      "a slow body", "get", .away("no answer in time"), requests: 1...3,
      [
        .head("HTTP/1.1 200 OK\nContent-Length: 1000"),
        .drip(String(repeating: "a", count: 1_000), every: 0.1),
      ]),
    Row(
      "no HTTP", "get", .away("ended before"), requests: 1...8, [.send("220 mail\r\n\r\n"), .close]),
    Row(
      "an endless body", "get", .none,
      [.head("HTTP/1.1 200 OK"), .forever(String(repeating: "a", count: 1 << 20))]),
    Row(
      "an endless refusal", "get", .lasting("403"), [.head("HTTP/1.1 403 No"), .forever("sekret")]),

    Row("there", "has", .done, [.head("HTTP/1.1 200 OK\nContent-Length: 16")]),
    Row("not there", "has", .none, [.head("HTTP/1.1 404 No\nContent-Length: 16")]),
    Row("may not look", "has", .lasting("403"), [.head("HTTP/1.1 403 No\nContent-Length: 16")]),

    Row("taken", "put", .done, [.answer(201)]),
    Row("taken, in place of another", "put", .done, [.answer(204)]),
    Row("taken, with words", "put", .done, [.answer(200, text: "thanks")]),
    Row("too large", "put", .lasting("takes no object of 16 bytes"), [.answer(413)]),
    Row("may not write", "put", .lasting("name a file with a token"), [.answer(403)]),
    Row("no such place", "put", .lasting("nothing can be put there"), [.answer(404)]),
    Row("no such method", "put", .lasting("405"), [.answer(405)]),
    Row("a full disk, once", "put", .done, requests: 2...2, [.answer(507)], [.answer(201)]),
    Row("a full disk", "put", .away("507"), requests: 3...8, [.answer(507)]),
    Row(
      "a promise and no answer", "put", .done, requests: 2...2,
      [.head("HTTP/1.1 100 Continue"), .close], [.answer(201)]),
    Row("cut while it is taken", "put", .done, requests: 2...2, [.reset], [.answer(201)]),

    Row("no bucket", "get s3", .lasting("there is no such bucket"), [error(404, "NoSuchBucket")]),
    Row("no key in a bucket", "get s3", .none, [error(404, "NoSuchKey")]),
    Row(
      "a clock that is wrong", "put s3", .lasting("set the clock"),
      [error(403, "RequestTimeTooSkewed")]),
    Row(
      "another's key", "put s3", .lasting("SignatureDoesNotMatch"),
      [error(403, "SignatureDoesNotMatch")]),
    Row(
      "an upload that was too slow", "put s3", .done, requests: 2...2,
      [error(400, "RequestTimeout")], [.answer(200)]),
    Row(
      "a session that is over", "get s3",
      .lasting("400 ExpiredToken: set AWS_SESSION_TOKEN, and its key, anew"),
      [error(400, "ExpiredToken")]),
    Row(
      "a token of another session", "put s3", .lasting("400 InvalidToken: set AWS_SESSION_TOKEN"),
      [error(400, "InvalidToken")]),
    Row("another region", "get s3", .lasting("AWS_REGION"), [error(301, "PermanentRedirect")]),
  ]

  @Test(arguments: rows) func `each answer becomes what it means`(row: Row) throws {
    let server = try ScriptedServer { asked in
      row.answers[min(asked.attempt, row.answers.count) - 1]
    }
    let isAmazon = row.ask.hasSuffix("s3")
    var location = SharedStore.Location(isAmazon ? "s3://bucket/prefix" : server.url("/prefix"))
    location.program = BuiltProduct.fetcher
    let store = try location.open(
      within: .seconds(2),
      environment: isAmazon
        ? [
          "AWS_ENDPOINT_URL": server.url(), "AWS_ACCESS_KEY_ID": "key",
          "AWS_SECRET_ACCESS_KEY": "sekret",
        ] : [:])
    let shelf: StoredObject.Shelf = row.ask == "get ac" ? .ac : .cas
    let key = Digest(of: Self.bytes)
    let name = shelf == .ac ? StoredObject.result(key) : .bytes(key)
    let began = ContinuousClock.now
    let result = Result<Bool, ObjectStoreFailure> { () throws(ObjectStoreFailure) in
      if row.ask.hasPrefix("put") {
        try store.put(Self.bytes, as: name)
        return true
      }
      if row.ask.hasPrefix("has") { return try store.has(name) }
      guard let bytes = try store.get(name) else { return false }
      #expect(bytes == Self.bytes)
      return true
    }
    switch (row.outcome, result) {
    case (.done, .success(true)), (.none, .success(false)): break
    case (.lasting(let words), .failure(let failure)):
      #expect(failure.isLasting && failure.words.contains(words), "\(failure)")
    case (.away(let words), .failure(let failure)):
      #expect(!failure.isLasting && failure.words.contains(words), "\(failure)")
    default: Issue.record("\(result)")
    }
    if case .failure(let failure) = result {
      #expect(failure.words.hasPrefix("\(server.host): ") && !failure.words.contains("sekret"))
    }
    #expect(began.duration(to: .now) < .seconds(5))
    let requests = server.requests
    #expect(row.requests.contains(requests.count), "\(requests.count) requests")
    for request in requests {
      #expect(
        request.method
          == ["get": "GET", "has": "HEAD", "put": "PUT"][row.ask.prefix(3).lowercased()])
      let prefix = isAmazon ? "/bucket/prefix" : "/prefix"
      #expect(request.target == "\(prefix)/\(shelf.rawValue)/\(name.key.hex)")
      #expect(request["expect"] == nil)
      if request.method == "PUT" { #expect(Data(request.body) == Self.bytes) }
      if isAmazon {
        #expect(request["authorization"]?.hasPrefix("AWS4-HMAC-SHA256 Credential=key/") == true)
      }
    }
  }
}
