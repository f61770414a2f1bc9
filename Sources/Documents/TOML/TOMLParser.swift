import Bytes
import Diagnostics

/// A one-pass TOML 1.0 parser that keeps dates and times as text.
struct TOMLParser {
  let bytes: [UInt8]
  let file: String
  let limits: DocumentLimits

  var offset = 0
  private(set) var line = 1
  /// Increases with each UTF-8 continuation byte, so that `offset - lineStart + 1` is the column.
  var lineStart = 0
  private var nodeCount = 0

  init(_ text: CleanText, limits: DocumentLimits) {
    bytes = text.bytes
    file = text.file
    self.limits = limits
  }

  var position: Position { Position(line: line, column: offset - lineStart + 1) }
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func wholeDocument() throws(Diagnostic) -> Node {
    let root = TOMLTable(.header, at: Position(line: 1, column: 1), depth: 1)
    var table = root
    skipSpace()
    guard next != nil else { throw .empty(file: file) }
    while let byte = next {
      if byte == Byte.openBracket {
        table = try header(in: root)
      } else {
        try pair(in: table)
      }
      skipBlanks()
      skipComment()
      guard next == nil || takesNewline() else {
        throw problem("more text follows the value", "write one `key = value` per line")
      }
      skipSpace()
    }
    return root.node
  }

  func problem(_ message: String, _ help: String, at position: Position? = nil) -> Diagnostic {
    Diagnostic(.tomlSyntax, message, file: file, at: position ?? self.position, help: help)
  }

  mutating func takesNewline() -> Bool {
    guard let byte = next, byte == Byte.newline || byte == Byte.carriageReturn else { return false }
    offset = bytes.lineEnd(at: offset)
    line += 1
    lineStart = offset
    return true
  }

  mutating func skipBlanks() { while next?.isASCIIBlank == true { offset += 1 } }

  private mutating func skipComment() {
    guard next == Byte.hash else { return }
    while let byte = next, byte != Byte.newline, byte != Byte.carriageReturn { offset += 1 }
  }

  private mutating func skipSpace() {
    repeat {
      skipBlanks()
      skipComment()
    } while takesNewline()
  }

