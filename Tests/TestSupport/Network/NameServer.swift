import Files
import Glibc

/// A scripted DNS server over UDP.
package final class NameServer: Sendable {
  /// A list of answers by lowercase name and question type (`A`, `AAAA`, `CNAME`).
  ///
  /// Each question gets the next answer; the last one is repeated. If only the type is missing, the
  /// answer is empty. If the name is missing, the answer says that it does not exist.
  package typealias Table = [String: [String: [Answer]]]

  package enum Answer: Sendable {
    case records([String])
    case servfail
    case silence
  }

  private static let types: [UInt16: String] = [1: "A", 5: "CNAME", 28: "AAAA"]

  private let socket: Socket
  private let asked = Locked<[String]>([])

  /// Answers questions on a socket, and closes the socket when it is released.
  package init(at socket: Socket, _ table: Table) {
    self.socket = socket
    let turns = Locked<[String: Int]>([:])
    Thread.detachNewThread { [asked] in
      while socket.answerPacket({ packet in
        guard packet.count >= 12 else { return nil }
        let query = AnswerPacket(to: packet)
        let line = "\(Self.types[query.kind] ?? "") \(query.question.lowercased())"
        asked.withLock { $0.append(line) }
        return turns.withLock { Self.answer(to: query, table, &$0) }?.bytes
      }) {}
      socket.close()
    }
  }

  deinit {
    socket.shut()
  }

  package var questions: [String] { asked.withLock(\.self) }

  private static func answer(
    to question: AnswerPacket, _ table: Table, _ turns: inout [String: Int]
  ) -> AnswerPacket? {
    var packet = question
    let type = types[question.kind] ?? ""
    var name = question.question.lowercased()
    // Returns the next answer, which is empty if the name lacks this type.
    func next(_ type: String) -> Answer {
      guard let answers = table[name]?[type], let last = answers.last else { return .records([]) }
      let turn = turns["\(type) \(name)", default: 0]
      turns["\(type) \(name)"] = turn + 1
      return turn < answers.count ? answers[turn] : last
    }
    for _ in 0..<8 {
      guard table[name] != nil else {
        packet.flags |= 3
        return packet
      }
      if type != "CNAME", case .records(let others) = next("CNAME"), let other = others.first {
        packet.records.append((name, .alias(other)))
        name = other
        continue
      }
      switch next(type) {
      case .records(let texts): packet.records += texts.map { (name, record(type, $0)) }
      case .servfail: packet.flags |= 2
      case .silence: return nil
      }
      return packet
    }
    return packet
  }

  private static func record(_ type: String, _ text: String) -> AnswerPacket.Record {
    switch type {
    case "A", "AAAA":
      var bytes = [UInt8](repeating: 0, count: type == "A" ? 4 : 16)
      // The buffer has the size of an address of this family.
      guard unsafe inet_pton(type == "A" ? AF_INET : AF_INET6, text, &bytes) == 1 else { break }
      return .address(bytes)
    case "CNAME": return .alias(text)
    default: break
    }
    preconditionFailure("no record: \(type) \(text)")
  }
}
