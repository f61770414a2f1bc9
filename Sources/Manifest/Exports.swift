package import Diagnostics
package import Recipes

package struct Exports: Hashable, Sendable {
  /// A value of the key `exports`.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// An asset catalog for Apple platforms.
    case xcassets
    /// Swift constants for the names in the catalog.
    case swift
    /// `SwiftPackage/`: the catalog with typed accessors, for apps that are built by SwiftPM.
    case swiftPackage = "swift-package"
    /// `res/`: drawables, selectors and colours for Android.
    case android
    /// `sprites.css` and `sprites.json` with a sprite sheet for each style.
    case sprites
    case icons
    /// `buttons.js`: keeps a pressed button highlighted while the finger is near it.
    case touch
    /// `poster.svg` and `poster.png`: all people in one picture.
    case poster
    /// `u/`: pictures of each user under stable names.
    case aliases
    /// `_headers` and similar files: cache rules for web hosts.
    case headers
  }

  package var kinds: Set<Kind> = []
  /// Non-nil if `kinds` contains icons.
  package var icons: IconStyle?
  /// Non-nil if `kinds` contains the poster.
  package var poster: PosterStyle?

  package init() {}

  package func contains(_ kind: Kind) -> Bool { kinds.contains(kind) }
}

package struct IconStyle: Hashable, Sendable {
  package var source = AvatarSource.Kind.initials
  /// For opaque icons and initials.
  package var background: Color?
  /// The site title, from which initials and identicons are generated.
  var title = ""
  package var declared: Located

  package var key: SourceKey {
    SourceKey(source, name: title, id: title, background: background)
  }
}

/// The layout of the poster; lengths are in points.
package struct PosterStyle: Hashable, Sendable {
  /// A group of people under a heading.
  package struct Tier: Hashable, Sendable {
    /// The tag of its people; nil for all people who are not in an earlier tier.
    package var tag: String?
    package var title: String?
    package var size: Int
  }

  /// An index into the styles; nil for the first style on a person's card.
  package var style: Int?
  /// Nil for as many columns as fit.
  package var columns: Int?
  package var gap = 8
  package var size = 40
  package var appearances = ButtonStyle.Appearance.allCases
  /// Never empty: without configured tiers, one tier contains all people.
  package var tiers = [Tier(size: 40)]
  package var declared: Located
}
