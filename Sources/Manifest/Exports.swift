package import Diagnostics
package import Recipes

/// What is wanted beside the gallery.
package struct Exports: Hashable, Sendable {
  /// A word of `exports`.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// `Assets.xcassets`: an asset catalog for Apple's platforms.
    case xcassets
    /// `AssetNames.swift`: a constant for each name in the catalog.
    case swift
    /// `SwiftPackage/`: the catalog with typed accessors, for apps that are built by SwiftPM.
    case swiftPackage = "swift-package"
    /// `res/`: drawables, selectors and colours for Android.
    case android
    /// `sprites.css` and `sprites.json`, with sheets of all avatars of a style.
    case sprites
    /// Icons for browsers and home screens.
    case icons
    /// `buttons.js`: a pressed button stays lit while the finger is near it.
    case touch
    /// `poster.svg` and `poster.png`: everybody in one picture.
    case poster
    /// `u/`: each user's pictures under a name that stays.
    case aliases
    /// `_headers` and others: what hosts are told of caches.
    case headers
  }

  package var kinds: Set<Kind> = []
  /// Always there when `kinds` has icons.
  package var icons: IconStyle?
  /// Always there when `kinds` has the poster.
  package var poster: PosterStyle?

  package init() {}

  package func contains(_ kind: Kind) -> Bool { kinds.contains(kind) }
}

/// What the icons of the site show.
package struct IconStyle: Hashable, Sendable {
  package var source = AvatarSource.Kind.initials
  /// Under the icons that may not be transparent, and of initials.
  package var background: Color?
  /// Of the site, which initials and identicons are made of.
  var title = ""
  package var declared: Located

  package var key: SourceKey {
    SourceKey(source, name: title, id: title, background: background)
  }
}

/// How everybody stands on the poster; lengths are points.
package struct PosterStyle: Hashable, Sendable {
  /// People under one heading.
  package struct Tier: Hashable, Sendable {
    /// Who has it; nil for everybody that no tier before has.
    package var tag: String?
    package var title: String?
    /// How wide a picture is.
    package var size: Int
  }

  /// As an index; nil for the first style on a person's card.
  package var style: Int?
  /// Nil for as many as fit.
  package var columns: Int?
  package var gap = 8
  package var size = 40
  package var appearances = ButtonStyle.Appearance.allCases
  /// Never empty: without tiers everybody is in one.
  package var tiers = [Tier(size: 40)]
  package var declared: Located
}
