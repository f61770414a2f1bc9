package import Diagnostics
package import Recipes

/// How the gallery is cut into pages, and which of them there are.
package struct PageSettings: Hashable, Sendable {
  /// People on a page.
  package var size = 100
  /// The styles whose pictures stand on the cards, as indices; nil: the first that a user has.
  package var show: [Int]?
  /// Another theme than the plain one.
  package var theme: NamedTheme?
  /// A page for each person.
  package var people = false
  /// A page for each tag.
  package var tags = true
  /// A page for each style.
  package var styles = true
  /// Ids of users who are the examples on the page of the styles; nil: the first with pictures.
  package var examples: [String]?
  /// `feed.json`: everybody, for programs that read feeds.
  package var feed = false
  /// A card for address books, for each person.
  package var cards = false
  /// What the pictures lie on in the picture of the whole team; opaque.
  package var cardColor = Color(red: 0xF7, green: 0xF7, blue: 0xF5)
}

/// A theme that the manifest names.
package struct NamedTheme: Hashable, Sendable {
  /// `[a-z0-9-]+`: it begins the names of files.
  package var name: String
  package var location: FileLocation
}