  private mutating func takes(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  private struct Key {
    let text: String
    let position: Position
  }

  /// Reads a dotted key such as `a.b."c d"` and the spaces after it.
  private mutating func keys() throws(Diagnostic) -> [Key] {
    var keys: [Key] = []
    repeat {
      skipBlanks()
      let start = position
      guard keys.count <= limits.depth else { throw .tooDeep(limits, file: file, at: start) }
      let first = offset
      if next == Byte.quote || next == UInt8(ascii: "'") {
        keys.append(Key(text: try string(isKey: true), position: start))
      } else {
        while let byte = next, byte.isASCIILetterOrDigit || "_-".utf8.contains(byte) { offset += 1 }
        guard offset > first else {
          throw problem(
            "a key was expected here",
            "quote keys with characters other than A-Z a-z 0-9 _ -")
        }
        let text = bytes[first..<offset]
        if let problem = limits.problem(ofText: text, file: file, at: start) { throw problem }
        keys.append(Key(text: String(decoding: text, as: UTF8.self), position: start))
      }
      skipBlanks()
    } while takes(Byte.dot)
    return keys
  }

  private mutating func header(in root: TOMLTable) throws(Diagnostic) -> TOMLTable {
    let start = position
    offset += 1
    let isArray = takes(Byte.openBracket)
    let keys = try keys()
    guard takes(Byte.closeBracket), !isArray || takes(Byte.closeBracket) else {
      let end = isArray ? "`]]`" : "`]`"
      throw problem("\(end) was expected after the table name", "close the brackets")
    }
    var table = root
    for key in keys.dropLast() {
      switch table[key.text] {
      case nil: table = try add(.implicit, at: start, for: key, to: table)
      case .table(let inner): table = inner
      case .node: throw duplicate(key, in: table)
      }
    }
    let key = keys[keys.count - 1]
    switch table[key.text] {
    case nil:
      let new = try add(.header, at: start, for: key, to: table)
      if isArray { new.earlier = [] }
      return new
    case .table(let last) where isArray && last.earlier != nil:
      let new = try add(.header, at: start, for: key, to: table)
      (new.earlier, last.earlier) = (last.earlier, nil)
      new.earlier?.append(last.node)
      return new
    case .table(let inner) where !isArray && inner.origin == .implicit:
      inner.origin = .header
      return inner
    default: throw duplicate(key, in: table)
    }
  }

  private mutating func pair(in table: TOMLTable) throws(Diagnostic) {
    let keys = try keys()
    guard takes(Byte.equals) else {
      throw problem("`=` was expected after the key", "write `key = value`")
    }
    skipBlanks()
    var table = table
    for key in keys.dropLast() {
      switch table[key.text] {
      case nil: table = try add(.dotted, at: key.position, for: key, to: table)
      case .table(let inner) where inner.origin == .dotted: table = inner
      default: throw duplicate(key, in: table)
      }
    }
    let key = keys[keys.count - 1]
    guard table[key.text] == nil else { throw duplicate(key, in: table) }
    table.set(.node(try value(depth: table.depth)), for: key.text, at: key.position)
  }

  private mutating func add(
    _ origin: TOMLTable.Origin, at start: Position, for key: Key, to table: TOMLTable
  ) throws(Diagnostic) -> TOMLTable {
    try count(at: start, depth: table.depth + 1)
    let inner = TOMLTable(origin, at: start, depth: table.depth + 1)
    table.set(.table(inner), for: key.text, at: key.position)
    return inner
  }

  private func duplicate(_ key: Key, in table: TOMLTable) -> Diagnostic {
    .duplicate(
      key.text, file: file, at: key.position, first: table.position(of: key.text) ?? key.position)
  }

  private mutating func count(at start: Position, depth: Int) throws(Diagnostic) {
    nodeCount += 1
    guard nodeCount <= limits.nodes else {
      throw .tooManyValues(limits.nodes, file: file, at: start)
    }
    guard depth <= limits.depth else { throw .tooDeep(limits, file: file, at: start) }
  }

  private mutating func value(depth: Int) throws(Diagnostic) -> Node {
    let start = position
    let isContainer = next == Byte.openBracket || next == Byte.openBrace
    try count(at: start, depth: isContainer ? depth + 1 : depth)
    switch next {
    case Byte.quote, UInt8(ascii: "'"):
      return .text(try string(isKey: false), at: start)
    case Byte.openBracket: return try array(at: start, depth: depth + 1)
    case Byte.openBrace: return try inlineTable(at: start, depth: depth + 1)
    default: return Node(.scalar(try word()), at: start)
    }
  }

  private mutating func array(at start: Position, depth: Int) throws(Diagnostic) -> Node {
    offset += 1
    var nodes: [Node] = []
    repeat {
      skipSpace()
      if next == Byte.closeBracket { break }
      nodes.append(try value(depth: depth))
      skipSpace()
    } while takes(Byte.comma)
    guard takes(Byte.closeBracket) else {
      throw problem(
        "`,` or `]` was expected in a list", "put commas between items, and close the list")
    }
    return Node(.sequence(nodes), at: start)
  }

  private mutating func inlineTable(at start: Position, depth: Int) throws(Diagnostic) -> Node {
    offset += 1
    let table = TOMLTable(.header, at: start, depth: depth)
    skipBlanks()
    if takes(Byte.closeBrace) { return table.node }
    repeat {
      try pair(in: table)
      skipBlanks()
    } while takes(Byte.comma)
    guard takes(Byte.closeBrace) else {
      throw problem(
        "`,` or `}` was expected in a table",
        "put commas between its values, and close the table on the same line")
    }
    return table.node
  }

  private mutating func word() throws(Diagnostic) -> Scalar {
    let start = position
    let first = offset
    while let byte = next, !byte.isASCIISpace, !",]}#".utf8.contains(byte) {
      offset += 1
      // A date and time may be separated by a space, as in `1979-05-27 07:32:00`.
      if next == Byte.space, offset - first == 10, bytes[first + 4] == Byte.minus,
        offset + 1 < bytes.count, bytes[offset + 1].isASCIIDigit
      {
        offset += 1
      }
    }
    let text = String(decoding: bytes[first..<offset], as: UTF8.self)
    if let problem = limits.problem(ofText: text.utf8, file: file, at: start) { throw problem }
    if text == "true" || text == "false" { return Scalar(text, style: .boolean) }
    if let number = TOMLWord.number(text) { return Scalar(number, style: .number) }
    if TOMLWord.isMoment(text) { return Scalar(text, style: .quoted) }
    throw problem(
      text.isEmpty ? "a value was expected here" : "`\(text.brief)` is not a valid TOML value",
      "put text in quotes; write numbers like 1.5 and dates like 2024-12-31", at: start)
  }
}
