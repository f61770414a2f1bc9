/// A DNS answer.
struct AnswerPacket {
  enum Record {
    case alias(String)
    case address([UInt8])
  }

  private var id: UInt16
  var flags: UInt16 = 0x8580
  private(set) var question: String
  private(set) var kind: UInt16 = 1
  /// The records with their names; their lifetime is 0, so that they are not cached.
  var records: [(owner: String, Record)] = []

  /// Creates an answer without records.
  init(to query: [UInt8]) {
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

  var bytes: [UInt8] {
    var bytes = id.bytes + flags.bytes + [0, 1] + UInt16(records.count).bytes + [0, 0, 0, 0]
    bytes += Self.name(question) + kind.bytes + [0, 1]
    for (owner, record) in records {
      let (kind, data): (UInt16, [UInt8]) =
        switch record {
        case .alias(let name): (5, Self.name(name))
        case .address(let data): (data.count == 4 ? 1 : 28, data)
        }
      bytes += Self.name(owner) + kind.bytes + [0, 1, 0, 0, 0, 0] + UInt16(data.count).bytes + data
    }
    return bytes
  }

  /// Returns the labels of a name, followed by an empty label; `.` has only the empty label.
  private static func name(_ text: String) -> [UInt8] {
    text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }
}

extension UInt16 {
  fileprivate var bytes: [UInt8] { [UInt8(self >> 8), UInt8(self & 0xFF)] }
}
