package import Diagnostics
package import Recipes

/// A picture that is no user's: the bitmap of a button, an icon, a sheet of sprites.
///
/// It is its source and its recipe; two that are asked for at two places are one.
package struct SiteImage: Sendable {
  package var source: Source
  package var recipe: Recipe
  /// Where the manifest asks for it.
  package var place: FileLocation
  /// `buttons[3]`.
  package var path: String

  package init(_ source: Source, _ recipe: Recipe, place: FileLocation, path: String) {
    self.source = source
    self.recipe = recipe
    self.place = place
    self.path = path
  }
}

extension SiteImage: Hashable {
  package static func == (left: SiteImage, right: SiteImage) -> Bool {
    left.source.digest == right.source.digest && left.recipe == right.recipe
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(source.digest)
    hasher.combine(recipe.frame)
    hasher.combine(recipe.encoding)
  }
}
