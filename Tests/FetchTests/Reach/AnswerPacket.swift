/// Writes answers of a name server, right ones and wrong ones.
struct AnswerPacket {
  enum Record {
    case service(String, priority: UInt16 = 0, weight: UInt16 = 0, port: UInt16 = 443)
    case alias(String)
    /// Of a kind that nobody asked for.
    case other([UInt8])
  }

  static let question = "_avatars-sec._tcp.example.org"

  var id: UInt16 = 0
  var flags: UInt16 = 0x8180
  var question = Self.question
  var kind: UInt16 = 33
  var family: UInt16 = 1
  var questions: UInt16 = 1
  /// In place of how many there are.
  var count: UInt16?
  /// Each with its owner; nil is a pointer to the question.
  var records: [(owner: String?, Record)] = []

  var bytes: [UInt8] {
    var bytes =
      id.bytes + flags.bytes + questions.bytes + (count ?? UInt16(records.count)).bytes
      + [0, 0, 0, 0]
    bytes += Self.name(question) + kind.bytes + family.bytes
    for (owner, record) in records {
      bytes += owner.map(Self.name) ?? [0xC0, 12]
      let (kind, data): (UInt16, [UInt8]) =
        switch record {
        case .service(let host, let priority, let weight, let port):
          (33, priority.bytes + weight.bytes + port.bytes + Self.name(host))
        case .alias(let name): (5, Self.name(name))
        case .other(let data): (16, data)
        }
      bytes += kind.bytes + [0, 1, 0, 0, 1, 0] + UInt16(data.count).bytes + data
    }
    return bytes
  }

  /// The labels of a name, and the empty one at its end; `.` is only that.
  static func name(_ text: String) -> [UInt8] {
    text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }
}

extension UInt16 {
  fileprivate var bytes: [UInt8] { [UInt8(self >> 8), UInt8(self & 0xFF)] }
}
