import Bytes
import Diagnostics
import Documents

struct Field: Sendable {
  var node: Node
  var path: NodePath

  var items: [Field] {
    guard case .sequence(let items) = node.content else { return [self] }
    return items.enumerated().map { Field(node: $1, path: .item($0, of: path)) }
  }

  subscript(key: String) -> Field? {
    guard case .mapping(let entries) = node.content,
      let entry = entries.first(where: { $0.key == key })
    else { return nil }
    return Field(node: entry.value, path: .key(key, in: path))
  }
}

/// The values in a mapping, keyed by name; absent values are omitted.
struct Fields {
  let field: Field
  var values: [(key: String, field: Field)] = []
  var isSound = true

  var path: NodePath { field.path }
  var position: Position { field.node.position }

  subscript(key: String) -> Field? { values.first { $0.key == key }?.field }
}

indirect enum NodePath: Sendable {
  case root
  case key(String, in: NodePath)
  case item(Int, of: NodePath)

  var text: String? {
    switch self {
    case .root: nil
    case .key(let key, let parent): (parent.text.map { $0 + "." } ?? "") + NodePath.shown(key)
    case .item(let index, let parent): "\(parent.text ?? "")[\(index)]"
    }
  }

  private static func shown(_ key: String) -> String {
    let isWord = key.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }
    return isWord && !key.isEmpty && key.utf8.count <= 60 ? key : key.quoted
  }
}

extension Node {
  var isScalar: Bool { if case .scalar = content { true } else { false } }

  var isList: Bool { if case .sequence = content { true } else { false } }

  var percentText: String? {
    guard case .scalar(let scalar) = content, scalar.text.last == "%" else { return nil }
    return String(scalar.text.dropLast())
  }

  var kind: String {
    switch content {
    case .sequence(let items): "a list of \(items.count)"
    case .mapping: "a mapping"
    case .scalar(let scalar):
      switch scalar.style {
      case .quoted: "the text \(scalar.text.quoted)"
      case .null: "nothing"
      case .plain, .number, .boolean: scalar.text.isEmpty ? "nothing" : scalar.text.shortened
      }
    }
  }

  func isWord(_ word: String) -> Bool {
    guard case .scalar(let scalar) = content else { return false }
    return scalar.text == word
  }
}
