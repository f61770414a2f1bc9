import Bytes
import Diagnostics
import Documents
import Recipes

extension Manifest {
  /// `ManifestReader` reads `fallback` and `users` after the other keys.
  static let keys = Keys<Manifest>("the manifest") {
    Key(
      "version", .number(.version).described("`\(ManifestLimits.version)`"),
      required: "write `version: \(ManifestLimits.version)`"
    )
    .doc("The version of the manifest format.")
    Key("site", .mapping(SiteDescription.keys, SiteDescription())) { $0.site = $1 }
      .doc("The site's title, language and URL.")
    Key("avatars", .styles, to: \.styles).doc(default: "the `round` style", "The avatar styles.")
    Key(
      "buttons",
      .named(WrittenButton.keys, "buttons", upTo: 1_000, name: \.style.name) { WrittenButton($0) }
    ) { $0.buttons = $1.map(\.style) }
    .doc("Button backgrounds.")
    Key(
      "users",
      Kind.either(
        .onlyList(.mapping(User.keys, ()), 0...Int.max, of: "users"),
        Kind.mapping(User.listKeys, ()).map { [$0] }
      ).unread
    )
    .doc("The people. Optional if the manifest contains `buttons`, `strips` or `icons`.")
    Key("fallback", Kind.list(Kind.source.orNull, 0...ManifestLimits.avatarsOfOneUser).unread)
      .doc("Sources to try if `avatar` fails, or if `avatar` and `background` are both missing.")
    Key("allowOutside", .boolean, to: \.allowOutside)
      .doc(
        default: "false", "Allows pictures, badges, fonts and lists outside the manifest's folder.")
    Key(
      "font",
      Kind.text().described("path").then { reader, field, path in
        path.isEmpty ? nil : NamedFile(path: path, location: reader.located(field).location)
      }
    ) { $0.font = $1 }
    .doc("A TrueType or OpenType font file that sitegen tries first for initials.")
    Key(
      "strips",
      .named(ShadowStrip.keys, "strips", upTo: 100, name: \.name) { ShadowStrip(declared: $0) },
      to: \.strips
    )
    .doc("Images of a shadow along one edge of an element.")
    Key("exports", .list(.words(Exports.Kind.self), 0...16)) { $0.exports.kinds.formUnion($1) }
      .doc("The additional files to create (see [exports](exports.md)).")
    Key("icons", .mapping(IconStyle.keys) { IconStyle(declared: $0) }) { manifest, icons in
      manifest.exports.kinds.insert(.icons)
      manifest.exports.icons = icons
      manifest.exports.icons?.title = manifest.site.title
    }
    .doc("Site icons. This key adds `icons` to `exports`.")
    Key("poster", .mapping(PosterStyle.keys) { PosterStyle(tiers: [], declared: $0) }) {
      $0.exports.kinds.insert(.poster)
      $0.exports.poster = $1
    }
    .doc("A single picture of everyone. This key adds `poster` to `exports`.")
    Key(
      "pages",
      .either(
        Kind.boolean.map { PageSettings(areMade: $0) },
        .mapping(PageSettings.keys, PageSettings())), to: \.pages
    )
    .doc(default: "true", "The gallery pages. `false` omits them.")
    Key("network", .mapping(NetworkSettings.keys, NetworkSettings()), to: \.network)
      .doc("Allowed hosts and download limits.")
    Key("words", .mapping(SiteDescription.stringKeys, [:])) { $0.site.strings = $1 }
      .doc(default: "the language's strings", "Replaces UI strings on the pages.")
    Key(
      "notices",
      .either(
        .mapping(Notice.keys, Notice.defaults),
        Kind.severity.map { severity in
          Notice.allCases.reduce(into: [:]) { $0[$1] = severity }
        }), to: \.notices
    )
    .doc("How to report pictures that may look wrong.")
    Key("keepOld", .days, to: \.keepOld)
      .doc(default: "0", "How long unused images stay in `assets/`.")
    Key("$schema", .text()).doc("The JSON Schema, for editors. sitegen ignores this key.")
  } check: { reader, fields, manifest in
    guard let field = fields["exports"] else { return }
    if manifest.exports.contains(.icons), fields["icons"] == nil {
      reader.report(
        .missingKey, "`icons` is missing; it specifies the picture for the icons", field,
        help: "write `icons: { from: logo.png }`")
    }
    if manifest.exports.contains(.poster), fields["poster"] == nil {
      manifest.exports.poster = PosterStyle(declared: reader.located(field))
    }
    // The Swift constants refer to images in the asset catalog, so export it too.
    if manifest.exports.contains(.swift) || manifest.exports.contains(.swiftPackage) {
      manifest.exports.kinds.insert(.xcassets)
    }
  }
}

