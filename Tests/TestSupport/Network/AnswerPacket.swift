/// Writes answers of a name server, right ones and wrong ones.
package struct AnswerPacket {
  package enum Record {
    case alias(String)
    /// 4 bytes or 16.
    case address([UInt8])
    /// Of a kind that nobody asked for.
    case other([UInt8])
  }

  package static let question = "a.example.org"

  package var id: UInt16 = 0
  package var flags: UInt16 = 0x8180
  package var question = Self.question
  package var kind: UInt16 = 1
  package var family: UInt16 = 1
  package var questions: UInt16 = 1
  /// In seconds, of each record.
  package var lifetime: UInt16 = 256
  /// In place of how many there are.
  package var count: UInt16?
  /// Each with its owner; nil is a pointer to the question.
  package var records: [(owner: String?, Record)] = []

  package init(
    count: UInt16? = nil, records: [(owner: String?, Record)] = []
  ) {
    self.count = count
    self.records = records
  }

  /// An answer without records to a question.
  package init(to query: [UInt8]) {
    id = UInt16(query[0]) << 8 | UInt16(query[1])
    var labels: [String] = []
    var rest = query.dropFirst(12)
    while let count = rest.popFirst(), count > 0 {
      labels.append(String(decoding: rest.prefix(Int(count)), as: UTF8.self))
      rest = rest.dropFirst(Int(count))
    }
    question = labels.joined(separator: ".")
    if let high = rest.popFirst(), let low = rest.popFirst() {
      kind = UInt16(high) << 8 | UInt16(low)
    }
  }

  package var bytes: [UInt8] {
    var bytes =
      id.bytes + flags.bytes + questions.bytes + (count ?? UInt16(records.count)).bytes
      + [0, 0, 0, 0]
    bytes += Self.name(question) + kind.bytes + family.bytes
    for (owner, record) in records {
      bytes += owner.map(Self.name) ?? [0xC0, 12]
      let (kind, data): (UInt16, [UInt8]) =
        switch record {
        case .alias(let name): (5, Self.name(name))
        case .address(let data): (data.count == 4 ? 1 : 28, data)
        case .other(let data): (16, data)
        }
      bytes += kind.bytes + [0, 1, 0, 0] + lifetime.bytes + UInt16(data.count).bytes + data
    }
    return bytes
  }

  /// The labels of a name, and the empty one at its end; `.` is only that.
  package static func name(_ text: String) -> [UInt8] {
    text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }
}

extension UInt16 {
  fileprivate var bytes: [UInt8] { [UInt8(self >> 8), UInt8(self & 0xFF)] }
}
