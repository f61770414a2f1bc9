import Recipes

/// The keys of one kind of mapping: all that may stand there, and what each takes.
package struct KeyTable: Sendable {
  /// As in "`x` is no key of a style".
  package let title: String
  /// Those that are read, in the order of docs/manifest.md.
  package let keys: [String]
  /// What each of them takes.
  let kinds: [ValueKind]
  /// Keys that cannot be left out.
  let required: [String]
  /// Keys of which one cannot be left out.
  let alternatives: [String]
  /// Optional colours: a bare `#` in YAML leaves them empty, which deserves a hint.
  let colors: [String]
  /// Keys of later versions: known, but refused.
  package let later: [String]
  /// Keys of earlier versions, with what to do instead.
  let removed: [String: String]

  private init(
    _ title: String, _ keys: KeyValuePairs<String, ValueKind>, required: [String] = [],
    alternatives: [String] = [], later: [String] = [], removed: [String: String] = [:]
  ) {
    self.title = title
    self.keys = keys.map(\.key)
    kinds = keys.map(\.value)
    self.required = required
    self.alternatives = alternatives
    colors = keys.compactMap { $1.takesColor && !required.contains($0) ? $0 : nil }
    self.later = later
    self.removed = removed
  }

  /// Keys that all take the same.
  private init(
    _ title: String, _ keys: [String], each kind: ValueKind, later: [String] = [],
    removed: [String: String] = [:]
  ) {
    self.title = title
    self.keys = keys
    kinds = keys.map { _ in kind }
    (required, alternatives, colors) = ([], [], [])
    self.later = later
    self.removed = removed
  }

  static let manifest = KeyTable(
    "the manifest",
    [
      "version": .number(.version), "site": .mapping(.site),
      "avatars": .onlyList(.mapping(.style), 1...ManifestLimits.styles),
      "buttons": .onlyList(.mapping(.button), 0...ManifestLimits.buttons),
      "users": .either([.onlyList(.mapping(.user), 0...Int.max), .mapping(.userFile)]),
      "fallback": .list(.optional(.source), 0...ManifestLimits.avatarsOfOneUser),
      "allowOutside": .boolean, "font": .text(),
      "strips": .onlyList(.mapping(.strip), 0...ManifestLimits.strips),
      "exports": .list(.words(Exports.Kind.self), 0...ManifestLimits.words),
      "icons": .mapping(.icons), "poster": .mapping(.poster),
      "pages": .either([.boolean, .mapping(.pages)]),
      "network": .mapping(.network), "words": .mapping(.words),
      "notices": .either([.severity, .mapping(.notices)]), "keepOld": .number(.days),
      "$schema": .text(),
    ], required: ["version"])
  static let site = KeyTable(
    "site",
    [
      "title": .text(), "description": .lines,
      "language": .text(pattern: "^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$"),
      "url": .text(pattern: "^$|^\(ValueKind.Pattern.web)[^/?#:\\s][^?#\\s]*$"),
    ])
  /// The keys of templates/words-en.json.
  package static let words = KeyTable(
    "the words",
    [
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
    ], each: .text())
  static let pages = KeyTable(
    "pages",
    [
      "size": .whole(.pageSize), "show": .list(.text(), 1...ManifestLimits.styles), "theme": .word,
      "people": .boolean, "tags": .boolean, "styles": .boolean,
      "examples": .list(.text(limit: ManifestLimits.idBytes), 1...ManifestLimits.examples),
      "cards": .boolean, "cardColor": .color, "problems": .boolean,
    ], removed: ["feed": "remove it; programs find all people in `assets.json`"])
  static let notices = KeyTable(
    "notices", Notice.allCases.map(\.rawValue), each: .severity,
    removed: ["plain": "remove it", "round": "remove it"])
  static let network = KeyTable(
    "the network",
    [
      "allow": .list(.optional(.text()), 0...ManifestLimits.networks),
      "ports": .list(.whole(.port), 0...ManifestLimits.networks), "maxStale": .number(.days),
      "perHost": .whole(.connections), "overall": .whole(.connections),
      "proxy": .text(pattern: "^(none|environment|\(ValueKind.Pattern.web).+)$"),
      "services": .mapping(.services),
    ])
  static let services = KeyTable(
    "services", ["gravatar", "libravatar", "github"],
    each: .text(pattern: "^\(ValueKind.Pattern.web).+$"))
  static let style = KeyTable(
    "a style",
    [
      "name": .word, "from": .text(), "size": .either([.number(.size), .pair(.number(.size))]),
      "scales": .list(.number(.scale), 1...ManifestLimits.scales),
      "shape": .words(StyleDraft.Outline.self),
      "radius": .either([.number(.length), .percentage(.percentage)]),
      "corners": .list(.corner, 1...ManifestLimits.words), "fit": .words(Fit.self),
      "focus": .either([.sides, .words(["smart", "face"]), .point, .mapping(.focus)]),
      "grayscale": .boolean, "tint": .color, "blur": .number(.length),
      "border": .either([
        .mapping(.border), .onlyList(.mapping(.border), 0...ManifestLimits.rings),
      ]),
      "background": .color, "underlay": .boolean, "overlay": .mapping(.overlay),
      "shadow": .mapping(.shadow), "opaque": .boolean,
      "decorations": .list(.mapping(.decoration), 0...ManifestLimits.decorations),
      "formats": .list(.words(OutputFormat.self), 1...ManifestLimits.words),
      "quality": .mapping(.quality), "maxBytes": .either([.whole(.bytes), .mapping(.maxBytes)]),
    ])
  static let focus = KeyTable(
    "a focus",
    [
      "find": .words(["face", "smart"]),
      "headRoom": .either([.number(.headRoom), .percentage(.headRoomPercentage)]),
      "otherwise": .either([.sides, .words(["smart"]), .point]),
    ], required: ["find"])
  static let border = KeyTable(
    "a border",
    [
      "width": .either([.words(["hairline"]), .number(.length)]), "color": .color,
      "gradient": .mapping(.gradient), "mode": .words(AvatarStyle.Ring.Mode.self),
      "gap": .number(.length), "hidden": .boolean, "allowNonSquare": .boolean,
    ])
  static let gradient = KeyTable(
    "a gradient",
    ["colors": .colors, "direction": .direction, "kind": .words(GradientDraft.Kind.self)])
  static let overlay = KeyTable("an overlay", ["colors": .colors, "direction": .direction])
  static let shadow = KeyTable(
    "a shadow",
    [
      "color": .color, "radius": .number(.length), "offset": .pair(.number(.offset)),
      "spread": .number(.offset),
    ])
  static let decoration = KeyTable(
    "a decoration",
    [
      "name": .name, "dot": .color, "badge": .path, "size": .number(.size),
      "corner": .corner, "at": .pair(.number(.offset)), "gap": .number(.length),
      "when": .words(AvatarStyle.Decoration.Condition.self),
    ], alternatives: ["dot", "badge"])
  static let quality = KeyTable(
    "quality", OutputFormat.allCases.filter { $0.defaultQuality != nil }.map(\.rawValue),
    each: .whole(.quality), later: OutputFormat.unsupported.keys.sorted())
  static let maxBytes = KeyTable(
    "a limit of bytes", OutputFormat.allCases.map(\.rawValue), each: .whole(.bytes),
    later: OutputFormat.unsupported.keys.sorted())
  static let button = KeyTable(
    "a button",
    [
      "name": .name, "normal": .color, "highlighted": .shade, "disabled": .shade,
      "selected": .shade, "focused": .shade, "dark": .mapping(.appearance), "title": .color,
      "radius": .number(.length), "border": .mapping(.edge),
      "emit": .list(.words(ButtonStyle.Emission.self), 1...ManifestLimits.words),
      "template": .boolean,
    ], required: ["name", "normal"], later: ["overlay", "shadow"])
  static let appearance = KeyTable(
    "an appearance",
    [
      "normal": .color, "highlighted": .shade, "disabled": .shade, "selected": .shade,
      "focused": .shade, "title": .color,
    ])
  static let edge = KeyTable("a border", ["width": .number(.length), "color": .color])
  static let strip = KeyTable(
    "a strip",
    [
      "name": .name, "color": .color, "radius": .number(.length), "offset": .number(.offset),
      "edge": .words(ShadowStrip.Edge.self),
    ], required: ["name", "color"])
  static let icons = KeyTable(
    "icons",
    ["from": .source, "background": .color], required: ["from"])
  static let poster = KeyTable(
    "the poster",
    [
      "style": .text(), "size": .whole(.posterSize), "columns": .whole(.columns),
      "gap": .whole(.gap),
      "appearance": .either([.words(["auto"]), .words(ButtonStyle.Appearance.self)]),
      "tiers": .list(.either([.optional(.text()), .mapping(.tier)]), 1...ManifestLimits.tags),
    ])
  static let tier = KeyTable(
    "a tier", ["tag": .text(), "title": .text(), "size": .whole(.posterSize)])
  static let userFile = KeyTable(
    "users",
    [
      "from": .list(.text(), 1...ManifestLimits.lists), "at": .text(),
      "where": .values(.list(.optional(.text(limit: .max)), 0...ManifestLimits.tags)),
      "fields": .mapping(.fields), "root": .text(), "gravatar": .boolean,
    ], required: ["from"])
  static let user = KeyTable(
    "a user",
    [
      "id": .id, "name": .text(),
      "avatar": .list(.optional(.source), 0...ManifestLimits.avatarsOfOneUser),
      "background": .color, "title": .text(), "organisation": .text(), "about": .lines,
      "tags": .list(.optional(.text()), 0...ManifestLimits.tags), "link": .link,
      "links": .list(.optional(.link), 0...ManifestLimits.tags),
      "styles": .list(.optional(.text()), 0...ManifestLimits.styles),
      "focus": .either([.sides, .point]),
      "decorations": .list(.optional(.text()), 0...ManifestLimits.decorations), "alias": .alias,
    ], required: ["id"])
  /// What of a record is which key of a user.
  static let fields = KeyTable(
    user.title, user.keys, each: .list(.optional(.text()), 0...ManifestLimits.avatarsOfOneUser))

  package static let all = [
    manifest, site, words, pages, style, focus, border, gradient, overlay, shadow, decoration,
    quality,
    maxBytes,
    button, appearance, edge, strip, icons, poster,
    tier, network, notices, services, userFile, user,
  ]
}
