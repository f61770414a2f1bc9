package import Diagnostics

/// One value of a document and its position; YAML, JSON and CSV all become this tree.
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

/// One `key: value` of a mapping, in the order of the document.
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

/// A leaf as written; the reader of a field decides whether it is text, a number or a boolean.
package struct Scalar: Hashable, Sendable {
  package enum Style: Hashable, Sendable {
    /// Bare YAML text and CSV cells: text, number, boolean or null, as the field decides.
    case plain
    /// Quoted or block YAML text and JSON strings: always text.
    case quoted
    /// JSON and TOML.
    case number
    /// JSON and TOML: `true` or `false`.
    case boolean
    /// JSON only.
    case null
  }

  package let text: String
  package let style: Style

  package init(_ text: String, style: Style) {
    self.text = text
    self.style = style
  }
}

/// Finds duplicate keys of one mapping: searches a few keys, hashes many.
///
/// Keys are compared as Swift compares strings, so two spellings of the same accents are one key.
struct KeyIndex {
  private var positions: [String: Position] = [:]

  /// The position of the key in `entries[base...]`, whose keys are all different.
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
