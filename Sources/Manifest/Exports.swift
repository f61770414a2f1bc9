package import Diagnostics
package import Recipes

package struct Exports: Hashable, Sendable {
  /// A value of the `exports` key.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// An asset catalog for Apple platforms.
    case xcassets
    /// Swift constants for the names in the catalog.
    case swift
    /// `SwiftPackage/`: the catalog with typed accessors, for apps built with SwiftPM.
    case swiftPackage = "swift-package"
    /// `res/`: drawables, selectors and colours for Android.
    case android
    /// `sprites.css`, `sprites.json` and a sprite sheet for each style.
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
  /// Non-nil if `kinds` contains `.icons`.
  package var icons: IconStyle?
  /// Non-nil if `kinds` contains `.poster`.
  package var poster: PosterStyle?

  package init() {}

  package func contains(_ kind: Kind) -> Bool { kinds.contains(kind) }
}

package struct IconStyle: Hashable, Sendable {
  package var source = AvatarSource.Kind.initials
  /// The background of opaque icons and of initials.
  package var background: Color?
  /// The site title; initials and identicons are generated from it.
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
    /// Selects people by tag; nil selects everyone who is not in an earlier tier.
    package var tag: String?
    package var title: String?
    package var size: Int
  }

  /// An index into the styles; nil for the style shown first on a person's card.
  package var style: Int?
  /// Nil means as many columns as fit.
  package var columns: Int?
  package var gap = 8
  package var size = 40
  package var appearances = ButtonStyle.Appearance.allCases
  /// Never empty: without configured tiers, a single tier contains everyone.
  package var tiers = [Tier(size: 40)]
  package var declared: Located
}
