package import Diagnostics
package import Fetch
package import Foundation
package import Recipes
package import Store

/// One way to get a person's picture, and where the manifest says so.
package struct AvatarSource: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A path as written, relative to the manifest's folder.
    case file(String)
    case color(Color)
    /// Nil for a person without any letter, and until name and id are known.
    case initials(Monogram?)
    /// The pattern of an id, empty until it is known.
    case identicon(String)
    /// Somewhere on the network.
    case remote(RemoteAddress)
    /// A picture that stands in the manifest itself.
    case inline(InlinePicture)
    /// An address of which we know without asking that it leads nowhere.
    case faulty(FetchFailure)
  }

  package var kind: Kind
  package var position: Position
  /// Its number in the manifest's `fallback`; nil for what the user names.
  package var fallback: Int?

  package init(_ kind: Kind, at position: Position, fallback: Int? = nil) {
    self.kind = kind
    self.position = position
    self.fallback = fallback
  }
}

/// The bytes of a `data:` address, equal when they have the same digest.
package struct InlinePicture: Hashable, Sendable {
  package let digest: Digest
  package let bytes: Data

  package init(_ bytes: Data) {
    digest = Digest(of: bytes)
    self.bytes = bytes
  }

  package static func == (left: Self, right: Self) -> Bool { left.digest == right.digest }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// Paths are compared by their bytes: `é` in two spellings is one `String` and two files.
extension AvatarSource.Kind {
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.file(let left), .file(let right)): left.utf8.elementsEqual(right.utf8)
    case (.color(let left), .color(let right)): left == right
    case (.initials(let left), .initials(let right)): left == right
    case (.identicon(let left), .identicon(let right)): left == right
    case (.remote(let left), .remote(let right)): left == right
    case (.inline(let left), .inline(let right)): left == right
    case (.faulty(let left), .faulty(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .file(let path): hasher.combine(path)
    case .color(let color): hasher.combine(color)
    case .initials(let monogram): hasher.combine(monogram)
    case .identicon(let id): hasher.combine(id)
    case .remote(let address): hasher.combine(address)
    case .inline(let picture): hasher.combine(picture)
    case .faulty(let failure): hasher.combine(failure)
    }
  }
}

extension User {
  /// Fills in what pictures drawn from the person's own words need, once all of them are known.
  mutating func nameGeneratedAvatars() {
    for index in avatars.indices {
      switch avatars[index].kind {
      case .initials:
        avatars[index].kind = .initials(Monogram(name: name, id: id, ground: background))
      case .identicon:
        avatars[index].kind = .identicon(id)
      case .file, .color, .remote, .inline, .faulty:
        break
      }
    }
  }
}
