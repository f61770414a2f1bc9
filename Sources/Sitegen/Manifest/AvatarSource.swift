package import Documents
package import Imaging

/// One way to get a person's picture, and where the manifest says so.
package struct AvatarSource: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
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
