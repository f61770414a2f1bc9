import Bytes
package import Fetch

/// Reads the answer of a name server, which anybody on the way may have forged (RFC 1035).
package enum ServiceAnswer {
  package static let longest = 65_535

  /// Finds the service of a name in a packet.
  ///
  /// All answers are read before one is believed: a damaged packet says nothing.
  package static func read(
    _ packet: some Collection<UInt8>, question: String
  ) -> ServiceRecords.Answer {
    guard packet.count <= longest, let question = DomainName.labels(question) else {
      return .failed
    }
    do {
      var reader = PacketReader(bytes: Array(packet))
      return try read(&reader, question: question)
    } catch {
      return .failed
    }
  }

  private struct Record {
    var owner: [[UInt8]]
    var priority: UInt16
    var weight: UInt16
    var port: UInt16
    var target: [[UInt8]]
  }

  private static func read(
    _ reader: inout PacketReader, question: [[UInt8]]
  ) throws(PacketReader.Damaged) -> ServiceRecords.Answer {
    _ = try reader.word()
    let flags = try reader.word()
    let questions = try reader.word()
    let answers = try reader.word()
    try reader.skip(4)
    // An answer to a standard query, and not truncated.
    guard flags & 0x8000 != 0, flags >> 11 & 15 == 0, flags & 0x0200 == 0, questions == 1 else {
      return .failed
    }
    guard try reader.name() == question, try reader.word() == service, try reader.word() == internet
    else { return .failed }
    switch flags & 15 {
    case 0: break
    case 3: return .none
    default: return .failed
    }
    var records: [Record] = []
    var aliases: [[[UInt8]]: [[UInt8]]] = [:]
    for _ in 0..<answers {
      let owner = try reader.name()
      let kind = try reader.word()
      let family = try reader.word()
      try reader.skip(4)
      let length = Int(try reader.word())
      let end = reader.position + length
      switch (family, kind) {
      case (internet, service):
        let priority = try reader.word()
        let weight = try reader.word()
        let port = try reader.word()
        let target = try reader.name()
        records.append(
          Record(owner: owner, priority: priority, weight: weight, port: port, target: target))
      case (internet, alias):
        aliases[owner] = try reader.name()
      default:
        try reader.skip(length)
      }
      guard reader.position == end else { throw PacketReader.Damaged() }
    }
    return choose(records, of: follow(aliases, from: question))
  }

  private static let alias: UInt16 = 5
  private static let service: UInt16 = 33
  private static let internet: UInt16 = 1

  /// Follows aliases, at most eight of them.
  private static func follow(_ aliases: [[[UInt8]]: [[UInt8]]], from name: [[UInt8]]) -> [[UInt8]] {
    var name = name
    for _ in 0..<8 {
      guard let next = aliases[name] else { break }
      name = next
    }
    return name
  }

  private static func choose(_ records: [Record], of owner: [[UInt8]]) -> ServiceRecords.Answer {
    let candidates = records.filter { $0.owner == owner && $0.port != 0 }
      .compactMap { record in
        DomainName.host(record.target).map { host in
          (priority: record.priority, weight: record.weight, host: host, port: record.port)
        }
      }
    let best = candidates.min { left, right in
      (left.priority, right.weight, left.host, left.port)
        < (right.priority, left.weight, right.host, right.port)
    }
    return best.map { .found(host: $0.host, port: $0.port) } ?? .none
  }
}

/// Never reads beyond the end of its packet.
private struct PacketReader {
  struct Damaged: Error {}

  let bytes: [UInt8]
  private(set) var position = 0

  private func byte(at position: Int) throws(Damaged) -> Int {
    guard bytes.indices.contains(position) else { throw Damaged() }
    return Int(bytes[position])
  }

  mutating func word() throws(Damaged) -> UInt16 {
    let word = try byte(at: position) << 8 | byte(at: position + 1)
    position += 2
    return UInt16(word)
  }

  mutating func skip(_ count: Int) throws(Damaged) {
    guard count <= bytes.count - position else { throw Damaged() }
    position += count
  }

  /// The labels of a name, in lower case.
  ///
  /// A pointer must lead to before the part that it ends, so the loop ends.
  mutating func name() throws(Damaged) -> [[UInt8]] {
    var labels: [[UInt8]] = []
    var length = 1
    var part = position
    var at = position
    var after: Int?
    while true {
      let count = try byte(at: at)
      switch count {
      case 0:
        position = after ?? at + 1
        return labels
      case 1...63:
        length += count + 1
        guard length <= 255, at + 1 + count <= bytes.count else { throw Damaged() }
        labels.append(bytes[(at + 1)..<(at + 1 + count)].map(\.asciiLowercased))
        at += 1 + count
      case 0xC0...0xFF:
        let target = try (count & 0x3F) << 8 | byte(at: at + 1)
        if after == nil { after = at + 2 }
        guard target < part else { throw Damaged() }
        part = target
        at = target
      default:
        throw Damaged()
      }
    }
  }
}
