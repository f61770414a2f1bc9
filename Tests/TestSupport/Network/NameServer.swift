import Foundation
import Glibc

/// A name server on this machine that answers as a test tells it.
///
/// It is told by a table in JSON: for each name in lower case, for each type of question (`A`,
/// `AAAA`, `CNAME`, `SRV`), a list of answers, of which each question takes the next one and the
/// last again and again. An answer is a list of what there is, such as `["198.41.0.4"]` or
/// `["0 5 443 target.example"]`, or `"nxdomain"`, `"servfail"`, `"silence"`. A name that has no such
/// type has nothing of it; a name that is not there does not exist.
package final class NameServer {
  package typealias Table = [String: [String: [Answer]]]

  package enum Answer: Encodable, Sendable {
    case records([String])
    case nxdomain
    case servfail
    case silence

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .records(let records): try container.encode(records)
      case .nxdomain: try container.encode("nxdomain")
      case .servfail: try container.encode("servfail")
      case .silence: try container.encode("silence")
      }
    }
  }

  private let process = Process()
  private let work = TemporaryFolder()
  package let port: UInt16

  /// Starts it at 127.0.0.1, at a free port, and waits until it listens.
  package init(_ table: Table) throws {
    try work.write(JSONEncoder().encode(table), to: "names.json")
    try work.write("", to: "out")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-u", "-c", Self.module + Self.program, work.path(of: "names.json")]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: work.path(of: "out"))
    process.standardError = FileHandle.nullDevice
    try process.run()
    var port: UInt16?
    _ = try eventually { [work, process] in
      port = try work.text(of: "out").split(separator: "\n").first.flatMap { UInt16($0) }
      return port != nil || !process.isRunning
    }
    guard let port else { throw ProgramGate.NeverReached(name: "the name server") }
    self.port = port
  }

  deinit {
    if process.isRunning { _ = kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// The questions so far, as `A name.example`.
  package func questions() throws -> [String] {
    try work.text(of: "out").split(separator: "\n").dropFirst().map(String.init)
  }

  private static let program = """

    names = Names(json.load(open(sys.argv[1])))
    print(names.listen(0))
    names.serve(print)

    """

  /// For programs that have a name server beside other things: `Names(table)`, `listen(port)`,
  /// `serve(note)`, and what was asked in `questions`.
  package static let module = """
    import json, socket, struct, sys
    TYPES = {1: "A", 5: "CNAME", 28: "AAAA", 33: "SRV"}
    NUMBERS = {name: number for number, name in TYPES.items()}
    def packed(name):
        labels = [label for label in name.split(".") if label]
        return b"".join(bytes([len(label)]) + label.encode() for label in labels) + b"\\0"
    def data(kind, text):
        if kind == "A": return socket.inet_aton(text)
        if kind == "AAAA": return socket.inet_pton(socket.AF_INET6, text)
        if kind == "CNAME": return packed(text)
        *numbers, target = text.split()
        return struct.pack(">HHH", *map(int, numbers)) + packed(target)
    class Names:
        def __init__(self, table):
            self.table, self.questions, self.asked = table, [], {}
        def listen(self, port):
            self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.socket.bind(("127.0.0.1", port))
            return self.socket.getsockname()[1]
        def serve(self, note=lambda line: None):
            while True:
                question, client = self.socket.recvfrom(4096)
                try:
                    answer = self.answer(question, note)
                except (IndexError, ValueError, struct.error):
                    continue
                if answer: self.socket.sendto(answer, client)
        def next(self, name, kind):
            # The answer whose turn it is; nothing when there is none of that kind.
            answers = self.table[name].get(kind)
            if not answers: return []
            turn = self.asked.get((name, kind), 0)
            self.asked[name, kind] = turn + 1
            return answers[min(turn, len(answers) - 1)]
        def answer(self, question, note):
            place, labels = 12, []
            while question[place]:
                labels.append(question[place + 1:place + 1 + question[place]].decode().lower())
                place += 1 + question[place]
            number, = struct.unpack(">H", question[place + 1:place + 3])
            name, kind = ".".join(labels), TYPES.get(number, "")
            self.questions.append(f"{kind} {name}")
            note(self.questions[-1])
            code, records = 0, []
            # A name may be another one, and so on.
            for _ in range(8):
                if name not in self.table:
                    code = 3
                    break
                if kind != "CNAME":
                    other = self.next(name, "CNAME")
                    if isinstance(other, list) and other:
                        records.append((name, "CNAME", other[0]))
                        name = other[0]
                        continue
                found = self.next(name, kind)
                if found == "silence": return None
                if found in ("nxdomain", "servfail"):
                    code = {"nxdomain": 3, "servfail": 2}[found]
                else:
                    records += [(name, kind, text) for text in found]
                break
            head = question[:2] + struct.pack(">HHHHH", 0x8580 | code, 1, len(records), 0, 0)
            body = question[12:place + 5]
            for owner, type, text in records:
                value = data(type, text)
                body += packed(owner) + struct.pack(">HHIH", NUMBERS[type], 1, 0, len(value)) + value
            return head + body

    """
}