extension SiteDescription {
  static let keys = Keys<SiteDescription>("site") {
    Key("title", .text()) { if !$1.isBlank { $0.title = $1 } }
      .doc(default: "Gallery", "The site's title.")
    Key("description", .lines, to: \.description).doc("The text below the title.")
    Key("language", .language, to: \.language)
      .doc(
        default: "en",
        "A tag such as `de` or `pt-BR`. The UI is available in `en`, `de`, `es`, `fr` and `zh`.")
    Key("url", .siteURL) { $0.url = $1 }
      .doc(
        "The first page's URL, such as `https://example.org/team/`, without a username, query, "
          + "fragment or dot segments. `sitemap.xml`, `robots.txt` and link previews need it.")
    Key("home", .homeURL) { $0.home = $1 }
      .doc("The URL of your website, linked at the top of every page.")
    Key("logo", .text().described("file name")) { $0.logo = $1 }
      .doc("An SVG, PNG or WebP file in the templates folder, shown at the top of every page.")
    Key("footer", .text()) { $0.footer = $1 }.doc("The text at the bottom of every page.")
  }

  static let stringKeys = Keys<[String: String]>("the words") {
    for name in """
    allPeople allStyles allTags asImage asListed asSheet buttons bytes card checker close colour
    contrast copied copy copyPicture copyRefused count countOne dark density download files
    findFailed format formats found foundOne foundTitle ground howMade light look madeFrom
    nameDown nameUp next nobodyFound nobodyIsLike nobodyListed notOnCards order others overlay
    ownPage page pageGround pageNumber pages people personFailed picture pictures pixels place
    previous sameAsLight scale search searchFailed searchTags seeButtons showAll showMore site
    skipToButtons skipToContent skipToPeople skipToPictures skipToStyles skipToTags start style
    styles tag tags thisScreen thousands zoom
    """.split(whereSeparator: \.isWhitespace).map(String.init) {
      Key(name, .text()) { $0[name] = $1 }
    }
  }
}

extension PageSettings {
  static let keys = Keys<PageSettings>(
    "pages", removed: ["feed": "remove it; `assets.json` lists all people"]
  ) {
    Key("size", .whole(10...1_000), to: \.size).doc(default: "100", "Number of people per page.")
    Key("show", .list(.styleName, 1...ManifestLimits.styles)) { $0.show = $1.distinct }
      .doc(default: "the person's first style", "The styles shown on cards.")
    Key("pictureSize", .whole(16...1_024), to: \.pictureSize)
      .doc(
        default: "the style's size, or 96 in the `team` theme and 80 in `wall`",
        "The longer side of pictures on cards, in CSS pixels, if their files are large enough.")
    Key("groupBy", .words([("tag", true)]), to: \.isGroupedByTag)
      .doc("`tag` groups people by their first tag. People without tags come last.")
    Key(
      "theme",
      Kind.word(for: "theme").then { reader, field, name in
        NamedTheme(name: name, location: reader.located(field).location)
      }
    ) { $0.theme = $1 }
    .doc("`team`, `compact`, `wall` or your own [theme](../../templates/README.md#themes).")
    Key("people", .boolean, to: \.people).doc(default: "false", "Adds a page for each person.")
    Key("tags", .boolean, to: \.tags).doc(default: "true", "Adds a page for each tag.")
    Key("styles", .boolean) { $0.styles = $1 }
      .doc(
        default: "`true` in `serve`, else `false`",
        "Adds pages for the styles, and adds tables of files to detail views and people's pages.")
    Key(
      "examples", .list(.text(limit: ManifestLimits.idBytes, id: .badID), 1...24), to: \.examples
    )
    .doc(
      default: "the first six people with a picture", "The people shown on the styles page, by id.")
    Key("cards", .boolean, to: \.cards)
      .doc(default: "false", "Adds a contact card (vCard) for each person.")
    Key("cardColor", .color) { $0.cardColor = $1.over(.white) }
      .doc(
        default: "#f7f7f5",
        "The background of the [team picture](gallery.md#team-picture). Translucent colours are "
          + "blended with white.")
    Key("problems", .boolean, to: \.problems)
      .doc(default: "false", "Shows why pictures are missing or stale, and adds a status filter.")
  }
}

extension Notice {
  static let defaults = Dictionary(
    uniqueKeysWithValues: allCases.map {
      ($0, [.textless, .truncated].contains($0) ? Diagnostic.Severity.warning : .note)
    })

  static let keys = Keys<[Notice: Diagnostic.Severity]>(
    "notices", removed: ["plain": "remove it", "round": "remove it"]
  ) {
    for notice in allCases {
      Key(notice.rawValue, .severity) { $0[notice] = $1 }
        .doc(default: defaults[notice]?.rawValue, notice.meaning)
    }
  }

