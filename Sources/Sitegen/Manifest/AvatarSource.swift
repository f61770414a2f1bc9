package import Documents
package import Imaging

/// One way to get a person's picture, and where the manifest says so.
package struct AvatarSource: Hashable, Sendable {
  package enum Kind: Sendable {
    /// A path as written, relative to the manifest's folder.
    case file(String)
    case color(Color)
    /// A kind with a place of its own that is not built yet: `initials`, `https`, `gravatar`…
    case unsupported(String)
  }

  package var kind: Kind
  package var position: Position

  package init(_ kind: Kind, at position: Position) {
    self.kind = kind
    self.position = position
  }
}

extension AvatarSource.Kind: Hashable {
  /// Paths are equal by their bytes: two spellings that `String` takes for one are two files.
  package static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.file(let path), .file(let otherPath)): path.utf8.elementsEqual(otherPath.utf8)
    case (.color(let color), .color(let otherColor)): color == otherColor
    case (.unsupported(let name), .unsupported(let otherName)): name == otherName
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    // Equal bytes are equal strings, which is all that a hash has to promise.
    case .file(let path): hasher.combine(path)
    case .color(let color): hasher.combine(color)
    case .unsupported(let name): hasher.combine(name)
    }
  }
}
