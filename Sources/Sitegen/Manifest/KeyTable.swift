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
    keys: ["version", "site", "avatars", "buttons", "users", "allowOutside", "font"],
    later: ["exports", "network", "icons"])
  static let site = KeyTable("site", keys: ["title", "description", "language"])
  static let style = KeyTable(
    "a style",
    keys: [
      "name", "from", "size", "scales", "shape", "radius", "corners", "fit", "focus", "border",
      "background", "underlay", "opaque", "formats", "quality",
    ],
    colors: ["background"], later: ["overlay", "shadow", "decorations"])
  static let border = KeyTable(
    "a border", keys: ["width", "color", "mode", "hidden", "allowNonSquare"], colors: ["color"])
  static let quality = KeyTable("quality", keys: ["webp", "jpeg"], later: ["avif"])
  static let button = KeyTable(
    "a button",
    keys: [
      "name", "normal", "highlighted", "disabled", "selected", "focused", "dark", "title",
      "radius", "border", "emit",
    ],
    colors: ["highlighted", "disabled", "selected", "focused", "title"],
    later: ["overlay", "shadow"])
  static let appearance = KeyTable(
    "an appearance", keys: ["normal", "highlighted", "disabled", "selected", "focused"],
    colors: ["highlighted", "disabled", "selected", "focused"])
  static let edge = KeyTable("a border", keys: ["width", "color"], colors: ["color"])
  static let userFile = KeyTable("users", keys: ["from"])
  static let user = KeyTable(
    "a user",
    keys: ["id", "name", "avatar", "background", "title", "tags", "link", "styles"],
    colors: ["background"], later: ["decorations"])

  package static let all = [
    manifest, site, style, border, quality, button, appearance, edge, userFile, user,
  ]
}
