import Fetch
import TestSupport
import Testing
import Transfers

/// The system's resolver against a server of our own.
struct ServiceRecordsTests {
  /// The answer to a query: its number, and what a test wants.
  static func answer(
    to query: [UInt8], _ change: (inout AnswerPacket) -> Void = { _ in }
  ) -> [UInt8] {
    var packet = AnswerPacket(records: [(nil, .service("avatars.example.org", port: 5679))])
    packet.id = AnswerPacket(to: query).id
    change(&packet)
    return packet.bytes
  }

  static func server(_ server: NameServer) -> ServiceRecords.Server {
    ServiceRecords.Server(address: [127, 0, 0, 1], port: server.port)
  }

  func lookUp(
    _ name: String = AnswerPacket.question, seconds: Int = 30,
    _ answer: @escaping @Sendable ([UInt8]) -> [UInt8]?
  ) throws -> (answer: ServiceRecords.Answer, packets: Int) {
    let server = try NameServer(answer: answer)
    let answer = ServiceRecords.lookUp(name, servers: [Self.server(server)], seconds: seconds)
    return (answer, server.questions.count)
  }

  @Test func `a name server is asked for the name`() throws {
    let result = try lookUp { query in
      // The name stands in the question as it was asked for.
      let name = AnswerPacket.name(AnswerPacket.question)
      return Array(query.dropFirst(12).prefix(name.count)) == name ? Self.answer(to: query) : nil
    }
    #expect(result.answer == .found(host: "avatars.example.org", port: 5679))
    #expect(result.packets == 1)
  }

  @Test func `a name that does not exist is no failure`() throws {
    let absent = try lookUp {
      Self.answer(to: $0) {
        $0.flags = 0x8183
        $0.records = []
      }
    }
    #expect(absent.answer == .none)
    let empty = try lookUp { Self.answer(to: $0) { $0.records = [] } }
    #expect(empty.answer == .none)
  }

  @Test(arguments: [0x8182, 0x8184, 0x8185, 0x8380] as [UInt16])
  func `a server that fails, refuses or cuts off is a failure`(flags: UInt16) throws {
    let result = try lookUp(seconds: 1) { Self.answer(to: $0) { $0.flags = flags } }
    #expect(result.answer == .failed)
  }

  @Test func `a server that does not answer is waited for once`() throws {
    let clock = ContinuousClock()
    var result: (answer: ServiceRecords.Answer, packets: Int)?
    let time = try clock.measure { result = try lookUp(seconds: 1) { _ in nil } }
    #expect(result?.answer == .failed)
    #expect(result?.packets == 1)
    #expect(time >= .milliseconds(900) && time < .seconds(30))
  }

  @Test func `answers to other questions are not taken`() throws {
    let result = try lookUp(seconds: 1) { query in
      Self.answer(to: query) { $0.id ^= 1 }
    }
    #expect(result.answer == .failed)
    let other = try lookUp(seconds: 1) { query in
      Self.answer(to: query) { $0.question = "_avatars-sec._tcp.example.net" }
    }
    #expect(other.answer == .failed)
  }

  @Test func `an answer cut at any byte leads nowhere`() throws {
    // The resolver throws away what has no header or no question, and waits on.
    let whole = Self.answer(to: [0, 0])
    let question = 12 + AnswerPacket.name(AnswerPacket.question).count + 4
    for count in stride(from: question, to: whole.count, by: 7) {
      let result = try lookUp(seconds: 1) { Array(Self.answer(to: $0).prefix(count)) }
      #expect(result.answer == .failed, "\(count)")
    }
  }

  @Test(arguments: [
    "", ".", "a..b", "a b.example.org", "_avatars._tcp.bücher.example", "a\u{0}.example.org",
    "_avatars._tcp.[::1]", String(repeating: "a.", count: 127) + "aa",
    String(repeating: "a", count: 64) + ".example.org", "example.org.",
  ]) func `a name that cannot exist is not asked for`(name: String) throws {
    let result = try lookUp(name) { Self.answer(to: $0) }
    #expect(result.answer == .none)
    #expect(result.packets == 0)
  }

  @Test func `the first server that answers is enough`() throws {
    let silent = try NameServer { _ in nil }
    let server = try NameServer { Self.answer(to: $0) }
    let answer = ServiceRecords.lookUp(
      AnswerPacket.question, servers: [Self.server(silent), Self.server(server)], seconds: 5)
    #expect(answer == .found(host: "avatars.example.org", port: 5679))
  }
}
