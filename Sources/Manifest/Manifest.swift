import Bytes
package import Diagnostics
package import Recipes

/// What the user asked for, checked and complete: every default is filled in.
package struct Manifest: Hashable, Sendable {
  package var site = SiteDescription()
  package var styles: [AvatarStyle]
  package var buttons: [ButtonStyle] = []
  package var users: [User] = []
  /// Sources may lie outside the manifest's folder.
  package var allowOutside = false
  /// Where the photos of lists are, with a slash at its end, if that is not where the lists say.
  package var photoFolder: String?
  /// What initials are written in before any other font.
  package var font: NamedFile?
  /// Where the manifest names the sources at the end of every user's list.
  package var fallback: [Located] = []
  package var strips: [ShadowStrip] = []
  package var exports = Exports()
  package var pages = PageSettings()
  package var network = NetworkSettings()
  /// How each notice is reported; those that are left out are not.
  package var notices = Notice.defaults
  /// Seconds for which pictures stay in the output that nothing names any more.
  package var keepOld: Int64 = 0
}

/// What may be wrong with a picture that is shown all the same.
package enum Notice: String, CaseIterable, Hashable, Sendable {
  /// Several people have it.
  case same
  /// It has fewer pixels than the images made of it.
  case small
  /// No face was found in it.
  case faceless
  /// It has letters that are not drawn.
  case textless
  /// Its file ends early, and up to a tenth of the rows are missing.
  case truncated
  /// Its file lacks the end mark, and nothing else.
  case unterminated
}

package struct NamedFile: Hashable, Sendable {
  /// Relative to the manifest's folder.
  package var path: String
  package var location: FileLocation
}

/// What the pages say about the site.
package struct SiteDescription: Hashable, Sendable {
  package var title = "Gallery"
  package var description: String?
  /// A BCP 47 tag, for `<html lang>`.
  package var language = "en"
  /// What the pages say instead of the language's own strings, by the keys of `words`.
  package var strings: [String: String] = [:]
  /// Where the site will be, with `/` at its end; some things need whole addresses.
  package var url: String?
  /// The site that this one belongs to.
  package var home: String?
  /// A picture among the templates, as `NAME.svg`.
  package var logo: String?
  package var footer: String?

  package init() {}
}

package struct User: Hashable, Sendable {
  /// Unique after NFC; never used raw in a path.
  package var id: String
  package var name: String
  package var title: String?
  package var organisation: String?
  /// A few sentences, with line breaks.
  package var about: String?
  package var link: String?
  /// Other places on the web, beside `link`.
  package var links: [String] = []
  /// Tried in this order; the first that works wins.
  package var avatars: [AvatarSource]
  package var background: Color?
  package var tags: [String] = []
  /// Indices into the manifest's styles; nil means all of them.
  package var styles: [Int]?
  /// What every crop of the picture keeps, whatever the styles say.
  package var focus: Focus?
  /// Names of decorations, sorted and distinct.
  package var decorations: [String] = []
  /// What the user is called in paths instead of the id: `[a-z0-9_-]+`, or empty for no name.
  package var alias: String?
  /// Whether the id was made of a mail address.
  package var hasMailID = false
  /// Whether no photo is looked for: a column asks for consent and the answer is not yes, or the list is on the
  /// network, and names nothing of this machine.
  package var refusesPhoto = false
  /// What distinguishes the user from namesakes if the id was made of the name.
  package var idCheck: UInt8?
  /// `users[3]`, and where its first key is.
  package let declared: Located

  package init(
    id: String, name: String, avatars: [AvatarSource] = [], at location: FileLocation, number: Int
  ) {
    self.id = id
    self.name = name
    self.avatars = avatars
    declared = Located(location, path: "users[\(number)]")
  }

  /// The folder of the user's pictures in `u/`, which no other user can change; nil where the id may be
  /// a mail address, which is not for everybody.
  package var pathName: String? {
    if let alias { return alias.isEmpty ? nil : CSSName.portable(alias) }
    return hasMailID || id.contains("@") ? nil : CSSName.segment(Initialism.normalized(id))
  }
}

extension [User] {
  /// Brings people with the same first tag together: tags in the order of their first person, people
  /// without a tag last.
  mutating func groupByTag() {
    var order: [String: Int] = [:]
    for case let tag? in lazy.map(\.tags.first) where order[tag] == nil { order[tag] = order.count }
    let ranks = map { $0.tags.first.flatMap { order[$0] } ?? order.count }
    self = indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { self[$0] }
  }
}

extension User {
  package func key(of source: AvatarSource.Kind) -> SourceKey {
    SourceKey(source, name: name, id: id, background: background)
  }
}

/// How the gallery is cut into pages, and which of them there are.
package struct PageSettings: Hashable, Sendable {
  /// False for a site of pictures alone, whose pages somebody else makes.
  package var areMade = true
  package var size = 100
  /// The styles whose pictures stand on the cards, as indices; nil: the first that a user has.
  package var show: [Int]?
  /// CSS pixels of the longer side of a picture on a card; nil: the size of its style.
  package var pictureSize: Int?
  /// Whether people are in sections by their first tag.
  package var isGroupedByTag = false
  /// Another theme than the plain one.
  package var theme: NamedTheme?
  package var people = false
  package var tags = true
  /// The pages of the styles and the tables of files; nil: in a preview only.
  package var styles: Bool?
  /// Ids of users who are the examples on the page of the styles; nil: the first with pictures.
  package var examples: [String]?
  /// A card for address books, for each person.
  package var cards = false
  /// Whose picture is not the one that was asked for, and why.
  package var problems = false
  /// What the pictures lie on in the picture of the whole team; opaque.
  package var cardColor = Color(red: 0xF7, green: 0xF7, blue: 0xF5)
}

package struct NamedTheme: Hashable, Sendable {
  /// `[a-z0-9-]+`: it begins the names of files.
  package var name: String
  package var location: FileLocation
}
