import Diagnostics

/// A table that is still open: TOML may add to it further down in the text.
final class TOMLTable {
  enum Origin {
    /// A `[header]`, or braces.
    case header
    /// The header of a table inside; the table's own header may follow.
    case implicit
    /// A dotted key.
    case dotted
  }

  enum Value {
    case node(Node)
    case table(TOMLTable)
  }

  var origin: Origin
  let position: Position
  let depth: Int
  /// The tables before this one if it is the last of an array; only the last one may still grow.
  var earlier: [Node]?
  private var entries: [(key: String, position: Position, value: Value)] = []
  private var indices: [String: Int] = [:]

  init(_ origin: Origin, at position: Position, depth: Int) {
    self.origin = origin
    self.position = position
    self.depth = depth
  }

  subscript(key: String) -> Value? { indices[key].map { entries[$0].value } }

  func position(of key: String) -> Position? { indices[key].map { entries[$0].position } }

  /// Replaces the value if the key is not new.
  func set(_ value: Value, for key: String, at position: Position) {
    if let index = indices[key] {
      entries[index].value = value
    } else {
      indices[key] = entries.count
      entries.append((key, position, value))
    }
  }

  /// The table as it is now, or the array that it ends.
  var node: Node {
    let entries = entries.map { entry in
      let value =
        switch entry.value {
        case .node(let node): node
        case .table(let table): table.node
        }
      return Entry(key: entry.key, keyPosition: entry.position, value: value)
    }
    let node = Node(.mapping(entries), at: position)
    guard let earlier else { return node }
    return Node(.sequence(earlier + [node]), at: earlier.first?.position ?? position)
  }
}
