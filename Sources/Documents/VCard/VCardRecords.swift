import Bytes
import Diagnostics

/// A reader of vCard 2.1, 3 and 4 that skips unreadable lines with a warning.
struct VCardRecords: RecordSource {
  private let text: CleanText
  private var lines: TextLines
  private let limits: DocumentLimits
  private var isEmpty = true

  init(_ text: CleanText, limits: DocumentLimits) {
    self.text = text
    lines = TextLines(text.bytes)
    self.limits = limits
  }

  mutating func next() throws(Diagnostic) -> RecordReader.Record? {
    // Report all stray text between two cards in a single warning.
    var stray: Position?
    while true {
      let before = lines
      guard let line = nextLine() else { break }
      if line.bytes.isEmpty { continue }
      isEmpty = false
      if line.name != "BEGIN" {
        stray = stray ?? line.position
      } else if stray != nil {
        lines = before
        break
      } else if let record = try card(from: line.position) {
        return record
      }
    }
    if isEmpty { throw Diagnostic.empty(file: text.file) }
    return stray.map { .broken(problem("expected BEGIN:VCARD", at: $0), at: $0) }
  }

  private mutating func card(from start: Position) throws(Diagnostic) -> RecordReader.Record? {
    var card = VCard()
    var problems: [Diagnostic] = []
    while true {
      let before = lines
      guard let line = nextLine(), line.name != "BEGIN" else {
        lines = before
        return .broken(problem("the card does not end with END:VCARD", at: start), at: start)
      }
      guard card.count <= limits.nodes else {
        throw .tooManyValues(limits.nodes, file: text.file, at: line.position)
      }
      if line.name == "END" {
        return card.isGroup
          ? nil
          : RecordReader.Record(node: Node(.mapping(card.entries), at: start), problems: problems)
      }
      if line.name.isEmpty, !line.bytes.isEmpty {
        problems.append(problem("the name before the colon is missing", at: line.position))
      }
      for (key, node) in line.values {
        let bytes = (node.text ?? "").utf8
        if var long = limits.problem(ofText: bytes, file: text.file, at: line.position) {
          long.severity = .warning
          problems.append(long)
        } else {
          card.add(node, for: key, isFirst: line.isPreferred)
        }
      }
      problems = Array(problems.prefix(1))
    }
  }

  private func problem(_ message: String, at position: Position) -> Diagnostic {
    Diagnostic(
      .warning, .vcardSyntax, message, at: FileLocation(file: text.file, position: position),
      help: "write BEGIN:VCARD, one NAME:value per line, and END:VCARD"
    )
  }

  private mutating func nextLine() -> VCardLine? {
    guard let range = lines.next() else { return nil }
    var bytes = Array(text.bytes[range])
    let position = Position(line: lines.number, column: 1)
    let isPrintable = VCardLine(bytes, at: position).isPrintable
    while lines.offset < text.bytes.count {
      if isPrintable, bytes.last == Byte.equals {
        bytes.removeLast()
        bytes += lines.next().map { text.bytes[$0] } ?? []
      } else if text.bytes[lines.offset].isASCIIBlank {
        bytes += lines.next().map { text.bytes[$0].dropFirst() } ?? []
      } else {
        break
      }
    }
    return VCardLine(bytes, at: position)
  }
}

private struct VCard {
  private var keys: [String] = []
  private var nodes: [String: [Node]] = [:]
  private(set) var count = 0

  mutating func add(_ node: Node, for key: String, isFirst: Bool) {
    count += 1
    if nodes[key] == nil { keys.append(key) }
    nodes[key, default: []].append(node)
    let last = nodes[key, default: []].count - 1
    if isFirst { nodes[key]?.swapAt(0, last) }
  }

  var isGroup: Bool {
    ["kind", "x-addressbookserver-kind"].contains { key in
      texts(key).contains { $0.lowercased() == "group" }
    }
  }

  /// The record's entries; email addresses are not used as names, because names are published.
  var entries: [Entry] {
    let mails = Set(texts("email").map { $0.lowercased() })
    func isMail(_ text: String) -> Bool {
      mails.contains(text.lowercased()) || text.lowercased().hasPrefix("mailto:")
    }
    let hasName = texts("name").contains { !isMail($0) }
    return keys.compactMap { key in
      var nodes = nodes[key, default: []]
      if ["name", "url", "uid"].contains(key) { nodes.removeAll { isMail($0.text ?? "") } }
      let isSpare = key == VCardLine.partsKey
      if isSpare, hasName { return nil }
      guard let first = nodes.first else { return nil }
      return Entry(
        key: isSpare ? "name" : key, keyPosition: first.position,
        value: nodes.count == 1 ? first : Node(.sequence(nodes), at: first.position))
    }
  }

  private func texts(_ key: String) -> [String] { nodes[key, default: []].compactMap(\.text) }
}
