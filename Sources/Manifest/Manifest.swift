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
  /// Where the end of every user's list of sources stands.
  package var fallback: [Located]
  package var strips: [ShadowStrip]
  package var exports: Exports
  package var pages: PageSettings
  package var network: NetworkSettings

  package init(
    site: SiteDescription, styles: [AvatarStyle], buttons: [ButtonStyle], users: [User],
    allowOutside: Bool = false, font: NamedFile? = nil, fallback: [Located] = [],
    strips: [ShadowStrip] = [], exports: Exports = Exports(),
    pages: PageSettings = PageSettings(), network: NetworkSettings = NetworkSettings()
  ) {
    self.site = site
    self.styles = styles
    self.buttons = buttons
    self.users = users
    self.allowOutside = allowOutside
    self.font = font
    self.fallback = fallback
    self.strips = strips
    self.exports = exports
    self.pages = pages
    self.network = network
  }
}

/// A file that the manifest names, and where it says so.
package struct NamedFile: Hashable, Sendable {
  /// Relative to the manifest's folder.
  package var path: String
  package var place: FileLocation

  package init(path: String, place: FileLocation) {
    self.path = path
    self.place = place
  }
}

/// The words on the pages.
package struct SiteDescription: Hashable, Sendable {
  package var title: String
  package var description: String?
  /// A BCP 47 tag, for `<html lang>`.
  package var language: String
  /// Where the site will be, with `/` at its end; some things need whole addresses.
  package var url: String?

  package init(
    title: String = "Gallery", description: String? = nil, language: String = "en",
    url: String? = nil
  ) {
    self.title = title
    self.description = description
    self.language = language
    self.url = url
  }
}

/// One person.
package struct User: Hashable, Sendable {
  /// Unique after NFC; never used raw in a path.
  package var id: String
  package var name: String
  /// Tried in this order; the first that works wins.
  package var avatars: [AvatarSource]
  package var background: Color?
  package var title: String?
  package var tags: [String]
  package var link: String?
  /// Indices into the manifest's styles; nil means all of them.
  package var styles: [Int]?
  /// What every crop of the picture keeps, whatever the styles say.
  package var focus: Focus?
  /// Names of decorations, sorted and distinct.
  package var decorations: [String]
  /// Where the user stands: the place of its first key, and the path `users[3]`.
  package var place: FileLocation
  package var path: String

  package init(
    id: String, name: String, avatars: [AvatarSource] = [], background: Color? = nil,
    title: String? = nil, tags: [String] = [], link: String? = nil, styles: [Int]? = nil,
    focus: Focus? = nil, decorations: [String] = [], place: FileLocation, path: String
  ) {
    self.id = id
    self.name = name
    self.avatars = avatars
    self.background = background
    self.title = title
    self.tags = tags
    self.link = link
    self.styles = styles
    self.focus = focus
    self.decorations = decorations
    self.place = place
    self.path = path
  }
}