  private var meaning: String {
    switch self {
    case .same: "Several people have the same picture, or resaved or rescaled copies of it."
    case .small: "A picture has fewer pixels than the largest image rendered from it."
    case .faceless: "sitegen looked for a face in a picture but did not find one."
    case .textless: "An SVG contains text, which is not rendered."
    case .truncated: "A file ends early: it lacks fine detail or up to a tenth of its rows."
    case .unterminated: "A file is complete except for its end marker."
    }
  }
}

extension NetworkSettings {
  static let keys = Keys<NetworkSettings>("the network") {
    Key("allow", .list(.host, 0...100)) {
      $0.networks = $1.filter { NetworkRange($0) != nil }
      $0.hosts = $1.filter { NetworkRange($0) == nil }
    }
    .doc("Allowed private networks and hosts, such as `10.0.0.0/8` or `intranet.example.org`.")
    Key("ports", .list(.whole(1...65_535), 0...100)) { $0.ports = $1.map { UInt16($0) } }
      .doc("Allowed ports besides 80 and 443.")
    Key("maxStale", .days, to: \.maxStale)
      .doc(default: "30", "How long to use the last good picture if its source fails (0: never).")
    Key("perHost", .whole(1...64), to: \.perHost)
      .doc(default: "4", "The maximum number of concurrent requests per host.")
    Key("overall", .whole(1...64), to: \.overall)
      .doc(default: "16", "The maximum number of concurrent requests in total.")
    Key("proxy", .address(of: "proxy", or: ["none", "environment"])) {
      $0.proxy = $1 == "none" ? .none : $1 == "environment" ? .environment : .url($1)
    }
    .doc(
      default: "none",
      "`environment` uses `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`.")
    Key("services", .mapping(AvatarService.keys, AvatarService.urls), to: \.services)
      .doc("Mirrors of avatar services, or other servers with the same API.")
  }
}

extension AvatarService {
  static let keys = Keys<[AvatarService: String]>("services") {
    for service in allCases {
      Key(service.rawValue, .address(of: "service")) { $0[service] = $1 }
        .doc(
          default: service.url,
          "The base URL. sitegen appends "
            + "`\(service.path(of: service.takesUserName ? "NAME" : "HASH", "PIXELS"))`.")
    }
  }
}

extension IconStyle {
  static let keys = Keys<IconStyle>("icons") {
    let from = Kind<AvatarSource.Kind>.source.then {
      reader, field, source -> (AvatarSource.Kind, Located)? in
      if field.node.text?.isBlank != true { return (source, reader.located(field)) }
      return reader.reject(
        .missingKey, "the icon source is empty", field,
        help: "specify a picture, as in `from: logo.png`")
    }
    Key("from", from, required: "specify a picture, as in `from: logo.png`") {
      ($0.source, $0.declared) = $1
    }
    .doc("A picture or a colour, or `initials` or an `identicon` based on the site's title.")
    Key("background", .color, to: \.background)
      .doc("The background of opaque icons and `initials`.")
  }
}

extension PosterStyle {
  static let keys = Keys<PosterStyle>("the poster") {
    Key("style", .styleName, to: \.style)
      .doc(
        default: "the person's first style",
        "The style to show. People without it are shown in another style.")
    Key("size", .whole(8...1_024), to: \.size).doc(
      default: "40", "The width of each picture, in points.")
    Key("columns", .whole(1...100), to: \.columns)
      .doc(default: "the number that fits in 800 points", "The number of pictures per row.")
    Key("gap", .whole(0...256), to: \.gap)
      .doc(default: "8", "The space between and around pictures, in points.")
    let appearances = ButtonStyle.Appearance.allCases
    Key(
      "appearance", .words([("auto", appearances)] + appearances.map { ($0.rawValue, [$0]) }),
      to: \.appearances
    )
    .doc(
      default: "auto",
      "`auto` creates an SVG that follows the reader's light or dark mode, and PNG files for both.")
    Key(
      "tiers",
      .list(
        .either(
          Kind.text().orNull.map { Tier(tag: $0, title: $0, size: 0) },
          .mapping(Tier.keys, Tier(size: 0))), 1...ManifestLimits.tags
      ).described("list of tags and [mappings](#a-tier)"), to: \.tiers
    )
    .doc(default: "everyone, without a heading", "Groups of people by tag, from top to bottom.")
  } check: { _, _, poster in
    for index in poster.tiers.indices {
      if poster.tiers[index].size == 0 { poster.tiers[index].size = poster.size }
      poster.tiers[index].title = poster.tiers[index].title ?? poster.tiers[index].tag
    }
    if poster.tiers.isEmpty { poster.tiers = [Tier(size: poster.size)] }
  }
}

