import Diagnostics

/// A one-pass parser for JSON (RFC 8259, without extensions) in valid UTF-8.
struct JSONParser {
  let bytes: [UInt8]
  let end: Int
  let file: String
  let limits: DocumentLimits

  var offset = 0
  private(set) var line: Int
  /// Increases with each UTF-8 continuation byte, so that `offset - lineStart + 1` is the column.
  var lineStart = 0
  private(set) var problems: [Diagnostic] = []

  private var nodeCount = 0
  // The children of all open containers, collected so that each container is allocated only once.
  private var openNodes: [Node] = []
  private var openEntries: [Entry] = []
  var scratch: [UInt8] = []

  init(_ bytes: [UInt8], line: Int = 1, file: String, limits: DocumentLimits) {
    self.bytes = bytes
    end = bytes.count
    self.line = line
    self.file = file
    self.limits = limits
  }

  var position: Position { position(at: offset) }

  func position(at offset: Int) -> Position { Position(line: line, column: offset - lineStart + 1) }

  mutating func wholeText() throws(Diagnostic) -> Node {
    skipSpace()
    guard offset < end else { throw .empty(file: file) }
    let node = try value(depth: 0)
    skipSpace()
    guard offset == end else {
      throw Diagnostic(
        .jsonTrailingText, "expected the end of the file, but found \(found(at: offset))",
        file: file,
        at: position, help: "a JSON file contains one value; put several values in a list")
    }
    return node
  }

  mutating func value(depth: Int) throws(Diagnostic) -> Node {
    nodeCount += 1
    guard nodeCount <= limits.nodes else {
      throw .tooManyValues(limits.nodes, file: file, at: position)
    }
    guard offset < end else { throw unexpected("a value") }
    let start = position
    switch bytes[offset] {
    case Byte.quote: return .text(try string(), at: start)
    case Byte.openBrace: return try mapping(at: start, depth: depth + 1)
    case Byte.openBracket: return try sequence(at: start, depth: depth + 1)
    case Byte.minus, 0x30...0x39:
      return Node(.scalar(Scalar(try number(), style: .number)), at: start)
    case UInt8(ascii: "t") where takes("true"):
      return Node(.scalar(Scalar("true", style: .boolean)), at: start)
    case UInt8(ascii: "f") where takes("false"):
      return Node(.scalar(Scalar("false", style: .boolean)), at: start)
    case UInt8(ascii: "n") where takes("null"):
      return Node(.scalar(Scalar("null", style: .null)), at: start)
    default:
      throw unexpected("a value")
    }
  }

  mutating func skipSpace() {
    while offset < end {
      switch bytes[offset] {
      case Byte.space, Byte.tab:
        offset += 1
        continue
      case Byte.newline:
        offset += 1
      case Byte.carriageReturn:
        offset += 1
        if offset < end, bytes[offset] == Byte.newline { offset += 1 }
      default:
        return
      }
      line += 1
      lineStart = offset
    }
  }

  private mutating func sequence(at start: Position, depth: Int) throws(Diagnostic) -> Node {
    guard depth <= limits.depth else { throw .tooDeep(limits, file: file, at: start) }
    let base = openNodes.count
    offset += 1
    skipSpace()
    if offset < end, bytes[offset] == Byte.closeBracket {
      offset += 1
      return Node(.sequence([]), at: start)
    }
    while true {
      let node = try value(depth: depth)
      openNodes.append(node)
      guard try goesOn(until: Byte.closeBracket) else { break }
    }
    let nodes = Array(openNodes[base...])
    openNodes.removeLast(nodes.count)
    return Node(.sequence(nodes), at: start)
  }

  private mutating func mapping(at start: Position, depth: Int) throws(Diagnostic) -> Node {
    guard depth <= limits.depth else { throw .tooDeep(limits, file: file, at: start) }
    let base = openEntries.count
    var keys = KeyIndex()
    offset += 1
    skipSpace()
    if offset < end, bytes[offset] == Byte.closeBrace {
      offset += 1
      return Node(.mapping([]), at: start)
    }
    while true {
      guard offset < end, bytes[offset] == Byte.quote else {
        throw unexpected(openEntries.count == base ? "`}` or a key in double quotes" : "a key")
      }
      let keyStart = position
      let key = try string()
      skipSpace()
      guard offset < end, bytes[offset] == Byte.colon else { throw unexpected("`:`") }
      offset += 1
      skipSpace()
      let node = try value(depth: depth)
      if let first = keys.first(key, in: openEntries, from: base) {
        if problems.count < limits.problems {
          problems.append(.duplicate(key, file: file, at: keyStart, first: first))
        }
      } else {
        openEntries.append(Entry(key: key, keyPosition: keyStart, value: node))
      }
      guard try goesOn(until: Byte.closeBrace) else { break }
    }
    let entries = Array(openEntries[base...])
    openEntries.removeLast(entries.count)
    return Node(.mapping(entries), at: start)
  }

  private mutating func goesOn(until close: UInt8) throws(Diagnostic) -> Bool {
    skipSpace()
    guard offset < end, bytes[offset] == Byte.comma || bytes[offset] == close else {
      throw unexpected(
        "`,` or `\(Character(Unicode.Scalar(close)))`", help: "put commas between items")
    }
    let byte = bytes[offset]
    let comma = position
    offset += 1
    guard byte == Byte.comma else { return false }
    skipSpace()
    if offset < end, bytes[offset] == close {
      throw Diagnostic(
        .jsonTrailingComma, "there is a comma before \(found(at: offset))", file: file, at: comma,
        help: "remove the comma")
    }
    return true
  }

  private mutating func takes(_ word: String) -> Bool {
    let after = offset + word.utf8.count
    guard bytes[offset..<end].starts(with: word.utf8), after == end || !bytes[after].isWord else {
      return false
    }
    offset = after
    return true
  }
}
