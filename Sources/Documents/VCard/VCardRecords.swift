import Bytes
import Diagnostics

/// vCard 2.1, 3 and 4: each card becomes a mapping with the names that lists of people usually have.
///
/// A line that cannot be read costs a warning; a card without an end is broken.
struct VCardRecords {
  private var window: TextWindow
  private let limits: DocumentLimits
  /// Where a card begins before the one ahead of it ends.
  private var nextStart: Position?
  private var isEmpty = true

  init(_ window: TextWindow, limits: DocumentLimits) {
    self.window = window
    self.limits = limits
  }

  mutating func next() throws(Diagnostic) -> RecordReader.Finding? {
    while true {
      if let start = nextStart {
        nextStart = nil
        if let finding = try card(from: start) { return finding }
        continue
      }
      guard let line = try nextLine() else {
        if isEmpty { throw Diagnostic.empty(file: window.file) }
        return nil
      }
      if line.bytes.isEmpty { continue }
      isEmpty = false
      nextStart = line.name == "BEGIN" ? line.position : nil
      if nextStart != nil { continue }
      try skipToCard()
      return .broken(problem("no card begins here", at: line.position), at: line.position)
    }
  }

  /// One warning is enough for whatever stands between two cards.
  private mutating func skipToCard() throws(Diagnostic) {
    while nextStart == nil, let line = try nextLine() {
      if line.name == "BEGIN" { nextStart = line.position }
    }
  }

  /// Nil for a group of people.
  private mutating func card(from start: Position) throws(Diagnostic) -> RecordReader.Finding? {
    var card = VCard()
    var size = 0
    var problems: [Diagnostic] = []
    while let line = try nextLine() {
      size += line.bytes.count
      guard size <= limits.recordBytes, card.count <= limits.recordNodes else {
        throw Diagnostic.recordTooLong(limits.recordBytes, file: window.file, at: start)
      }
      switch line.name {
      case "END":
        if card.isGroup { return nil }
        return RecordReader.Finding(
          node: Node(.mapping(card.entries), at: start), problems: problems)
      case "BEGIN":
        nextStart = line.position
        return .broken(problem("the card has no END:VCARD", at: start), at: start)
      case "" where line.bytes.isEmpty: break
      case "":
        if problems.isEmpty { problems.append(problem("the line has no name", at: line.position)) }
      default:
        for (key, node) in line.values {
          if case .scalar(let scalar) = node.content,
            var long = limits.problem(
              ofText: scalar.text.utf8, file: window.file, at: line.position)
          {
            long.severity = .warning
            if problems.isEmpty { problems.append(long) }
          } else {
            card.add(node, for: key, isFirst: line.isPreferred)
          }
        }
      }
    }
    return .broken(problem("the card has no END:VCARD", at: start), at: start)
  }

  private func problem(_ message: String, at position: Position) -> Diagnostic {
    Diagnostic(
      .warning, .vCardSyntax, message, at: FileLocation(file: window.file, position: position),
      help: "a card stands between BEGIN:VCARD and END:VCARD, with a NAME:value in each line")
  }

  // MARK: Lines

  /// The next line with those that continue it; nil at the end of the text.
  private mutating func nextLine() throws(Diagnostic) -> VCardLine? {
    let position = window.cursor.position
    guard var bytes = try textLine() else { return nil }
    let isPrintable = VCardLine(bytes, at: position).isPrintable
    while bytes.count <= limits.recordBytes {
      if isPrintable, bytes.last == Byte.equals, let more = try textLine() {
        bytes.removeLast()
        bytes += more
      } else if window.start < window.bytes.count, window.bytes[window.start].isASCIIBlank,
        let more = try textLine()
      {
        bytes += more.dropFirst()
      } else {
        return VCardLine(bytes, at: position)
      }
    }
    throw Diagnostic.recordTooLong(limits.recordBytes, file: window.file, at: position)
  }

  private mutating func textLine() throws(Diagnostic) -> [UInt8]? {
    var end = window.start
    while end < window.bytes.count, window.bytes[end] != Byte.newline,
      window.bytes[end] != Byte.carriageReturn
    {
      end += 1
      if end - window.start > limits.recordBytes {
        throw Diagnostic.recordTooLong(
          limits.recordBytes, file: window.file, at: window.cursor.position)
      }
    }
    if end == window.bytes.count { try window.checkEnd() }
    guard end < window.bytes.count || end > window.start else { return nil }
    let line = Array(window.bytes[window.start..<end])
    let isPair = window.bytes[end...].starts(with: [Byte.carriageReturn, Byte.newline])
    let next = min(end + (isPair ? 2 : 1), window.bytes.count)
    window.skip(to: next, at: TextCursor(line: window.cursor.position.line + 1))
    return line
  }
}

/// The values of a card, by the names that lists of people usually have.
private struct VCard {
  private var values: [(key: String, nodes: [Node])] = []
  private var places: [String: Int] = [:]
  private(set) var count = 0

  mutating func add(_ node: Node, for key: String, isFirst: Bool) {
    count += 1
    let index = places[key] ?? values.count
    if index == values.count {
      places[key] = index
      values.append((key, []))
    }
    values[index].nodes.append(node)
    if isFirst { values[index].nodes.swapAt(0, values[index].nodes.count - 1) }
  }

  /// Of a card that has people in it.
  var isGroup: Bool {
    ["kind", "x-addressbookserver-kind"].contains { key in
      texts(key).contains { $0.lowercased() == "group" }
    }
  }

  /// Programs take the mail address for the name of whom they know nothing else, and it is not to be
  /// published; the parts of the name are then a better one.
  var entries: [Entry] {
    let mails = Set(texts("email").map { $0.lowercased() })
    func isMail(_ text: String) -> Bool {
      mails.contains(text.lowercased()) || text.lowercased().hasPrefix("mailto:")
    }
    let hasName = texts("name").contains { !isMail($0) }
    return values.compactMap { key, nodes in
      var nodes = nodes
      if ["name", "url", "uid"].contains(key) { nodes.removeAll { isMail(Self.text(of: $0)) } }
      let isSpare = key == VCardLine.partsKey
      if isSpare, hasName { return nil }
      guard let first = nodes.first else { return nil }
      return Entry(
        key: isSpare ? "name" : key, keyPosition: first.position,
        value: nodes.count == 1 ? first : Node(.sequence(nodes), at: first.position))
    }
  }

  private func texts(_ key: String) -> [String] {
    places[key].map { values[$0].nodes.map(Self.text(of:)) } ?? []
  }

  private static func text(of node: Node) -> String {
    if case .scalar(let scalar) = node.content { scalar.text } else { "" }
  }
}