extension PosterStyle.Tier {
  static let keys = Keys<PosterStyle.Tier>("a tier") {
    Key("tag", .text(), to: \.tag)
      .doc("Selects people with this tag. If omitted, selects everyone not in an earlier tier.")
    Key("title", .text(), to: \.title).doc(default: "the tag", "The tier's heading.")
    Key("size", .whole(8...1_024), to: \.size)
      .doc(default: "the poster's size", "The width of each picture, in points.")
  }
}

extension ShadowStrip {
  static let keys = Keys<ShadowStrip>("a strip") {
    Key("name", .name, to: \.name, required: "a strip needs a `name`").doc("A unique name.")
    Key(
      "color", .color, to: \.shadow.color, required: "add a colour, in quotes if it begins with #"
    )
    .doc("The shadow's colour.")
    Key("radius", .number(.length), to: \.shadow.radius)
      .doc(default: "0", "The standard deviation of the blur, in points.")
    Key("offset", .number(.offset), to: \.shadow.offset)
      .doc(default: "0", "How far the shadow is shifted down, in points.")
    Key("edge", .words([("above", true), ("below", false)]), to: \.shadow.isAbove)
      .doc(default: "below", "The side of the element on which the shadow appears.")
  } check: { reader, _, strip in
    // Beyond three standard deviations, the shadow's opacity is below half of 1/255.
    let offset = strip.shadow.offset
    let reach = 3 * strip.shadow.radius + (strip.shadow.isAbove ? -offset : offset)
    strip.shadow.height = max(1, Int(reach.rounded(.up)))
    guard strip.shadow.height > ManifestLimits.stripHeight else { return }
    reader.report(
      .error, .outOfRange, "a shadow of \(strip.shadow.height) points is too tall for a strip",
      at: strip.declared,
      help: "reduce `radius` or change `offset`; the height is limited to "
        + "\(ManifestLimits.stripHeight) points")
  }
}

extension Kind<String> {
  fileprivate static var language: Kind {
    text(pattern: "^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$").described("language tag")
      .then { reader, field, tag in
        if tag.wholeMatch(of: /[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*/) != nil { return tag }
        return reader.reject(
          .badLanguage, "\(tag.quoted) is not a language tag", field,
          help: "write a tag such as en, de or pt-BR")
      }
  }

  fileprivate static var siteURL: Kind {
    text(pattern: "^$|^\(Pattern.web)[^/?#:\\s][^?#\\s]*$").described("URL")
      .then { reader, field, text in
        if text.isEmpty { return nil }
        return WebURL.site(text)
          ?? reader.reject(
            .badLink, "\(text.quoted) is not a valid site URL", field,
            help: "write the URL of its first page, such as https://example.org/team/")
      }
  }

  fileprivate static var homeURL: Kind {
    text(pattern: "^$|^\(Pattern.web)[^/?#:\\s][^\\s\"<>\\\\^`{|}]*$").described("URL")
      .then { reader, field, text in
        if text.isEmpty || WebURL.isLink(text) { return text.isEmpty ? nil : text }
        return reader.reject(
          .badLink, "\(text.quoted) is not a URL", field,
          help: "write a URL such as https://example.org")
      }
  }

  fileprivate static var host: Kind {
    text().orNull.described("network or host").then { reader, field, text in
      let word = text.lowercased()
      let name = word.hasSuffix(".") ? String(word.dropLast()) : word
      // Resolvers treat a name as an IP address if its last label is a number.
      let isNumber = name.split(separator: ".").last?.utf8.allSatisfy(\.isASCIIDigit) ?? true
      if NetworkRange(word) != nil { return word }
      if HostName.isValid(word), word.utf8.count <= 253, !isNumber { return name }
      return reader.reject(
        .badNetwork, "\(text.quoted) is neither a network nor a host name", field,
        help: "write a network such as 10.0.0.0/8 or fd00::/8, or a host name without a port")
    }
  }
}

extension Kind<Int> {
  fileprivate static var styleName: Kind {
    Kind<String>.text().described("style name").then { reader, field, name in
      if let index = reader.styleNames.firstIndex(of: name) { return index }
      reader.reportUnknown("style", name, .unknownStyle, field, among: reader.styleNames)
      return nil
    }
  }
}

extension Kind<Diagnostic.Severity?> {
  fileprivate static var severity: Kind {
    words([("off", nil), ("note", .note), ("warning", .warning)])
  }
}

extension Kind<[AvatarStyle]> {
  fileprivate static var styles: Kind {
    let form = Kind<AvatarStyle>.mapping(AvatarStyle.keys) { AvatarStyle(declared: $0) }.form
    let style = Kind<WrittenStyle>(form) { WrittenStyle($1, &$0) }
    return Kind<[WrittenStyle]>.onlyList(style, 1...ManifestLimits.styles, of: "styles")
      .then { reader, field, written in reader.complete(written, field) }
  }
}
