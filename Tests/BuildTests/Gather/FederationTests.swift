import Build
import Bytes
import Fetch
import Files
import Foundation
import Manifest
import Store
import TestSupport
import Testing
import Transfers

struct FederationTests {
  /// Name servers of a test's own, and what they were asked.
  final class Names: Sendable {
    let asked = Guarded<[String]>([])
    private let answers: [String: ServiceRecords.Answer]
    private let otherwise: ServiceRecords.Answer

    init(_ answers: [String: ServiceRecords.Answer], otherwise: ServiceRecords.Answer = .none) {
      self.answers = answers
      self.otherwise = otherwise
    }

    func federation(wait: @escaping @Sendable () -> Void = {}) -> Federation {
      Federation { name in
        self.asked.withLock { $0.append(name) }
        wait()
        return self.answers[name] ?? self.otherwise
      }
    }

    var questions: [String] { asked.withLock { $0 } }
  }

  @Test(arguments: [
    (443 as UInt16, "https://avatars.example.org"), (5679, "https://avatars.example.org:5679"),
    (80, "https://avatars.example.org:80"),
  ]) func `a domain's own server is asked`(port: UInt16, base: String) throws {
    let names = Names(
      ["_avatars-sec._tcp.example.org": .found(host: "avatars.example.org", port: port)])
    let federation = names.federation()
    let address = RemoteAddress.libravatar(Digest(of: "x"), domain: "example.org")
    #expect(
      try address.url(pixels: 80, federation: federation)
        == "\(base)/avatar/\(Digest(of: "x"))?s=80&d=404")
    #expect(names.questions == ["_avatars-sec._tcp.example.org"])
  }

  @Test(arguments: [
    (80 as UInt16, "http://a.example.org"), (443, "http://a.example.org:443"),
  ]) func `one without TLS is asked when there is no other`(port: UInt16, base: String) throws {
    let names = Names(["_avatars._tcp.example.org": .found(host: "a.example.org", port: port)])
    #expect(try names.federation().base(of: "example.org") == base)
    #expect(
      names.questions == ["_avatars-sec._tcp.example.org", "_avatars._tcp.example.org"])
  }

  @Test func `without a server of its own the service is asked, and nobody twice`() throws {
    let names = Names([:])
    let federation = names.federation()
    let address = RemoteAddress.libravatar(Digest(of: "x"), domain: "example.org")
    for _ in 0..<3 {
      #expect(
        try address.url(pixels: 80, federation: federation)
          .hasPrefix("https://seccdn.libravatar.org/avatar/"))
    }
    #expect(names.questions.count == 2)
    #expect(try federation.base(of: "") == nil)
    #expect(names.questions.count == 2)
  }

  /// N2: a record leads no request to this machine, either.
  @Test(arguments: ["localhost", "a.localhost"])
  func `a record that names a private host leads nowhere`(host: String) throws {
    let canary = try ScriptedServer(address: "0.0.0.0") { _ in [.answer(text: "inside")] }
    let port = canary.port
    let names = try Self.names(host, port)
    let federation = Self.federation(names)
    let url = try RemoteAddress.libravatar(Digest(of: "x"), domain: "example.org")
      .url(pixels: 80, federation: federation)
    #expect(url.hasPrefix("http://\(host):\(port)/avatar/"))
    var settings = FetchSettings()
    settings.reach.ports = [canary.port]
    let reason = Guarded<FetchReason?>(nil)
    let engine = FetchEngine(settings)
    _ = engine.fetcher.begin(FetchRequest(url)) { answer in
      guard case .failed(let failure) = answer.outcome else { return }
      reason.withLock { $0 = failure.reason }
    }
    #expect(eventually { reason.withLock(\.self) == .addressNotPublic })
    #expect(canary.connections == 0)
  }

  /// N2: nor by an address in place of a name.
  @Test(arguments: ["127.0.0.1", "127.1", "2130706433", "0x7f.1"])
  func `a record that names an address is none`(host: String) throws {
    let names = try Self.names(host, 443)
    #expect(try Self.federation(names).base(of: "example.org") == nil)
    #expect(names.questions.count == 2)
  }

  /// Knows one service of all domains, without TLS.
  private static func names(_ host: String, _ port: UInt16) throws -> NameServer {
    try NameServer { query in
      var packet = AnswerPacket(to: query)
      if packet.question.hasPrefix("_avatars._tcp.") {
        packet.records = [(nil, .service(host, port: port))]
      }
      return packet.bytes
    }
  }

  private static func federation(_ names: NameServer) -> Federation {
    let server = ServiceRecords.Server(address: [127, 0, 0, 1], port: names.port)
    return Federation { ServiceRecords.lookUp($0, servers: [server], seconds: 30) }
  }

  @Test func `other addresses ask no name server`() throws {
    let names = Names([:])
    let federation = names.federation()
    for address in [
      RemoteAddress.gravatar(Digest(of: "x")), .github("x"), .url("https://example.org/x"),
    ] {
      _ = try address.url(pixels: 80, federation: federation)
    }
    #expect(names.questions == [])
  }

  @Test func `after four failures one after the other nobody is asked`() {
    let names = Names([:], otherwise: .failed)
    let federation = names.federation()
    for index in 0..<10 {
      // Whom to ask instead would be a guess, and its answer that of somebody else.
      #expect(throws: FetchFailure.self) { try federation.base(of: "\(index).example.org") }
    }
    // Who failed is not asked for the server without TLS either.
    #expect(names.questions == (0..<4).map { "_avatars-sec._tcp.\($0).example.org" })
  }

  @Test func `an answer between failures lets it go on`() {
    let names = Names(
      ["_avatars-sec._tcp.3.example.org": .found(host: "a.example.org", port: 443)],
      otherwise: .failed)
    let federation = names.federation()
    for index in 0..<10 { _ = try? federation.base(of: "\(index).example.org") }
    #expect(names.questions == (0..<8).map { "_avatars-sec._tcp.\($0).example.org" })
  }

  @Test func `a domain is looked up once by all who ask at the same time`() {
    let names = Names(
      ["_avatars-sec._tcp.example.org": .found(host: "a.example.org", port: 443)])
    let callers = Guarded(0)
    let found = Guarded<[String?]>([])
    // The name server answers when all have asked.
    let federation = names.federation { _ = eventually { callers.withLock(\.self) == 8 } }
    for _ in 0..<8 {
      Thread.detachNewThread {
        callers.withLock { $0 += 1 }
        let base = try? federation.base(of: "example.org")
        found.withLock { $0.append(base) }
      }
    }
    #expect(eventually { found.withLock(\.count) == 8 })
    #expect(found.withLock { $0 } == Array(repeating: "https://a.example.org", count: 8))
    #expect(names.questions.count == 1)
  }
}
