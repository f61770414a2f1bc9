package import Diagnostics

/// A value with its position in a document; every format is parsed into a tree of nodes.
package struct Node: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case scalar(Scalar)
    case sequence([Node])
    case mapping([Entry])
  }

  package let content: Content
  package let position: Position

  package init(_ content: Content, at position: Position) {
    self.content = content
    self.position = position
  }

  package static func text(_ text: String, at position: Position) -> Node {
    Node(.scalar(Scalar(text, style: .quoted)), at: position)
  }

  package var text: String? {
    guard case .scalar(let scalar) = content, scalar.style != .null else { return nil }
    return scalar.text
  }
}

package struct Entry: Hashable, Sendable {
  package let key: String
  package let keyPosition: Position
  package let value: Node

  package init(key: String, keyPosition: Position, value: Node) {
    self.key = key
    self.keyPosition = keyPosition
    self.value = value
  }
}

/// An unconverted scalar, which becomes text, a number or a boolean when its key is read.
package struct Scalar: Hashable, Sendable {
  package enum Style: Hashable, Sendable {
    /// Unquoted YAML text or a CSV cell, whose type depends on the key.
    case plain
    /// A JSON string, or a quoted or block scalar in YAML; always text.
    case quoted
    case number
    case boolean
    case null
  }

  package let text: String
  package let style: Style

  package init(_ text: String, style: Style) {
    self.text = text
    self.style = style
  }
}

/// An index that finds duplicate keys, including canonically equivalent ones.
struct KeyIndex {
  private var positions: [String: Position] = [:]

  mutating func first(_ key: String, in entries: [Entry], from base: Int) -> Position? {
    if entries.count - base <= 16 {
      for index in base..<entries.count where entries[index].key == key {
        return entries[index].keyPosition
      }
      return nil
    }
    for entry in entries[(base + positions.count)...] { positions[entry.key] = entry.keyPosition }
    return positions[key]
  }
}
