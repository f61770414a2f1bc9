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
    /// `res/`: drawables, selectors and colours for Android.
    case android
    /// `sprites.css` and `sprites.json`, with sheets of all avatars of a style.
    case sprites
    /// Icons for browsers and home screens.
    case icons
    /// `buttons.js`: a pressed button stays lit while the finger is near it.
    case touch
  }

  package var kinds: Set<Kind> = []
  /// Always there when `kinds` has icons.
  package var icons: IconStyle?

  package init() {}

  package func contains(_ kind: Kind) -> Bool { kinds.contains(kind) }
}

/// What the icons of the site show.
package struct IconStyle: Hashable, Sendable {
  package var source: AvatarSource.Kind
  /// Under the icons that may not be transparent.
  package var background: Color
  package var declared: Located
}
