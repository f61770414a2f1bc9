import Fetch
import TestSupport
import Testing
import Transfers

struct ServiceAnswerTests {
  func read(_ packet: AnswerPacket) -> ServiceRecords.Answer {
    ServiceAnswer.read(packet.bytes, question: AnswerPacket.question)
  }

  func read(_ records: AnswerPacket.Record...) -> ServiceRecords.Answer {
    read(AnswerPacket(records: records.map { (nil, $0) }))
  }

  @Test func `a record leads to its host`() {
    #expect(
      read(.service("Avatars.Example.ORG", port: 5679))
        == .found(host: "avatars.example.org", port: 5679))
  }

  /// RFC 2782: the lowest priority is meant; among equals the choice must not depend on the order.
  @Test func `the same records in any order lead to the same host`() {
    let records: [AnswerPacket.Record] = [
      .service("later.example.org", priority: 1, weight: 500),
      .service("a-light.example.org", weight: 1), .service("heavy-b.example.org", weight: 9),
      .service("heavy-a.example.org", weight: 9, port: 444),
      .service("heavy-a.example.org", weight: 9), .other([1, 2, 3]),
    ]
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    for _ in 0..<50 {
      let packet = AnswerPacket(records: records.shuffled(using: &random).map { (nil, $0) })
      #expect(read(packet) == .found(host: "heavy-a.example.org", port: 443), "seed \(seed)")
    }
  }

  @Test(arguments: [
    ".", "127.0.0.1", "0x7f.1", "2130706433", "a.0x7f000001", "a b.example.org", "a@b.org",
    "-a.example.org", "a-.example.org", "a_b.example.org", "a/b.org", "ex\u{0}ample.org",
    "bücher.example", "a:80.org", "a%2e.org",
  ]) func `a host that is none counts for nothing`(host: String) {
    #expect(read(.service(host)) == .none)
    #expect(
      read(.service(host), .service("b.example.org", priority: 9))
        == .found(host: "b.example.org", port: 443))
  }

  @Test func `port 0 and other people's records count for nothing`() {
    #expect(read(.service("a.example.org", port: 0)) == .none)
    let foreign = AnswerPacket(records: [("_avatars-sec._tcp.evil.org", .service("evil.org"))])
    #expect(read(foreign) == .none)
    #expect(read(.other([])) == .none)
    #expect(read() == .none)
  }

  @Test func `another name of the same service is followed`() {
    let packet = AnswerPacket(records: [
      ("b.example.net", .service("host.example.net")), (nil, .alias("a.example.net")),
      ("a.example.net", .alias("B.example.net")), ("c.example.net", .service("wrong.org")),
    ])
    #expect(read(packet) == .found(host: "host.example.net", port: 443))
  }

  @Test func `names in a circle end`() {
    let packet = AnswerPacket(records: [
      (nil, .alias("a.example.net")), ("a.example.net", .alias(AnswerPacket.question)),
      ("b.example.net", .service("wrong.org")),
    ])
    #expect(read(packet) == .none)
  }

  @Test func `what is no whole answer to the question says nothing`() {
    let good = AnswerPacket(records: [(nil, .service("a.example.org"))])
    #expect(read(good) == .found(host: "a.example.org", port: 443))
    let wrong: [(inout AnswerPacket) -> Void] = [
      { $0.flags = 0x0180 },  // a question
      { $0.flags = 0x8380 },  // cut off
      { $0.flags = 0x8182 },  // the server failed
      { $0.flags = 0x8185 },  // it refused
      { $0.flags = 0x9180 },  // another kind of query
      { $0.question = "_avatars._tcp.example.org" }, { $0.kind = 1 }, { $0.family = 3 },
      { $0.questions = 0 }, { $0.questions = 2 }, { $0.count = 2 }, { $0.count = 0xFFFF },
    ]
    for (index, change) in wrong.enumerated() {
      var packet = good
      change(&packet)
      #expect(read(packet) == .failed, "\(index)")
    }
    var absent = good
    absent.flags = 0x8183
    #expect(read(absent) == .none)
    #expect(ServiceAnswer.read(good.bytes, question: "not a name") == .failed)
    #expect(
      ServiceAnswer.read([UInt8](repeating: 0, count: 65_536), question: good.question) == .failed)
  }

  @Test func `a packet that ends anywhere too early says nothing`() {
    let bytes = AnswerPacket(records: [
      (nil, .other([1, 2, 3])), (nil, .alias("a.example.net")),
      ("a.example.net", .service("avatars.example.org")),
    ]).bytes
    #expect(
      ServiceAnswer.read(bytes, question: AnswerPacket.question)
        == .found(host: "avatars.example.org", port: 443))
    for count in bytes.indices {
      #expect(
        ServiceAnswer.read(bytes.prefix(count), question: AnswerPacket.question) == .failed,
        "\(count)")
    }
  }

  @Test func `a record must be as long as it says`() {
    let packet = AnswerPacket(records: [(nil, .service("a.example.org"))])
    let place = packet.bytes.count - AnswerPacket.name("a.example.org").count - 6 - 1
    for length in UInt8.min...UInt8.max where length != packet.bytes[place] {
      var bytes = packet.bytes
      bytes[place] = length
      #expect(ServiceAnswer.read(bytes, question: packet.question) == .failed, "\(length)")
    }
  }

  @Test func `a pointer leads backwards, or nowhere`() {
    let packet = AnswerPacket(records: [(nil, .service("a.example.org"))])
    let owner = 12 + AnswerPacket.name(packet.question).count + 4
    for target in 0..<packet.bytes.count where target != 12 {
      var bytes = packet.bytes
      bytes[owner] = 0xC0 | UInt8(target >> 8)
      bytes[owner + 1] = UInt8(target & 0xFF)
      // Never this name: into the middle of it, into the header, to itself, forwards.
      let answer = ServiceAnswer.read(bytes, question: packet.question)
      #expect(answer == .none || answer == .failed, "\(target)")
      if target >= owner { #expect(answer == .failed, "\(target)") }
    }
  }

  @Test func `names of more than 255 bytes are refused, however they are put together`() {
    let label = String(repeating: "a", count: 63)
    let long = [label, label, label, label].joined(separator: ".")
    #expect(read(.service(long)) == .failed)
    // A name of 63 bytes, and records whose owners go on from one to the next.
    var bytes = AnswerPacket(count: 6).bytes
    var last = 12
    for _ in 0..<6 {
      let start = bytes.count
      bytes += AnswerPacket.name(label).dropLast() + [0xC0 | UInt8(last >> 8), UInt8(last & 0xFF)]
      bytes += [0, 16, 0, 1, 0, 0, 0, 0, 0, 0]
      last = start
    }
    #expect(ServiceAnswer.read(bytes, question: AnswerPacket.question) == .failed)
  }

  @Test func `any bytes are read to an end`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    let good = AnswerPacket(records: [
      (nil, .alias("a.example.net")), ("a.example.net", .service("avatars.example.org")),
      (nil, .other([9, 9])),
    ]).bytes
    for _ in 0..<20_000 {
      var bytes = good
      for _ in 0...random.next(upTo: 4) {
        bytes[random.next(upTo: bytes.count)] = UInt8.random(in: 0...255, using: &random)
      }
      if case .found(let host, let port) = ServiceAnswer.read(
        bytes, question: AnswerPacket.question)
      {
        #expect(port > 0, "seed \(seed)")
        #expect(
          !host.isEmpty
            && host.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789.-".utf8.contains($0) },
          "seed \(seed)")
      }
    }
  }
}
