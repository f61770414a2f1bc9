package import Diagnostics
package import Recipes

/// How the gallery is cut into pages, and which of them there are.
package struct PageSettings: Hashable, Sendable {
  /// People on a page.
  package var size: Int
  /// The styles whose pictures stand on the cards, as indices; nil: the first that a user has.
  package var show: [Int]?
  /// The name of a look beside the plain one.
  package var theme: NamedTheme?
  /// A page for each person.
  package var people: Bool
  /// A page for each tag.
  package var tags: Bool
  /// A page for each style.
  package var styles: Bool
  /// Ids of users who are the examples on the page of the styles; nil: the first with pictures.
  package var examples: [String]?
  /// `feed.json`: everybody, for programs that read feeds.
  package var feed: Bool
  /// A card for address books, for each person.
  package var cards: Bool
  /// What the pictures lie on in the picture of the whole team; opaque.
  package var cardColor: Color

  package static let defaultSize = 100
  package static let defaultCardColor = Color(red: 0xF7, green: 0xF7, blue: 0xF5)

  package init(
    size: Int = defaultSize, show: [Int]? = nil, theme: NamedTheme? = nil, people: Bool = false,
    tags: Bool = true, styles: Bool = true, examples: [String]? = nil, feed: Bool = false,
    cards: Bool = false, cardColor: Color = defaultCardColor
  ) {
    self.size = size
    self.show = show
    self.theme = theme
    self.people = people
    self.tags = tags
    self.styles = styles
    self.examples = examples
    self.feed = feed
    self.cards = cards
    self.cardColor = cardColor
  }
}

/// A look that the manifest names, and where it says so.
package struct NamedTheme: Hashable, Sendable {
  /// `[a-z0-9-]+`: it begins the names of files.
  package var name: String
  package var place: FileLocation

  package init(name: String, place: FileLocation) {
    self.name = name
    self.place = place
  }
}
