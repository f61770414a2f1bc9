import Recipes

/// The keys of one kind of mapping: all that may stand there.
package struct KeyTable: Sendable {
  /// As in "`x` is no key of a style".
  package let title: String
  /// Those that are read, in the order of docs/manifest.md.
  package let keys: [String]
  /// Optional colours: a bare `#` in YAML leaves them empty, which deserves a hint.
  let colors: [String]
  /// Keys of later versions: known, but refused.
  package let later: [String]

  private init(
    _ title: String, keys: [String], colors: [String] = [], later: [String] = []
  ) {
    self.title = title
    self.keys = keys
    self.colors = colors
    self.later = later
  }

  static let manifest = KeyTable(
    "the manifest",
    keys: [
      "version", "site", "avatars", "buttons", "users", "fallback", "allowOutside", "font",
      "strips", "exports", "icons", "poster", "pages", "network", "words",
      "notices", "keepOld",
    ])
  static let site = KeyTable("site", keys: ["title", "description", "language", "url"])
  /// The keys of templates/words-en.json.
  package static let words = KeyTable(
    "the words",
    keys: [
      "allPeople", "allStyles", "allTags", "asListed", "buttons", "bytes", "card", "checker",
      "close", "colour", "copied", "copy", "copyPicture", "copyRefused", "dark", "density",
      "files", "findFailed", "format", "formats", "found", "foundOne", "foundTitle", "ground",
      "howMade", "light", "look", "madeFrom", "more", "nameDown", "nameUp", "next", "nobodyFound",
      "nobodyIsLike", "nobodyListed", "notOnCards", "order", "overlay", "ownPage", "page",
      "pageGround", "pageNumber", "pages", "people", "personFailed", "picture", "pictures",
      "pixels", "place", "previous", "scale", "search", "searchFailed", "searchTags", "seeButtons",
      "showAll", "showMore", "site", "skipToButtons", "skipToContent", "skipToPeople",
      "skipToPictures", "skipToStyles", "skipToTags", "start", "style", "styles", "tag", "tags",
      "thisScreen", "zoom",
    ])
  static let pages = KeyTable(
    "pages",
    keys: [
      "size", "show", "theme", "people", "tags", "styles", "examples", "feed", "cards",
      "cardColor", "problems",
    ], colors: ["cardColor"])
  static let notices = KeyTable("notices", keys: Notice.allCases.map(\.rawValue))
  static let network = KeyTable(
    "the network",
    keys: ["allow", "ports", "maxStale", "perHost", "overall", "proxy", "services"])
  static let services = KeyTable("services", keys: ["gravatar", "libravatar", "github"])
  static let style = KeyTable(
    "a style",
    keys: [
      "name", "from", "size", "scales", "shape", "radius", "corners", "fit", "focus",
      "grayscale", "tint", "blur", "border", "background", "underlay", "overlay", "shadow",
      "opaque", "decorations", "formats", "quality", "maxBytes",
    ],
    colors: ["tint", "background"])
  static let focus = KeyTable("a focus", keys: ["find", "headRoom", "otherwise"])
  static let border = KeyTable(
    "a border",
    keys: ["width", "color", "gradient", "mode", "gap", "hidden", "allowNonSquare"],
    colors: ["color"])
  static let gradient = KeyTable("a gradient", keys: ["colors", "direction", "kind"])
  static let overlay = KeyTable("an overlay", keys: ["colors", "direction"])
  static let shadow = KeyTable(
    "a shadow", keys: ["color", "radius", "offset", "spread"], colors: ["color"])
  static let decoration = KeyTable(
    "a decoration", keys: ["name", "dot", "badge", "size", "corner", "at", "gap", "when"],
    colors: ["dot"])
  static let quality = KeyTable(
    "quality", keys: OutputFormat.allCases.filter { $0.defaultQuality != nil }.map(\.rawValue),
    later: OutputFormat.unsupported.keys.sorted())
  static let maxBytes = KeyTable(
    "a limit of bytes", keys: OutputFormat.allCases.map(\.rawValue),
    later: OutputFormat.unsupported.keys.sorted())
  static let button = KeyTable(
    "a button",
    keys: [
      "name", "normal", "highlighted", "disabled", "selected", "focused", "dark", "title",
      "radius", "border", "emit", "template",
    ],
    colors: ["highlighted", "disabled", "selected", "focused", "title"],
    later: ["overlay", "shadow"])
  static let appearance = KeyTable(
    "an appearance", keys: ["normal", "highlighted", "disabled", "selected", "focused", "title"],
    colors: ["highlighted", "disabled", "selected", "focused", "title"])
  static let edge = KeyTable("a border", keys: ["width", "color"], colors: ["color"])
  static let strip = KeyTable(
    "a strip", keys: ["name", "color", "radius", "offset", "edge"])
  static let icons = KeyTable("icons", keys: ["from", "background"], colors: ["background"])
  static let poster = KeyTable(
    "the poster", keys: ["style", "size", "columns", "gap", "appearance", "tiers"])
  static let tier = KeyTable("a tier", keys: ["tag", "title", "size"])
  static let userFile = KeyTable(
    "users", keys: ["from", "at", "where", "fields", "root", "gravatar"])
  static let user = KeyTable(
    "a user",
    keys: [
      "id", "name", "avatar", "background", "title", "organisation", "about", "tags", "link",
      "links", "styles", "focus", "decorations", "alias",
    ],
    colors: ["background"])

  package static let all = [
    manifest, site, words, pages, style, focus, border, gradient, overlay, shadow, decoration,
    quality,
    maxBytes,
    button, appearance, edge, strip, icons, poster,
    tier, network, notices, services, userFile, user,
  ]
}
