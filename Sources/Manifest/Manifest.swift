import Bytes
package import Diagnostics
package import Recipes

/// What the user asked for, checked and complete: every default is filled in.
package struct Manifest: Hashable, Sendable {
  package var site: SiteDescription
  package var styles: [AvatarStyle]
  package var buttons: [ButtonStyle]
  package var users: [User]
  /// Sources may lie outside the manifest's folder.
  package var allowOutside: Bool
  /// What initials are written in before any other font.
  package var font: NamedFile?
  /// Where the manifest names the sources at the end of every user's list.
  package var fallback: [Located]
  package var strips: [ShadowStrip]
  package var exports: Exports
  package var pages: PageSettings
  package var network: NetworkSettings
  /// How each notice is told; those that are left out are not.
  package var notices: [Notice: Diagnostic.Severity]
  /// Seconds for which pictures stay in the output that nothing names any more.
  package var keepOld: Int64
}

/// What may be wrong with a picture that is shown all the same.
package enum Notice: String, CaseIterable, Hashable, Sendable {
  /// Several people have it.
  case same
  /// It has fewer pixels than an image of it.
  case small
  /// It is almost of one colour.
  case plain
  /// A circle is cut out already.
  case round
  /// No face was found in it.
  case faceless
  /// It has letters that are not drawn.
  case textless
}

/// A file that the manifest names.
package struct NamedFile: Hashable, Sendable {
  /// Relative to the manifest's folder.
  package var path: String
  package var location: FileLocation
}

/// The words on the pages.
package struct SiteDescription: Hashable, Sendable {
  package var title = "Gallery"
  package var description: String?
  /// A BCP 47 tag, for `<html lang>`.
  package var language = "en"
  /// What the pages say instead of the language's own words, by key.
  package var words: [String: String] = [:]
  /// Where the site will be, with `/` at its end; some things need whole addresses.
  package var url: String?

  package init() {}
}

/// One person; there may be a million, so nothing is held for what few have.
package struct User: Hashable, Sendable {
  /// Unique after NFC; never used raw in a path.
  package var id: String
  package var name: String
  package var title: String?
  package var link: String?
  private var first: AvatarSource?
  package var background: Color?
  private let number: Int32
  private var others: [AvatarSource] = []
  package var tags: [String] = []
  private var rare: Rare?
  private let location: FileLocation

  package init(
    id: String, name: String, avatars: [AvatarSource] = [], at location: FileLocation, number: Int
  ) {
    self.id = id
    self.name = name
    self.location = location
    self.number = Int32(clamping: number)
    self.avatars = avatars
  }

  /// Tried in this order; the first that works wins.
  package var avatars: [AvatarSource] {
    get { first.map { [$0] + others } ?? [] }
    set { (first, others) = (newValue.first, Array(newValue.dropFirst())) }
  }

  package var avatarCount: Int { first == nil ? 0 : 1 + others.count }

  package func avatar(_ index: Int) -> AvatarSource? { index == 0 ? first : others[index - 1] }

  /// `users[3]`, and where its first key is.
  package var declared: Located { Located(location, path: "users[\(number)]") }

  private struct Details: Hashable {
    var organisation: String?
    var about: String?
    var links: [String] = []
    var styles: [Int]?
    var focus: Focus?
    var decorations: [String] = []
    var alias: String?
    var hasMailID = false
  }

  private indirect enum Rare: Hashable { case details(Details) }

  private var details: Details {
    get { if case .details(let details) = rare { details } else { Details() } }
    set { rare = newValue == Details() ? nil : .details(newValue) }
  }

  package var organisation: String? {
    get { details.organisation }
    set { details.organisation = newValue }
  }

  /// A few sentences, with line breaks.
  package var about: String? {
    get { details.about }
    set { details.about = newValue }
  }

  /// Other places on the web, beside `link`.
  package var links: [String] {
    get { details.links }
    set { details.links = newValue }
  }

  /// Indices into the manifest's styles; nil means all of them.
  package var styles: [Int]? {
    get { details.styles }
    set { details.styles = newValue }
  }

  /// What every crop of the picture keeps, whatever the styles say.
  package var focus: Focus? {
    get { details.focus }
    set { details.focus = newValue }
  }

  /// Names of decorations, sorted and distinct.
  package var decorations: [String] {
    get { details.decorations }
    set { details.decorations = newValue }
  }

  /// What the user is called in paths instead of the id: `[a-z0-9_-]+`, or empty for no name.
  package var alias: String? {
    get { details.alias }
    set { details.alias = newValue }
  }

  /// Whether the id was made of a mail address.
  package var hasMailID: Bool {
    get { details.hasMailID }
    set { details.hasMailID = newValue }
  }

  /// The folder of the user's pictures in `u/`, which no other user can change; nil where the id may be
  /// a mail address, which is not for everybody.
  package var pathName: String? {
    if let alias { return alias.isEmpty ? nil : alias }
    return hasMailID || id.contains("@") ? nil : CSSName.segment(Initialism.normalized(id))
  }
}

/// How the gallery is cut into pages, and which of them there are.
package struct PageSettings: Hashable, Sendable {
  /// False for a site of pictures alone, whose pages somebody else makes.
  package var areMade = true
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
  /// Whose picture is not the one that was asked for, and why.
  package var problems = false
  /// What the pictures lie on in the picture of the whole team; opaque.
  package var cardColor = Color(red: 0xF7, green: 0xF7, blue: 0xF5)
}

/// A theme that the manifest names.
package struct NamedTheme: Hashable, Sendable {
  /// `[a-z0-9-]+`: it begins the names of files.
  package var name: String
  package var location: FileLocation
}
