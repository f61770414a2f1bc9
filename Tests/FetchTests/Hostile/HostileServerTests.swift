import Fetch
import Files
import TestSupport

@Suite(.needs(.nginx)) struct HostileServerTests {
  static let all =
    HostileServer.statusLines + HostileServer.heads + HostileServer.lengths + HostileServer.chunks
    + HostileServer.connections + HostileServer.security + HostileServer.redirects
    + HostileServer.addresses + HostileServer.statuses + HostileServer.retries

  @Test func `the hostile server table has at least the documented number of rows`() {
    #expect(Self.all.count >= 65)
    #expect(Set(Self.all.map(\.name)).count == Self.all.count)
  }

  /// N4: redirect targets must pass the same checks as URLs.
  ///
  /// N8: encoded responses are rejected.
  /// N9: content types are recorded but not trusted.
  /// N10: each status has its documented meaning.
  /// N11: certificates are verified.
  /// N12: header lines are limited in number and length.
  /// F2: a wrong status, silence and an early close are separate errors within the time limit.
  /// All servers run at the same time, and a hostile one affects only requests to itself.
  @Test func `requests to hostile servers end as documented, within the time limit`() throws {
    let lab = try Lab()
    let rows = try lab.addressed(Self.all)
    var hasty = lab.settings(for: rows)
    hasty.time = .seconds(20)
    hasty.connectTime = .seconds(10)
    hasty.slowTime = .seconds(1)
    // The limits are generous enough for a busy machine.
    var patient = hasty
    patient.time = .seconds(40)
    patient.connectTime = .seconds(20)
    patient.slowTime = .seconds(20)
    // A separate process fetches, as in a build.
    let engines = [patient, hasty].map { ChildFetcher($0, program: BuiltProduct.worker) }
    defer { for engine in engines { engine.close() } }

    let answers = Locked([FetchAnswer?](repeating: nil, count: rows.count))
    let tickets = rows.enumerated().map { index, row in
      engines[row.row.isSlow ? 1 : 0].fetcher.begin(FetchRequest(row.url)) { answer in
        answers.withLock { $0[index] = answer }
      }
    }
    #expect(eventually { answers.withLock { $0.allSatisfy { $0 != nil } } })
    for (row, answer) in zip(rows, answers.withLock(\.self)) {
      guard let answer else {
        Issue.record("no response: \(row.row)")
        continue
      }
      row.judge(answer, limit: row.row.isSlow ? hasty.time : patient.time)
    }
    #expect(lab.forbidden.connections == 0)
    #expect(lab.canary?.connections ?? 0 == 0 && lab.six?.connections ?? 0 == 0)
    withExtendedLifetime(tickets) {}

    // Well-behaved servers still get requests.
    for engine in engines {
      let answer = engine.fetcher.get(lab.good.url("/picture"))
      #expect(answer?.text == HostileServer.picture)
    }
  }
}

struct AddressedServer {
  let row: HostileServer
  let url: String
  let server: ScriptedServer

  func judge(_ answer: FetchAnswer, limit: Duration) {
    switch (row.outcome, answer.outcome) {
    case (.picture, .fetched), (.pictureOr, .fetched):
      #expect(answer.text == HostileServer.picture, "\(row)")
    case (.fails(let reasons), .failed(let failure)),
      (.pictureOr(let reasons), .failed(let failure)):
      #expect(reasons.contains(failure.reason), "\(row): \(failure)")
      #expect(!failure.detail.isEmpty && !failure.detail.contains("/start"), "\(row): \(failure)")
      #expect(!failure.detail.contains("secret"), "\(row): \(failure)")
    default:
      Issue.record("\(row): \(answer.outcome)")
    }
    let requests = server.requests
    #expect(row.requests.contains(requests.count), "\(row): \(requests.map(\.target))")
    if let connections = row.connections {
      #expect(connections.contains(server.connections), "\(row): \(server.connections)")
    }
    if let pause = row.pause {
      for (one, next) in zip(requests, requests.dropFirst()) {
        #expect(next.time - one.time >= pause, "\(row)")
      }
    }
    for request in requests {
      #expect(request.method == "GET" && request["user-agent"] == "sitegen", "\(row)")
      #expect(!request.target.contains("#"), "\(row)")
      for name in ["x-injected", "cookie", "authorization", "accept-encoding", "referer", "te"] {
        #expect(request[name] == nil, "\(row): \(name)")
      }
    }
    #expect(answer.cost.seconds < limit.seconds + 15, "\(row)")
  }
}

final class Lab {
  private let folder = TemporaryFolder()
  private var secure: [NginxServer] = []
  private var ports = HostileServer.Ports()
  private let certificates: TestCertificates
  /// A port that refuses connections.
  private let closed: Socket
  let good: ScriptedServer
  /// A server on a forbidden port.
  let forbidden: ScriptedServer
  /// Servers at forbidden addresses, or nil if the machine lacks the addresses.
  let canary: ScriptedServer?
  let six: ScriptedServer?

  init() throws {
    certificates = try TestCertificates.shared()
    good = try ScriptedServer(["/picture": [.answer(text: HostileServer.picture)]])
    forbidden = try ScriptedServer { _ in [.answer(text: HostileServer.picture)] }
    canary = try? ScriptedServer(address: "127.0.0.2") { _ in
      [.answer(text: HostileServer.picture)]
    }
    six = try? ScriptedServer(address: "::1") { _ in [.answer(text: HostileServer.picture)] }
    closed = try Socket(holding: "127.0.0.1")
    ports.ports = [
      "forbidden": forbidden.port, "canary": canary?.port ?? 80, "six": six?.port ?? 80,
      "closed": closed.port,
    ]
    try folder.write(HostileServer.picture, to: "picture")
    for kind in TestCertificates.Kind.allCases {
      let server = try NginxServer(
        serving: folder.path, secureBy: certificates.pair(kind),
        more: "location /down { return 302 http://127.0.0.1:$args/end; }")
      secure.append(server)
      ports.ports[kind == .own ? "self" : kind.rawValue] = server.port
    }
  }

  deinit {
    closed.close()
  }

  func addressed(_ rows: [HostileServer]) throws -> [AddressedServer] {
    let ports = ports
    return try rows.map { row in
      let server = try ScriptedServer(greeting: row.greeting) { row.script($0, ports) }
      return AddressedServer(row: row, url: ports.fill(row.url, own: server.port), server: server)
    }
  }

  /// Returns settings that allow only 127.0.0.1 besides public addresses.
  func settings(for rows: [AddressedServer]) -> FetchSettings {
    var settings = FetchSettings()
    settings.policy.networks = ["127.0.0.1/32"]
    settings.policy.ports =
      rows.map(\.server.port) + [good.port]
      + ports.ports.filter { $0.key != "forbidden" }.map(\.value)
    settings.certificates = certificates.authority
    settings.backOff = .milliseconds(20)
    settings.overall = 48
    settings.bytes = 1 << 20
    return settings
  }
}
