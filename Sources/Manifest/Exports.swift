package import Diagnostics
package import Recipes

package struct Exports: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case xcassets
    case swift
    /// `SwiftPackage/`: the catalog with typed accessors, for apps built with SwiftPM.
    case swiftPackage = "swift-package"
    case android
    case sprites
    case icons
    /// `buttons.js`: a script that keeps a pressed button highlighted while the finger is near it.
    case touch
    case poster
    /// `u/`: each user's pictures under stable names.
    case aliases
    /// `_headers` and similar files: cache rules for web hosts.
    case headers
  }

  package var kinds: Set<Kind> = []
  package var icons: IconStyle?
  package var poster: PosterStyle?

  package init() {}

  package func contains(_ kind: Kind) -> Bool { kinds.contains(kind) }
}

package struct IconStyle: Hashable, Sendable {
  package var source = AvatarSource.Kind.initials
  package var background: Color?
  /// The site title, from which initials and identicons are generated.
  var title = ""
  package var declared: Located

  package var key: SourceKey { SourceKey(source, name: title, id: title, background: background) }
}

/// The layout of the poster; lengths are in points.
package struct PosterStyle: Hashable, Sendable {
  package struct Tier: Hashable, Sendable {
    /// The tag that selects people; nil selects everyone who is not in an earlier tier.
    package var tag: String?
    package var title: String?
    package var size: Int
  }

  /// The index of a style; nil means the style shown first on a person's card.
  package var style: Int?
  /// The number of columns; nil means as many as fit.
  package var columns: Int?
  package var gap = 8
  package var size = 40
  package var appearances = ButtonStyle.Appearance.allCases
  /// The groups from top to bottom; without configured tiers, a single tier contains everyone.
  package var tiers = [Tier(size: 40)]
  package var declared: Located
}
