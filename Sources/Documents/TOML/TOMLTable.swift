import Diagnostics

final class TOMLTable {
  enum Origin {
    case header
    /// Created by a nested table's header; this table's own header may follow.
    case implicit
    case dotted
  }

  enum Value {
    case node(Node)
    case table(TOMLTable)
  }

  var origin: Origin
  let position: Position
  let depth: Int
  /// For an array's last table, the tables before it, which can no longer change.
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

  func set(_ value: Value, for key: String, at position: Position) {
    if let index = indices[key] {
      entries[index].value = value
    } else {
      indices[key] = entries.count
      entries.append((key, position, value))
    }
  }

  /// The node for this table; for the last table in an array, the node for the whole array.
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
