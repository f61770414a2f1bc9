import Bytes
package import Diagnostics
package import Recipes

/// A validated manifest with all defaults applied.
package struct Manifest: Hashable, Sendable {
  package var site = SiteDescription()
  package var styles: [AvatarStyle]
  package var buttons: [ButtonStyle] = []
  package var users: [User] = []
  package var allowOutside = false
  /// The base folder for photo paths in lists, with a trailing slash; nil means the list's folder.
  package var photoFolder: String?
  package var font: NamedFile?
  /// The locations of the `fallback` sources, which are tried after a user's own sources.
  package var fallback: [Located] = []
  package var strips: [ShadowStrip] = []
  package var exports = Exports()
  package var pages = PageSettings()
  package var network = NetworkSettings()
  /// The severity of each notice; notices without an entry are not reported.
  package var notices = Notice.defaults
  /// How long unused pictures stay in the output, in seconds.
  package var keepOld: Int64 = 0
}

/// A check for pictures that are usable but look wrong; `keys` documents each check.
package enum Notice: String, CaseIterable, Hashable, Sendable {
  case same, small, faceless, textless, truncated, unterminated
}

package struct NamedFile: Hashable, Sendable {
  package var path: String
  package var location: FileLocation
}

package struct SiteDescription: Hashable, Sendable {
  package var title = "Gallery"
  package var description: String?
  package var language = "en"
  package var strings: [String: String] = [:]
  /// The published site's base URL with a trailing `/`, used to form absolute URLs.
  package var url: String?
  package var home: String?
  package var logo: String?
  package var footer: String?

  package init() {}
}

package struct User: Hashable, Sendable {
  /// The id, which is unique after NFC normalization and always escaped in paths.
  package var id: String
  package var name: String
  package var title: String?
  package var organisation: String?
  package var about: String?
  package var link: String?
  package var links: [String] = []
  /// Sources in order of preference; sitegen uses the first one that works.
  package var avatars: [AvatarSource]
  package var background: Color?
  package var tags: [String] = []
  /// Indices of the manifest's styles; nil means all styles.
  package var styles: [Int]?
  /// The point to keep in every crop; it overrides the style's focus.
  package var focus: Focus?
  package var decorations: [String] = []
  /// The name that replaces the id in paths (`[a-z0-9_-]+`); empty for a user without a path.
  package var alias: String?
  package var hasMailID = false
  /// Whether to skip the photo search: true for people in remote lists or without consent.
  package var refusesPhoto = false
  /// A check value that distinguishes namesakes; nil unless the id was derived from the name.
  package var idCheck: UInt8?
  /// The path of the user's record, such as `users[3]`, and the location of its first key.
  package let declared: Located

  package init(
    id: String, name: String, avatars: [AvatarSource] = [], at location: FileLocation, number: Int
  ) {
    self.id = id
    self.name = name
    self.avatars = avatars
    declared = Located(location, path: "users[\(number)]")
  }

  /// The user's folder in `u/`; nil if the alias is empty or the id may be an email address.
  package var pathName: String? {
    if let alias { return alias.isEmpty ? nil : CSSName.portable(alias) }
    return hasMailID || id.contains("@") ? nil : CSSName.segment(Initialism.normalized(id))
  }

  package func key(of source: AvatarSource.Kind) -> SourceKey {
    SourceKey(source, name: name, id: id, background: background)
  }
}

extension [User] {
  /// Groups people by first tag, in order of first appearance, with untagged people at the end.
  mutating func groupByTag() {
    var order: [String: Int] = [:]
    for case let tag? in lazy.map(\.tags.first) where order[tag] == nil { order[tag] = order.count }
    let ranks = map { $0.tags.first.flatMap { order[$0] } ?? order.count }
    self = indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { self[$0] }
  }
}

package struct PageSettings: Hashable, Sendable {
  /// Whether the site has pages and not just images.
  package var areMade = true
  package var size = 100
  /// Indices of the styles shown on cards; nil means each user's first style.
  package var show: [Int]?
  /// The longer side of a card's pictures, in CSS pixels; nil means the style's size.
  package var pictureSize: Int?
  package var isGroupedByTag = false
  package var theme: NamedTheme?
  package var people = false
  package var tags = true
  /// Whether to add style pages and file tables; nil means only in a preview.
  package var styles: Bool?
  /// Ids of the sample users on the style pages; nil means the first users with pictures.
  package var examples: [String]?
  package var cards = false
  package var problems = false
  package var cardColor = Color(red: 0xF7, green: 0xF7, blue: 0xF5)
}

package struct NamedTheme: Hashable, Sendable {
  /// The name, which matches `[a-z0-9-]+` because file names begin with it.
  package var name: String
  package var location: FileLocation
}
