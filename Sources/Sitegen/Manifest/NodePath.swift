import Diagnostics

/// Where in a document, `users[3].avatar`; spelled out only when something is said about it.
indirect enum NodePath {
  case root
  case key(String, in: NodePath)
  case item(Int, of: NodePath)

  /// Nil for the whole document.
  var text: String? {
    switch self {
    case .root: nil
    case .key(let key, let parent): (parent.text.map { $0 + "." } ?? "") + NodePath.shown(key)
    case .item(let index, let parent): "\(parent.text ?? "")[\(index)]"
    }
  }

  /// Keys as they are, unless they would blur the path.
  private static func shown(_ key: String) -> String {
    let isWord = key.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    return isWord && !key.isEmpty && key.utf8.count <= 60 ? key : key.quoted
  }
}
