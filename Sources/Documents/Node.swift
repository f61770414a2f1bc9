package import Diagnostics

/// A value with its position; all formats are parsed into this tree.
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
    /// Unquoted YAML text and CSV cells; the type depends on the key.
    case plain
    /// JSON strings, and quoted or block YAML text: always text.
    case quoted
    /// Only in JSON and TOML.
    case number
    /// Only in JSON and TOML: `true` or `false`.
    case boolean
    /// Only in JSON.
    case null
  }

  package let text: String
  package let style: Style

  package init(_ text: String, style: Style) {
    self.text = text
    self.style = style
  }
}

/// Finds duplicate keys; canonically equivalent keys are duplicates.
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
